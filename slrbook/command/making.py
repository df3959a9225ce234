"""Stored results made by several processes at once, which one Ctrl-C stops."""

import argparse
import os
import signal
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
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
    progress: bool = True,
) -> int:
    """Every result that ``folder`` does not hold yet; how many pieces of work they were."""
    missing = [e for e in experiments if e.read(folder, whole=True) is None]
    jobs = [job for e in missing for job in e.pieces(folder)]
    if jobs:
        side_by_side(jobs, processes, progress)
    for experiment in missing:
        experiment.run(folder)  # puts the pieces together
    return len(jobs)


def begin() -> None:
    """What a process does first: Ctrl-C ends it at once, as what is kept on disk is whole."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    one_core_each()


def one_core_each() -> None:
    """Settings of each process; JAX reads them when it first computes."""
    given = os.environ.get("XLA_FLAGS", "")  # a set of instructions that is asked for stays
    os.environ["XLA_FLAGS"] = f"{given} --xla_cpu_multi_thread_eigen=false".strip()
    jax.config.update("jax_enable_x64", True)  # as in the chapters
    jax.config.update("jax_platforms", "cpu")


def work(experiment: Experiment, folder: str | Path) -> str:
    """Run one piece; its name."""
    experiment.run(folder)
    return experiment.name


def side_by_side(jobs: list, processes: int, progress: bool) -> None:
    """``work(*job)`` for all ``jobs``; an error is raised once the others are done."""
    with (
        ProcessPoolExecutor(processes, get_context("spawn"), initializer=begin) as pool,
        tqdm(total=len(jobs), unit="part", disable=not progress, leave=False) as bar,
    ):
        try:
            for done in as_completed([pool.submit(work, *job) for job in jobs]):
                bar.set_description(done.result())
                bar.update()
        except KeyboardInterrupt:
            for child in active_children():  # else the pool would finish all jobs first
                child.kill()
            raise


def main() -> int:
    """The exit status of ``python -m slrbook.results``."""
    command = argparse.ArgumentParser(description="Make the stored results of the chapters.")
    command.add_argument("folder", nargs="?", default="results")
    command.add_argument("names", nargs="*", default=STORED, help="some of them only")
    command.add_argument("--processes", type=int, default=2)
    given = command.parse_args()
    begun = time.perf_counter()
    try:
        experiments = [ALL[name] for name in given.names]
        here = [e for e in experiments if extra.available() or not e.needs_model]
        one_core_each()
        count = make(here, given.folder, given.processes) if here else 0
    except KeyboardInterrupt:
        print("\nstopped; the same command resumes", file=sys.stderr)
        return 130
    except BrokenProcessPool:
        print(
            "a process was killed, often for lack of memory: use --processes 1, or a machine with "
            "more memory; the same command resumes",
            file=sys.stderr,
        )
        return 1
    except (ValueError, OSError) as wrong:
        print(wrong, file=sys.stderr)
        return 1
    minutes = (time.perf_counter() - begun) / 60
    if here:
        size = sum(e.file(given.folder).stat().st_size for e in here) / 1e6
        print(f"{len(here)} results, {size:.1f} MB; {count} parts in {minutes:.1f} minutes")
    if here != experiments:
        print(extra.missing(), file=sys.stderr)
    return int(here != experiments)
