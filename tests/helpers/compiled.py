"""How the tests compile: quickly, as most of their programs are small and run once or twice."""

import os

import jax

from slrbook.processor import FAST_XLA_FLAGS


def alike(flags: str = "", **more: str) -> dict[str, str]:
    """An environment in which another process compiles in the same way as this test.

    Single-precision samples are equal to the last bit only if the same compiled code draws them.
    """
    own = os.environ.get("XLA_FLAGS", FAST_XLA_FLAGS)
    quickly = str(int(jax.config.read("jax_disable_most_optimizations")))
    its = {"XLA_FLAGS": f"{own} {flags}".strip(), "JAX_DISABLE_MOST_OPTIMIZATIONS": quickly}
    return {**os.environ, "JAX_PLATFORMS": "cpu", **its, **more}


def handed_on(monkeypatch) -> None:
    """Make processes that inherit this environment compile in the same way."""
    for name in ("XLA_FLAGS", "JAX_DISABLE_MOST_OPTIMIZATIONS"):
        monkeypatch.setenv(name, alike()[name])
