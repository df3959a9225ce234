"""What five numbers cost beside vectors of dimension d: ratios of times, in one run.

Nothing is asserted: times depend on the machine and on what else it does (the load is printed).
"""

import os
import time
from functools import partial

import jax
import jax.numpy as jnp

from slrlib import Overlaps, Task
from slrlib.dynamics import manifold_step
from slrlib.overlaps import overlaps_of, vectors_of
from slrlib.predictors import erf_attention
from slrlib.risk import excess_risk
from slrlib.sphere import retract, tangent
from slrlib.task import random_teacher, sample

jax.config.update("jax_enable_x64", True)
LAM, ALPHA, STEPS, BATCH = 0.05, 0.001, 1000, 2000  # so small a step keeps both d on M
START = Overlaps(0.3, 0.3, 0.0, 0.0, 0.0)  # on M


def seconds(call, repeats=5) -> float:
    """The median time of ``call`` once it is compiled."""
    jax.block_until_ready(call())
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        jax.block_until_ready(call())
        times.append(time.perf_counter() - start)
    return sorted(times)[repeats // 2]


def squared_errors(task, teacher, k, v, key):
    """Risk of each of ``BATCH`` drawn samples, less the noise that no predictor avoids."""
    drawn = sample(task, teacher, BATCH, key=key)
    return (drawn.y - erf_attention(drawn.X, k, v, LAM)) ** 2 - task.noise**2


def risk_of_vectors(pair, teacher, task):
    return excess_risk(overlaps_of(*pair, teacher), LAM, task)


@partial(jax.jit, static_argnames="task")
def descend_vectors(pair, teacher, task):
    """Projected gradient descent in R^d, by automatic differentiation with respect to vectors."""

    def step(pair, _):
        slopes = jax.grad(risk_of_vectors)(pair, teacher, task)
        return tuple(
            retract(point, -ALPHA * tangent(point, slope))
            for point, slope in zip(pair, slopes, strict=True)
        ), None

    return jax.lax.scan(step, pair, None, length=STEPS)[0]


@partial(jax.jit, static_argnames="task")
def descend_overlaps(kappa, nu, task):
    def step(state, _):
        return manifold_step(*state, LAM, task, ALPHA), None

    return jax.lax.scan(step, (kappa, nu), None, length=STEPS)[0]


def report(d):
    task = Task(d=d, L=10)
    key = jax.random.key(0)
    teacher = random_teacher(d, key=jax.random.fold_in(key, 1))
    k, v = vectors_of(START, teacher, key=jax.random.fold_in(key, 2))
    o = overlaps_of(k, v, teacher)

    exact = jax.jit(jax.value_and_grad(partial(excess_risk, lam=LAM, task=task)))
    drawn = jax.jit(partial(squared_errors, task))
    closed_time = seconds(lambda: exact(o))
    batch_time = seconds(lambda: drawn(teacher, k, v, key))
    errors = drawn(teacher, k, v, key)
    value = float(exact(o)[0])
    print(f"d = {d}")
    print(f"  value and gradient from five numbers: {1e6 * closed_time:.0f} microseconds")
    for accuracy in (1e-2, 1e-4):
        batches = float(jnp.var(errors)) / (accuracy * value) ** 2 / BATCH
        print(
            f"  the value alone by Monte Carlo, standard error {accuracy:.0e} of it: "
            f"{batches * batch_time / closed_time:.3g} times as long"
        )
    five = seconds(lambda: descend_overlaps(o.kappa, o.nu, task))
    plain = seconds(lambda: descend_vectors((k, v), teacher, task))
    kappa, nu = descend_overlaps(o.kappa, o.nu, task)
    reached = overlaps_of(*descend_vectors((k, v), teacher, task), teacher)
    gap = max(abs(float(reached.kappa - kappa)), abs(float(reached.nu - nu)))
    print(
        f"  {STEPS} steps of descent: {1e6 * five:.0f} microseconds from overlaps; "
        f"from vectors {plain / five:.1f} times as long (the two differ by {gap:.0e})"
    )


if __name__ == "__main__":
    print(f"{os.cpu_count()} processors, load average {os.getloadavg()[0]:.1f}")
    for d in (400, 4000):
        report(d)
