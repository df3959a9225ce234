"""How the tests compile: quickly, as most of their programs are small and run once or twice."""

import os

import jax

from slrbook.processor import FAST_XLA_FLAGS


def alike(flags: str = "", **more: str) -> dict[str, str]:
    """The environment of another process that compiles as this test does.

    What is drawn in single precision is the same to its last bit only if the same code draws it.
    """
    own = os.environ.get("XLA_FLAGS", FAST_XLA_FLAGS)
    quickly = str(int(jax.config.read("jax_disable_most_optimizations")))
    its = {"XLA_FLAGS": f"{own} {flags}".strip(), "JAX_DISABLE_MOST_OPTIMIZATIONS": quickly}
    return {**os.environ, "JAX_PLATFORMS": "cpu", **its, **more}


def handed_on(monkeypatch) -> None:
    """Let the processes that are started without an environment of their own compile alike too."""
    for name in ("XLA_FLAGS", "JAX_DISABLE_MOST_OPTIMIZATIONS"):
        monkeypatch.setenv(name, alike()[name])
