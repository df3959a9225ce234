"""Runs that are stopped on the way."""

import contextlib

import pytest


@contextlib.contextmanager
def stopped_after(calls, module, name):
    """Let ``module.name`` be interrupted after some calls; the list grows with each one made."""
    plain, made = getattr(module, name), []

    def counted(*given):
        if len(made) == calls:
            raise KeyboardInterrupt
        made.append(1)
        return plain(*given)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, name, counted)
        yield made
