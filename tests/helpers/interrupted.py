"""Interrupt runs."""

import contextlib

import pytest


@contextlib.contextmanager
def stopped_after(calls, module, name):
    """Interrupt ``module.name`` after some calls; the returned list grows with each call."""
    plain, made = getattr(module, name), []

    def counted(*given):
        if len(made) == calls:
            raise KeyboardInterrupt
        made.append(1)
        return plain(*given)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, name, counted)
        yield made
