"""What an experiment is: a few numbers that never change, from which its data follow."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any, ClassVar, cast, get_args, get_origin, get_type_hints

import jax
import jax.numpy as jnp
import numpy as np

from slrlib import checks, store
from slrlib.dynamics.run import LOG
from slrlib.dynamics.schedules import Schedule, identity, is_own
from slrlib.experiments.tidy import columns, outline, packed, unpacked, write

Folder = str | Path | None  # None: nothing is kept
FROM_ZERO = ("seed", "first", "layer")  # whole numbers of an experiment that may be zero
cpu_seconds: dict[str, float] = {}  # processor time of each experiment that this process computed


def plain(value: Any, steps: int = 0) -> Any:
    """Return ``value`` as plain JSON; a user's schedule in it is evaluated at ``steps`` steps."""
    if callable(value) and is_own(schedule := cast(Schedule, value)):
        return identity(schedule, steps)
    if is_dataclass(value):
        steps = getattr(value, "steps", steps)
        return {f.name: plain(getattr(value, f.name), steps) for f in fields(value)}
    if isinstance(value, tuple):
        return [plain(x, steps) for x in value]
    return np.asarray(value).tolist() if hasattr(value, "dtype") else value


@dataclass(frozen=True)
class Experiment:
    """A name; each kind adds its numbers, ``result`` (a NamedTuple) and how to ``compute`` it.

    Change one with ``dataclasses.replace(PAPER["fig4a"], repetitions=1000)``.
    """

    name: str

    result: ClassVar[type]
    revision: ClassVar[int] = 1  # raise it when the numbers of a kind change
    needs_model: ClassVar[bool] = False  # the pretrained one of the chapter on language
    takes_minutes: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        """Each kind of result can write itself as a table, and has a short form."""
        super().__init_subclass__()
        if kind := cast(Any, vars(cls).get("result")):
            kind.to_csv, kind.columns, kind.__repr__ = write, columns, outline

    def compute(self, folder: Folder, progress: bool) -> Any:
        """Compute the result; a long run stores its progress in ``folder``."""
        raise NotImplementedError

    def finding(self, r: Any) -> str:
        """What the result ``r`` shows, in a line or a small table."""
        raise NotImplementedError

    #: ``draw(r, pictures, **words)`` makes the picture of the result ``r`` with the functions of
    #: ``pictures``, the module ``slrbook.picture``; ``words`` are its caption and alternative text.
    draw: ClassVar[Callable[..., Any] | None] = None

    def run(self, folder: Folder = None, progress: bool = False) -> Any:
        """Return the result; with a ``folder``, read it from there, or compute and store it.

        A result of another revision is read with a warning.
        """
        self.validate(folder)
        if there := self.read(folder, whole=True):
            if there[1]["float"] in ("float64", precision()):
                if outdated := self.outdated(there[1]):
                    LOG.warning("%s was %s", self.file(folder or ""), outdated)
                return unpacked(self.result, there[0])
        if folder is not None:
            store.make_folder(folder)
        begin = time.process_time() - self.unfinished(folder)[1].get("seconds", 0.0)
        arrays = packed(self.compute(folder, progress))
        cpu_seconds[self.name] = time.process_time() - begin
        self.keep(folder, arrays, 1, 1, cpu_seconds[self.name])
        return unpacked(self.result, arrays)

    def validate(self, folder: Folder) -> None:
        """Refuse a wrong task, whole number, list or folder before anything is computed."""
        given = vars(self)
        for name, kind in get_type_hints(type(self)).items():
            of = get_args(kind)[0] if get_origin(kind) is tuple else None
            if of in (int, float, str):
                checks.nonempty(name, given[name])
            if kind is int:
                checks.count(name, given[name], at_least=name not in FROM_ZERO)
        if "task" in given:
            checks.task(given["task"])
        if not isinstance(folder, str | Path | None):
            raise ValueError(f"folder must be a path or None, got {checks.shown(folder)}")

    def described(self) -> dict:
        """Return the kind of experiment and its parameters, without the name, as plain JSON."""
        numbers = plain(self)
        del numbers["name"]
        return {"kind": type(self).__name__, **numbers}

    def fingerprint(self) -> str:
        """Return eight hexadecimal digits that depend on all parameters."""
        text = json.dumps(self.described(), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:8]

    def file(self, folder: str | Path) -> Path:
        """Return the path of the result in ``folder``, which depends on all parameters."""
        return Path(folder) / f"{self.name}-{self.fingerprint()}.npz"

    def outdated(self, header: dict) -> str:
        """Describe a result of another revision in words; empty if it is the current one."""
        its = header.get("revision", 1)
        if its == self.revision:
            return ""
        return (
            f"computed with revision {its} of this experiment; the current revision is "
            f"{self.revision}: recompute with --afresh"
        )

    def read(self, folder: Folder, whole: bool) -> tuple[dict, dict] | None:
        """Read (arrays, header) of the ``whole`` result in ``folder``, or of an unfinished run.

        A run that another revision left unfinished cannot go on, so it is not read.
        """
        if folder is None or not os.path.exists(self.file(folder)):
            return None
        try:
            arrays, header = store.load(self.file(folder))
        except store.CorruptFile:
            raise store.CorruptFile(
                f"corrupt file {self.file(folder)}: delete it and run the experiment again"
            ) from None
        its_own = header.get("experiment") == self.described() and "float" in header
        its_own = its_own and (whole or not self.outdated(header))
        ready = header.get("chunks", 0) == header.get("of")
        return (arrays, header) if its_own and ready == whole else None

    def unfinished(self, folder: Folder) -> tuple[dict, dict]:
        """Read (arrays, header) of a stopped run in ``folder``; empty if none can go on."""
        arrays, header = self.read(folder, whole=False) or ({}, {})
        return (arrays, header) if header.get("float") == precision() else ({}, {})

    def keep(self, folder: Folder, arrays: dict, chunks: int, of: int, seconds: float) -> None:
        """Write what ``chunks`` of ``of`` parts of a run gave, in so many ``seconds`` of processor
        time; nothing without a folder.

        Of several processes that compute together, the first one writes.
        """
        if folder is not None and jax.process_index() == 0:
            header = {"experiment": self.described(), "float": precision(), "seconds": seconds}
            header["revision"] = self.revision
            store.save(self.file(folder), arrays, {**header, "chunks": chunks, "of": of})


def precision() -> str:
    """The floating type that JAX computes with."""
    return str(jnp.result_type(float))
