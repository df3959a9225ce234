"""*As Python* where an explorer shows runs of descent: an experiment of slrlib, what it found."""

RUN = """\
{imports}

result = run({experiment})
print(result.summary())
"""
