"""The five optimization experiments in five numbers, against loops over vectors: ratios of one run.

The other side is a loop in Python with one compiled float32 step in R^d a turn, one after the other
for each repetition; as in the authors' code, SGD takes its turn's key from an array of keys. Slices
of its steps are measured just before and just after each experiment; their median, without the
compilation, is scaled up, and their spread is printed. Nothing is asserted: times depend on the
machine and on what else it does (the load is printed).

XLA compiles both sides as it compiles the chapters of the book, unless XLA_FLAGS is set.
"""

import os
import sys
import time
from pathlib import Path

from slrbook.processor import FAST_XLA_FLAGS

os.environ.setdefault("XLA_FLAGS", FAST_XLA_FLAGS)  # read when JAX starts its backend

import jax
import jax.numpy as jnp
import numpy as np
from jax.scipy.special import erf

from slrlib import Task
from slrlib.dynamics import advance, constant, inverse_decay, pgd, sgd, start
from slrlib.dynamics.run import start_sgd
from slrlib.overlaps import random_overlaps
from slrlib.sphere import uniform
from slrlib.task import Teacher, random_teacher

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "helpers"))
from vectors import pgd_vector_step, sgd_vector_step

jax.config.update("jax_enable_x64", True)
REPEATS, SLICE, SLICES = 30, 1000, 8
PROCESSORS = os.cpu_count() or 1
EXPERIMENTS = {  # d, schedule, alpha, steps, rows, batch of SGD
    "Figure 4a": (400, inverse_decay(1.0, 1e-4), 4e-3, 120_000, 400, None),
    "Figure 4b": (400, constant(0.1), 4e-3, 20_000, 400, None),
    "Figure 5": (80, inverse_decay(2.0, 1e-4), 1e-3, 200_000, 400, 5),
    "Figure 7a": (400, constant(0.9), 1e-3, 120_000, 400, None),
    "Figure 7b": (400, constant(0.1), 4e-3, 20_000, 400, None),
}
KEY = jax.random.key(0)


def clock(call) -> float:
    begin = time.perf_counter()
    jax.block_until_ready(call())
    return time.perf_counter() - begin


def five_numbers(name, d, schedule, alpha, steps, rows, batch):
    task = Task(d, 10)
    starts = random_overlaps(KEY, d, (REPEATS,), on_manifold=name == "Figure 4b")
    if batch is None:
        return pgd(starts, task, schedule, alpha, steps, steps // rows)
    return sgd(starts, task, schedule, alpha, batch, steps, steps // rows, key=KEY)


def vector_loop(d, schedule, alpha, steps, rows, batch, keys_inside=False):
    """A call that measures a slice of the loop over vectors: seconds of one step in R^d."""

    def single(x):
        return jax.tree.map(lambda leaf: jnp.asarray(leaf, jnp.float32), tuple(x))

    teacher = single(random_teacher(d, key=jax.random.fold_in(KEY, 1)))
    pair = single(uniform(d, (2,), key=jax.random.fold_in(KEY, 2)))
    lams = [schedule(t) for t in range(SLICE)]
    keys = jax.random.split(KEY, SLICE)
    with jax.enable_x64(False):
        task, teacher = Task(d, 10), Teacher(*teacher)

    @jax.jit
    def step(pair, lam, key):
        if batch is None:
            return pgd_vector_step(*pair, teacher, lam, task, alpha)
        key = jax.random.fold_in(KEY, key) if keys_inside else key
        return sgd_vector_step(*pair, teacher, lam, task, alpha, batch, key=key)

    def some(pair):
        for t, lam in enumerate(lams):
            pair = step(pair, lam, t if batch is None or keys_inside else keys[t])
        return pair

    def measured() -> float:
        with jax.enable_x64(False):
            return clock(lambda: some(pair)) / SLICE

    measured()  # the first call compiles
    return measured


def experiments():
    loops = {name: vector_loop(*setting) for name, setting in EXPERIMENTS.items()}
    ours, theirs = 0.0, np.zeros(3)
    for name, setting in EXPERIMENTS.items():
        slices = [loops[name]() for _ in range(SLICES)]
        seconds = clock(lambda name=name, setting=setting: five_numbers(name, *setting))
        slices += [loops[name]() for _ in range(SLICES)]
        vectors = np.quantile(slices, [0.5, 0.0, 1.0]) * setting[3] * REPEATS
        ours, theirs = ours + seconds, theirs + vectors
        print(
            f"{name}: {seconds:.2f} s in five numbers, compilation included;"
            f" vectors {vectors[0]:.0f} s ({vectors[1]:.0f} to {vectors[2]:.0f}),"
            f" {vectors[0] / seconds:.0f} times as long",
            flush=True,
        )
    print(
        f"all five: {ours:.2f} s against {theirs[0]:.0f} s, ratio {theirs[0] / ours:.0f}"
        f" (with the fastest slices {theirs[1] / ours:.0f}, the slowest {theirs[2] / ours:.0f})",
        flush=True,
    )
    setting = EXPERIMENTS["Figure 5"]
    inside = vector_loop(*setting, keys_inside=True)
    slices = [(loops["Figure 5"](), inside()) for _ in range(SLICES)]
    saved = np.subtract(*np.median(slices, axis=0)) * setting[3] * REPEATS
    print(f"were the keys made inside the step: ratio {(theirs[0] - saved) / ours:.0f}", flush=True)


def per_step(runs, d=400, batch=None, steps=2000):
    """Nanoseconds of one step of one run out of ``runs``, compiled before, the best of five."""
    starts = random_overlaps(KEY, d, (runs,))
    given = starts, Task(d, 10), inverse_decay(1.0, 1e-4), 1e-3
    run = start(*given) if batch is None else start_sgd(*given, batch, key=KEY)
    jax.block_until_ready(advance(run, steps, steps))
    return min(clock(lambda: advance(run, steps, steps)) for _ in range(5)) / steps / runs * 1e9


def parts(count=4000, loops=300):
    """Nanoseconds a number for the pieces that a step is made of."""
    wide = jnp.linspace(0.01, 2.0, count)
    pieces = {
        "multiply-add": lambda x: x * 1.01 + 0.01,
        "square root": jnp.sqrt,
        "exp": jnp.exp,
        "erf": erf,
    }
    for name, f in pieces.items():

        @jax.jit
        def run(x, f=f):
            return jax.lax.fori_loop(0, loops, lambda _, y: f(0.5 * x + 1e-3 * y), x)

        jax.block_until_ready(run(wide))
        best = min(clock(lambda run=run: run(wide)) for _ in range(5))
        print(f"  {name}: {best / loops / count * 1e9:.2f} ns", flush=True)


if __name__ == "__main__":
    print(f"{PROCESSORS} processors, load average {os.getloadavg()[0]:.1f}")
    experiments()
    for runs in (30, 4096):
        print(f"a PGD step, {runs} runs together: {per_step(runs):.0f} ns a run", flush=True)
    print("  made of 2 erf, 1 erfc, 3 exp, one 32-node sum of exp for zeta, and arithmetic")
    for runs in (30, 600):
        nanoseconds = per_step(runs, d=80, batch=5, steps=500)
        print(f"an SGD step (batch 5, L 10), {runs} runs: {nanoseconds / 1e3:.2f} microseconds")
    print("  made of 130 normal numbers, 45 erf, 45 exp and 495 products in float32,")
    print("  2 chi-squares, 5 erf, 5 exp and the step in float64")
    for batch, runs in ((None, 1000), (5, 100)):
        small, huge = (per_step(runs, d=d, batch=batch, steps=500) for d in (80, 1e9))
        print(f"{'SGD' if batch else 'PGD'} at d = 1e9 over d = 80: {huge / small:.2f}")
    parts()
