"""The code of *As Python* for explorers of runs: an experiment of slrlib and its finding."""

RUN = """\
{imports}

experiment = {experiment}
result = run(experiment)
print(experiment.finding(result))
"""
