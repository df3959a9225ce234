"""The stored results of the chapters: ``python -m slrbook.results results`` computes them all.

Several processes share the work, and Ctrl-C stops them; existing results are kept, and the same
command resumes an interrupted run.
"""

import argparse
import os
import signal
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import active_children, get_context
from pathlib import Path

import jax
from tqdm import tqdm

from slrlib.experiments.base import Experiment
from slrlib.experiments.catalogue import ALL, STORED
from slrlib.language import extra


def make(
    experiments: Sequence[Experiment],
    folder: str | Path,
    processes: int = 2,
) -> int:
    """Compute every result that is not yet in ``folder``; return their number.

    If one fails, its error is raised after the others have ended.
    """
    missing = [e for e in experiments if e.read(folder, whole=True) is None]
    with (
        ProcessPoolExecutor(processes, get_context("spawn"), initializer=begin) as pool,
        tqdm(total=len(missing), unit="result", disable=not missing, leave=False) as bar,
    ):
        try:
            for done in as_completed([pool.submit(work, e, folder) for e in missing]):
                bar.set_description(done.result())
                bar.update()
        except KeyboardInterrupt:
            for child in active_children():  # else the pool would finish all jobs first
                child.kill()
            raise
    return len(missing)


def begin() -> None:
    """Set up a process, before JAX reads its settings at the first computation.

    Ctrl-C ends the process at once, because files are written atomically.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    given = os.environ.get("XLA_FLAGS", "")  # keep the instruction set that is asked for
    os.environ["XLA_FLAGS"] = f"{given} --xla_cpu_multi_thread_eigen=false".strip()
    jax.config.update("jax_enable_x64", True)  # as in the chapters
    jax.config.update("jax_platforms", "cpu")


def work(experiment: Experiment, folder: str | Path) -> str:
    """Run one experiment and return its name."""
    experiment.run(folder)
    return experiment.name


def main() -> int:
    """Run ``python -m slrbook.results`` and return its exit status."""
    command = argparse.ArgumentParser(description="Compute the stored results of the chapters.")
    command.add_argument("folder", nargs="?", default="results")
    command.add_argument("names", nargs="*", default=STORED, help="only these results")
    command.add_argument("--processes", type=int, default=2)
    given = command.parse_args()
    begun = time.perf_counter()
    try:
        experiments = [ALL[name] for name in given.names]
        here = [e for e in experiments if extra.available() or not e.needs_model]
        count = make(here, given.folder, given.processes)
    except KeyboardInterrupt:
        print("\nstopped; the same command resumes the computation", file=sys.stderr)
        return 130
    except (ValueError, OSError) as wrong:
        print(wrong, file=sys.stderr)
        return 1
    minutes = (time.perf_counter() - begun) / 60
    print(f"{len(here)} results, {count} of them computed in {minutes:.1f} minutes")
    if here != experiments:
        print(extra.missing(), file=sys.stderr)
    return int(here != experiments)


if __name__ == "__main__":
    sys.exit(main())
