"""The full-scale results of the chapters: ``python -m slrlib.experiments.results`` makes them all.

Two processes share the work; what is there already is left alone, and an interrupted run goes on
where it was stopped. A chapter reads one with ``stored(PAPER["fig8"], "../results")``.
"""

import argparse
import os
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import jax
from tqdm import tqdm

from slrlib.dynamics import held, inverse_decay
from slrlib.experiments import kept
from slrlib.experiments.kinds import LayerTraining
from slrlib.experiments.paper import PAPER, run
from slrlib.experiments.training import parts, run_part

_SLOW = held(inverse_decay(2.0, 1e-4), 25_000)

_HALF_STEP = {"learning_rate": 0.005, "steps": 16_000, "log_every": 500, "early": (2000, 100)}

# The names tell the variants apart. "shared": the informative tokens carry the same noise.
RESULTS = [
    PAPER["fig9"],
    replace(PAPER["fig9"], name="fig9-shared", shared_noise=True),
    replace(PAPER["fig9"], name="fig9-slow", schedule=_SLOW),
    replace(PAPER["fig9"], name="fig9-slow-shared", schedule=_SLOW, shared_noise=True),
    PAPER["fig8"],
    replace(PAPER["fig8"], name="fig8-register", zero="register"),
    replace(PAPER["fig8"], name="fig8-half", **_HALF_STEP),
    PAPER["fig10"],
    replace(PAPER["fig10"], name="fig10-shared", shared_noise=True),
]


def _is_whole(experiment, folder):
    there = kept.find(experiment, folder)
    return there is not None and kept.is_whole(there[1])


def made_on(experiment, folder="results"):
    """On what the stored result of ``experiment`` was computed: see ``store.machine``."""
    return kept.find(experiment, folder)[1]["machine"]


def stored(experiment, folder="results"):
    """The result of ``experiment`` that stands in ``folder``; nothing is computed."""
    if not _is_whole(experiment, folder):
        raise ValueError(
            f"folder must hold the whole result of {experiment.name} with these numbers, "
            f"got no such file in {folder}; `make results` makes it"
        )
    return run(experiment, folder=folder)


def _jobs(experiment, folder):
    """Pieces of work that do not wait for each other."""
    if _is_whole(experiment, folder):
        return []
    if isinstance(experiment, LayerTraining):
        return [(part, str(Path(folder) / "unfinished")) for part in parts(experiment)]
    return [(experiment, str(folder))]


def _work(job):
    experiment, folder = job
    if isinstance(experiment, LayerTraining):
        run_part(experiment, folder, tqdm(disable=True))
    else:
        run(experiment, folder=folder)
    return experiment.name


def _one_core_each():
    """Settings of each process; JAX reads them when it first computes."""
    given = os.environ.get("XLA_FLAGS", "")  # a set of instructions that is asked for stays
    os.environ["XLA_FLAGS"] = f"{given} --xla_cpu_multi_thread_eigen=false".strip()
    jax.config.update("jax_enable_x64", True)  # as in the chapters
    jax.config.update("jax_platforms", "cpu")


def make(experiments, folder, processes=2, progress=True):
    """Every result of ``experiments`` that ``folder`` does not hold yet."""
    jobs = [job for experiment in experiments for job in _jobs(experiment, folder)]
    pool = ProcessPoolExecutor(processes, get_context("spawn"), initializer=_one_core_each)
    with pool, tqdm(total=len(jobs), unit="part", disable=not progress) as bar:
        for done in as_completed([pool.submit(_work, job) for job in jobs]):
            bar.set_description(done.result())
            bar.update()
    for experiment in experiments:
        run(experiment, folder=folder)  # puts the parts together
    return len(jobs)


def main():
    command = argparse.ArgumentParser(description="Make the full-scale results of the chapters.")
    command.add_argument("folder", nargs="?", default="results")
    command.add_argument("--processes", type=int, default=2)
    given = command.parse_args()
    _one_core_each()
    begin = time.perf_counter()
    count = make(RESULTS, given.folder, given.processes)
    size = sum(kept.path_of(e, given.folder).stat().st_size for e in RESULTS) / 1e6
    minutes = (time.perf_counter() - begin) / 60
    print(f"{len(RESULTS)} results, {size:.1f} MB; {count} parts computed in {minutes:.1f} minutes")


if __name__ == "__main__":
    main()
