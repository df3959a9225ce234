"""Training the Transformer layer at the paper's sizes: the fast layer against the plain one.

Both take the same SGD steps on 20 runs, each run with its own draws, made by the same generator
with the same setting. The plain side is the full layer, all rows of all runs together by ``vmap``.
Times are processor seconds on one processor, where the system lets a process choose, measured in
turns: two threads that share a core each take longer, which would say more about the machine than
about the layers. Nothing is asserted: times depend on what else the machine does (the load is
printed).
"""

import os
import time
from functools import partial
from statistics import median

import jax
import jax.numpy as jnp

from slrlib import Task
from slrlib.transformer import advance_training, predict, start_training
from slrlib.transformer.layer import draw, layer_norm, single_precision

# JAX reads both when it first computes.
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
TASK, RUNS, BATCH, RATE = Task(80, 10), 20, 128, 0.01
TURNS, FAST_STEPS, PLAIN_STEPS = 5, 50, 5
SIZES = {"one head": {}, "two heads, two locations": {"heads": 2, "locations": 2}}


def processor_seconds(call) -> float:
    begin = time.process_time()
    jax.block_until_ready(call())
    return time.process_time() - begin


def plain_risk(layer, register, X, y):
    return jnp.mean((predict(layer, register, X) - y) ** 2)


@partial(jax.jit, static_argnames="steps")
def plain(state, steps):
    """SGD of the full layer, as one would write it first."""

    def one(t, layer, register, teachers, key):
        key_draw, key_label = jax.random.split(jax.random.fold_in(key, t))
        X, y = draw(TASK, teachers, BATCH, False, key_draw)
        y = y + TASK.noise * jax.random.normal(key_label, y.shape)
        slopes = jax.grad(plain_risk)(layer, register, X, y)
        return jax.tree.map(lambda w, slope: w - RATE * slope, layer, slopes)

    def step(t, layer):
        each = jax.vmap(partial(one, t))
        return each(layer, state.register, state.teachers, state.keys)

    return jax.lax.fori_loop(0, steps, step, state.layer)


@partial(jax.jit, static_argnames=("steps", "part"))
def pieces(state, steps, part):
    """The draws of the steps alone, normalized too, or the arithmetic of the layer alone."""

    def one(run):
        teachers, key = run

        def body(t, total):
            key_t = jax.random.fold_in(key, t)
            if part == "random numbers":
                drawn = jax.random.normal(key_t, (BATCH, int(TASK.L), int(TASK.d)))
            else:
                drawn = layer_norm(draw(TASK, teachers, BATCH, False, key_t)[0])
            return total + jnp.max(drawn)

        return jax.lax.fori_loop(0, steps, body, jnp.zeros(()))

    return jax.lax.map(one, (state.teachers, state.keys))


def measured(calls):
    """Median over turns of the processor milliseconds a step of all runs, compiled before."""
    for call, _ in calls.values():
        jax.block_until_ready(call())
    times = {name: [] for name in calls}
    for _ in range(TURNS):
        for name, (call, steps) in calls.items():
            times[name].append(processor_seconds(call) / steps * 1e3)
    return {name: median(each) for name, each in times.items()}


def report(title, sizes):
    state = start_training(
        TASK, RUNS, test_points=1, batch=BATCH, learning_rate=RATE, key=jax.random.key(0), **sizes
    )
    with single_precision():
        found = measured(
            {
                "plain": (lambda: plain(state, PLAIN_STEPS), PLAIN_STEPS),
                "fast": (lambda: advance_training(state, FAST_STEPS, FAST_STEPS), FAST_STEPS),
                "numbers": (lambda: pieces(state, FAST_STEPS, "random numbers"), FAST_STEPS),
                "tokens": (lambda: pieces(state, FAST_STEPS, "tokens"), FAST_STEPS),
            }
        )
    fast, numbers, tokens = found["fast"], found["numbers"], found["tokens"]
    print(f"{title}: a step of {RUNS} runs")
    print(f"  plain layer {found['plain']:.0f} ms, fast layer {fast:.1f} ms of processor time")
    print(f"  ratio {found['plain'] / fast:.1f}")
    print(
        f"  the fast step: {numbers:.1f} ms random numbers, {tokens - numbers:.1f} ms tokens and"
        f" their layer norm, {fast - tokens:.1f} ms prediction, gradient and update",
        flush=True,
    )


if __name__ == "__main__":
    print(f"{os.cpu_count()} processors, load average {os.getloadavg()[0]:.1f}")
    for title, sizes in SIZES.items():
        report(title, sizes)
