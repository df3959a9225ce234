"""Runs of descent in chunks: a stopped run resumes from the last chunk."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import jax
import jax.numpy as jnp
import numpy as np
from tqdm import tqdm

from slrlib import checks
from slrlib.experiments.base import Experiment, Folder
from slrlib.experiments.tidy import packed, unpacked

AT_LEAST = 20  # number of chunks, so that little work is lost and progress is visible


def equal_chunks(steps: int, log_every: int) -> list[tuple[int, int]]:
    """Return (steps, log_every) of each chunk: the fewest equal chunks, at least ``AT_LEAST``."""
    steps, every, rows = checks.spaced(steps, log_every, at_least=1)
    count = next(n for n in range(min(AT_LEAST, rows), rows + 1) if rows % n == 0)
    return [(steps // count, every)] * count


def state_of(run: Any) -> dict[str, np.ndarray]:
    """Return the arrays of the state of a run, named by the indices of its leaves."""
    leaves = enumerate(jax.tree.leaves(run))
    return {f"run_{i}": np.asarray(leaf) for i, leaf in leaves if isinstance(leaf, jax.Array)}


def restored(run: Any, state: dict[str, np.ndarray]) -> Any:
    """Return ``run`` with its state replaced by what ``state_of`` returned."""
    leaves, tree = jax.tree.flatten(run)
    new = [
        jnp.asarray(state[f"run_{i}"], leaf.dtype) if isinstance(leaf, jax.Array) else leaf
        for i, leaf in enumerate(leaves)
    ]
    return jax.tree.unflatten(tree, new)


def refuse_what_diverged(experiment: Experiment, rows: Any) -> None:
    """Raise an error if a number in ``rows`` is NaN or infinite; such rows are not stored."""
    arrays = [np.asarray(x) for x in jax.tree.leaves(rows)]
    good = np.all([np.isfinite(x).reshape(len(x), -1).all(1) for x in arrays], axis=0)
    if not good.all():
        name = "learning_rate" if hasattr(experiment, "learning_rate") else "alpha"
        got = getattr(experiment, name, "that of the grid")
        place = f"{rows._fields[0]} {rows[0][np.argmin(good)]}"
        raise ValueError(f"{experiment.name} diverged at {place}: reduce {name}, got {got}")


def in_chunks(
    experiment: Experiment,
    folder: Folder,
    progress: bool,
    advance: Callable[[Any, int, int], tuple[Any, Any]],
    chunks: Sequence[tuple[int, Any]],
    rows_of: type,
    *,
    run: Any = None,
    rows: Any = None,
) -> tuple[Any, Any]:
    """Compute all ``chunks``, each (steps, log_every), and return (run, rows).

    With a ``folder``, the state is stored after each chunk. ``rows``, a NamedTuple of type
    ``rows_of``, are the rows before the first step, if any. ``advance(run, steps, log_every)``
    returns the run after these steps and their rows. A resumed run gives bitwise identical results
    on the same machine.
    """
    arrays, header = experiment.unfinished(folder)
    begin = time.process_time() - header.get("seconds", 0.0)
    done = header.get("chunks", 0)
    if done:
        run, rows = restored(run, arrays), unpacked(rows_of, arrays)
    with tqdm(chunks, experiment.name, initial=done, disable=not progress, leave=False) as bar:
        for i, (steps, every) in enumerate(chunks[done:], start=done + 1):
            run, more = advance(run, steps, every)
            refuse_what_diverged(experiment, more)
            rows = more if rows is None else jax.tree.map(lambda *x: np.concatenate(x), rows, more)
            if i < len(chunks):
                seconds = time.process_time() - begin
                experiment.keep(folder, packed(rows) | state_of(run), i, len(chunks), seconds)
            bar.update()
    return run, rows


class InParts(Experiment):
    """An experiment whose result consists of the rows of its independent ``parts``.

    ``part(*given)`` computes the rows of one part.
    """

    part: ClassVar[Callable[..., Any]]

    def parts(self) -> Sequence[tuple[int, Any]]:
        """Return the arguments of ``part`` for each part: a setting and its first start."""
        raise NotImplementedError

    def compute(self, folder: Folder, progress: bool) -> Any:
        def advance(_, *given):
            return None, self.part(*given)

        return in_chunks(self, folder, progress, advance, self.parts(), self.result)[1]


def parts_of(settings: int, starts: int, together: int) -> list[tuple[int, int]]:
    """Return (setting, first start) of each part of at most ``together`` starts."""
    return [(i, first) for i in range(settings) for first in range(0, starts, together)]
