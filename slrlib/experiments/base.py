"""The base class of experiments: fixed parameters that determine a result."""

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

Folder = str | Path | None  # None: nothing is stored
FROM_ZERO = ("seed", "first", "layer")  # integer parameters of experiments that may be zero
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
    """The base class of an experiment.

    Each subclass adds its parameters, the type of its ``result`` (a NamedTuple) and the method
    ``compute``. Change a parameter with ``dataclasses.replace(PAPER["fig4a"], repetitions=1000)``.
    """

    name: str

    result: ClassVar[type]
    revision: ClassVar[int] = 1  # increase it when the results of a class change
    needs_model: ClassVar[bool] = False  # the pretrained model of the chapter on language
    takes_minutes: ClassVar[bool] = False

    def __init_subclass__(cls) -> None:
        """Add ``to_csv``, ``columns`` and a short ``__repr__`` to the type of the result."""
        super().__init_subclass__()
        if kind := cast(Any, vars(cls).get("result")):
            kind.to_csv, kind.columns, kind.__repr__ = write, columns, outline

    def compute(self, folder: Folder, progress: bool) -> Any:
        """Compute the result; a long run stores its progress in ``folder``."""
        raise NotImplementedError

    def finding(self, r: Any) -> str:
        """Describe what the result ``r`` shows, in one line or a small table."""
        raise NotImplementedError

    #: ``draw(r, pictures, **words)`` makes the picture of the result ``r`` with the functions of
    #: ``pictures``, the module ``slrbook.picture``; ``words`` are its caption and alternative text.
    draw: ClassVar[Callable[..., Any] | None] = None

    def run(self, folder: Folder = None, progress: bool = False) -> Any:
        """Return the result; with a ``folder``, read it from there, or compute and store it.

        Reading a result of another revision logs a warning.
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
        """Check the task, the whole numbers, the lists and the folder before the computation."""
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
        """Describe a result of another revision; return an empty string if it is current."""
        its = header.get("revision", 1)
        if its == self.revision:
            return ""
        return (
            f"computed with revision {its} of this experiment; the current revision is "
            f"{self.revision}: recompute with --afresh"
        )

    def read(self, folder: Folder, whole: bool) -> tuple[dict, dict] | None:
        """Read (arrays, header) of a result in ``folder``: complete if ``whole``, else unfinished.

        An unfinished run of another revision cannot be resumed, so it is not read.
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
        """Read (arrays, header) of a run in ``folder`` to resume; empty if there is none."""
        arrays, header = self.read(folder, whole=False) or ({}, {})
        return (arrays, header) if header.get("float") == precision() else ({}, {})

    def keep(self, folder: Folder, arrays: dict, chunks: int, of: int, seconds: float) -> None:
        """Store the arrays after ``chunks`` of ``of`` parts of a run; do nothing without a folder.

        ``seconds`` is the processor time so far. If several processes compute together, only the
        first one writes.
        """
        if folder is not None and jax.process_index() == 0:
            header = {"experiment": self.described(), "float": precision(), "seconds": seconds}
            header["revision"] = self.revision
            store.save(self.file(folder), arrays, {**header, "chunks": chunks, "of": of})


def precision() -> str:
    """Return the name of the floating-point type that JAX uses."""
    return str(jnp.result_type(float))
