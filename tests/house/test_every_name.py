"""The public functions of slrlib take their arguments in a consistent order."""

import importlib
import inspect

import jax
from metrics import public_names

import slrlib

POINTS = set(
    "o frame k v K V X s point gram kappa nu phi psi low high beta threshold t x activation "
    "predict states mask score pair probe layer register state run".split()
)
FREE = {"teacher", "teachers"}  # next to the point they belong to, or after the task
OTHERWISE = {"overlaps.random_overlaps"}  # the key first, as in jax.random


def thing(name: str):
    place, _, last = name.rpartition(".")
    module = importlib.import_module(f"{slrlib.__name__}.{place}") if place else slrlib
    return getattr(module, last)


def rank(name: str) -> int:
    return 0 if name in POINTS else {"lam": 1, "lam0": 1, "decay": 1, "task": 2}.get(name, 3)


FUNCTIONS = sorted(name for name in public_names() if inspect.isfunction(thing(name)))


def test_arguments_stand_in_one_order():
    """Point, lam, task, then the rest; teachers where they belong; keys are required keywords."""
    seen = 0
    for name in set(FUNCTIONS) - OTHERWISE:
        parameters = inspect.signature(thing(name), eval_str=True).parameters.values()
        here = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
        ranks = [rank(argument) for argument in here if argument not in FREE]
        if {"lam", "task"} & set(here):
            behind = ranks[: ranks.index(2) + 1] if 2 in ranks else ranks
            assert behind == sorted(behind), f"{name}({', '.join(here)})"
        keys = [p for p in parameters if p.name == "key" and p.annotation is jax.Array]
        assert all(p.kind is p.KEYWORD_ONLY and p.default is p.empty for p in keys), name
        seen += len(keys)
    assert seen >= 15
