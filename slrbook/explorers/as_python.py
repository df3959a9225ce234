"""*As Python* where an explorer shows runs of descent: an experiment of slrlib, what it found."""

RUN = """\
{imports}

experiment = {experiment}
result = run(experiment)
print(experiment.finding(result))
"""
