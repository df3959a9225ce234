"""*As Python* where an explorer shows runs of descent: an experiment of slrlib, what it found."""

RUN = """\
import jax
jax.config.update("jax_enable_x64", True)
{imports}

result = run({experiment})
print(result.summary())
"""
