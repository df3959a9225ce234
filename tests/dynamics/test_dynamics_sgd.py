"""The five-number chain compared in distribution with SGD on vectors; its samples; resuming."""

import jax
import jax.extend.random
import jax.numpy as jnp
import numpy as np
import pytest
from chance import assert_mean
from equal import same
from scipy import stats
from vectors import sgd_vector_step

from slrlib import Overlaps, Task, Teacher
from slrlib.dynamics import advance, constant, inverse_decay, pgd_step, sgd, start
from slrlib.dynamics.chain import Stream, chi_squares, normals_from, random_words, threefry
from slrlib.dynamics.run import _parts, start_sgd
from slrlib.overlaps import from_frame, is_feasible, overlaps_of, random_overlaps, to_frame

WORDS = np.array([3, 77], np.uint32)
SCHEDULE = inverse_decay(2.0, 1e-4)
TASK = Task(80, 10)
START = Overlaps(0.3, 0.4, -0.2, 0.25, 0.35)
LIKE = {"L": 10, "batch": 5, "steps": 20, "runs": 2000}  # one program of the chain for both
SMALL = {"d": 6, "alpha": 0.05, **LIKE}  # the smallest d
LARGER = {"d": 20, "alpha": 0.03, **LIKE}


def ends_of_vectors(d, alpha, L, batch, steps, runs):
    """The overlaps after ``steps`` steps in R^d, for many runs from one start."""
    task, axes, frame = Task(d, L), np.eye(d), to_frame(START)
    teacher, k, v = Teacher(*axes[:2]), frame.k @ axes[:3], frame.v @ axes[:4]

    def one(key):
        def step(pair, t):
            key_t = jax.random.fold_in(key, t)
            lam = SCHEDULE(t)
            return sgd_vector_step(*pair, teacher, lam, task, alpha, batch, key=key_t), None

        return overlaps_of(*jax.lax.scan(step, (k, v), jnp.arange(steps))[0], teacher)

    return jax.jit(jax.vmap(one))(jax.random.split(jax.random.key(3), runs))


def ends_of_chain(d, alpha, L, batch, steps, runs):
    many = Overlaps(*(np.full(runs, x) for x in START))
    run = sgd(many, Task(d, L), SCHEDULE, alpha, batch, steps, steps, key=jax.random.key(4))
    return Overlaps(*(x[-1] for x in run.overlaps))


def p_values(one, other):
    return np.array([stats.ks_2samp(a, b).pvalue for a, b in zip(one, other, strict=True)])


@pytest.mark.optimized
def test_the_chain_has_the_law_of_the_vectors_in_twenty_dimensions():
    for given in (SMALL, LARGER):  # six is the smallest dimension
        assert p_values(ends_of_vectors(**given), ends_of_chain(**given)).min() > 1e-3


def test_the_generator_is_the_one_of_jax():
    x = jnp.arange(7, dtype=jnp.uint32)
    ours = jnp.concatenate(threefry(WORDS, x, x + 1000))
    theirs = jax.extend.random.threefry_2x32(WORDS, jnp.concatenate([x, x + 1000]))
    assert np.array_equal(ours, theirs)


def test_the_normal_numbers_are_normal_and_independent():
    draw = jax.jit(
        lambda step: normals_from(*random_words(Stream(WORDS, 0, 500), step, 0, (1000, 500)))
    )
    drawn = [draw(step) for step in (5, 6)]
    assert drawn[0][0].dtype == jnp.float32
    pair = np.array(drawn[0], np.float64)
    for numbers in pair:
        assert stats.kstest(numbers.ravel(), "norm").pvalue > 1e-3
        for power, mean, spread in ((2, 1, 2**0.5), (4, 3, 96**0.5)):
            z = (np.mean(numbers**power) - mean) / (spread / numbers.size**0.5)
            assert abs(z) < 4
    flat = pair.reshape(2, -1)
    neighbors = [(flat[0], flat[1]), (flat[0, 1:], flat[0, :-1]), (flat[1, 500:], flat[1, :-500])]
    neighbors += [(flat[0] ** 2, flat[1] ** 2)]
    neighbors += [(flat[0], np.array(drawn[1][0], np.float64).ravel())]
    for a, b in neighbors:
        assert abs(np.corrcoef(a, b)[0, 1]) * a.size**0.5 < 4


@jax.jit
def drawn_chi_squares(freedom):
    return chi_squares(Stream(WORDS, 0, freedom[0].size), 0, 0, freedom)


@pytest.mark.parametrize("freedom", [1, 2, 15, 1e9])
def test_the_chi_squares_are_chi_squares(freedom):
    drawn = np.array(drawn_chi_squares(np.full((2, 100_000), float(freedom))))
    for one in drawn:
        assert stats.kstest(one, stats.chi2(freedom).cdf).pvalue > 1e-3
    assert abs(np.corrcoef(drawn)[0, 1]) * 100_000**0.5 < 4


def test_a_large_batch_of_small_steps_is_gradient_descent():
    """The mean change in one step is that of PGD, to first order in alpha."""
    task, lam, alpha = Task(50, 4), 0.4, 1e-6
    many = Overlaps(*(np.full(200_000, x) for x in START))
    rows = sgd(many, task, constant(lam), alpha, 4, 1, 1, key=jax.random.key(0))
    moved = Overlaps(*(x[-1] for x in rows.overlaps))
    wanted = from_frame(pgd_step(to_frame(START), lam, task, alpha))
    for found, want, old in zip(moved, wanted, START, strict=True):
        move = np.asarray(found) - old
        assert_mean(move, want - old)
        assert move.std() > 0


def whole_run(batch, seed=1, steps=200, rows=20):
    """A run of 30 repetitions; tests that use the same shape share its compiled program."""
    given = random_overlaps(jax.random.key(0), 80, (30,)), TASK, SCHEDULE, 1e-3
    run = start(*given) if batch is None else start_sgd(*given, batch, key=jax.random.key(seed))
    return run, advance(run, steps, steps // rows)[1]


@pytest.mark.parametrize("batch", [None, 5])
def test_chunks_give_the_same_bits_as_one_run(batch):
    run, whole = whole_run(batch)
    parts = []
    for _ in range(4):
        leaves, tree = jax.tree.flatten(run)  # the stored state of an interrupted run
        run = jax.tree.unflatten(tree, [jnp.asarray(np.asarray(x)) for x in leaves])
        run, rows = advance(run, 50, 10)
        parts.append(rows)
    joined = jax.tree.map(lambda *x: np.concatenate(x), *parts)
    assert same(whole, joined)
    assert list(joined.step) == list(range(10, 201, 10))


@pytest.mark.parametrize("batch", [None, 5])
def test_runs_in_parallel_are_those_of_one_part_and_of_any_number_of_threads(batch, monkeypatch):
    run, whole = whole_run(batch, steps=40, rows=2)
    assert len(_parts(run)) == 2
    monkeypatch.setattr("slrlib.store.cores", lambda: 1)
    run, again = whole_run(batch, steps=40, rows=2)
    end, later = advance(advance(run, 20, 20)[0], 20, 20)
    assert end.pair.kappa.shape == (30,) and later.step == whole.step[-1:]
    monkeypatch.setattr("slrlib.dynamics.run.FEWEST", 31)
    assert len(_parts(run)) == 1
    _, one_part = whole_run(batch, steps=40, rows=2)
    for i, x in enumerate(whole.overlaps):
        assert np.array_equal(x, again.overlaps[i]) and np.array_equal(x[1:], later.overlaps[i])
        np.testing.assert_allclose(x, one_part.overlaps[i], atol=1e-6 if batch else 1e-12)


@pytest.mark.parametrize("batch", [None, 5])
@pytest.mark.parametrize("shape, count", [((4, 15), 4), ((31,), 1), ((3, 20), 1), ((0,), 1)])
def test_runs_of_any_shape_are_divided_if_they_can_be(shape, count, batch):
    o = random_overlaps(jax.random.key(0), 80, shape)
    run = start_sgd(o, TASK, SCHEDULE, 1e-3, batch, key=jax.random.key(1))
    assert len(_parts(run)) == count
    end, rows = advance(run, 4, 2)
    assert end.pair.kappa.shape == shape and rows.excess_risk.shape == (2, *shape)


@pytest.mark.parametrize("batch", [None, 5])
def test_each_run_may_have_its_own_lam(batch):
    """A schedule may hold an array, and a function may return one."""
    o, lam = random_overlaps(jax.random.key(0), 80, (2, 16)), np.linspace(0.1, 0.4, 16)
    lam = np.stack([lam, np.full(16, 0.2)])

    def risks(schedule):
        run = start_sgd(o, TASK, schedule, 1e-3, batch, key=jax.random.key(1))
        return advance(run, 4, 2)[1].excess_risk

    with jax.numpy_rank_promotion("allow"):
        held, function = risks(constant(lam)), risks(lambda t: jnp.asarray(lam))
    np.testing.assert_allclose(held, function, rtol=1e-6)
    np.testing.assert_allclose(held[:, 1], risks(constant(0.2))[:, 1], rtol=1e-6)


def test_a_run_can_be_advanced_while_something_else_is_traced():
    run, rows = whole_run(None, steps=40, rows=2)
    traced = jax.jit(lambda: advance(run, 40, 20)[1].excess_risk)()
    np.testing.assert_allclose(traced, rows.excess_risk, rtol=1e-9)


def test_the_key_decides():
    one, same, other = (whole_run(5, seed)[1].overlaps.nu for seed in (0, 0, 1))
    assert np.array_equal(one, same) and np.all(one != other)
    assert len(np.unique(one[-1])) == 30  # the runs of a batch use different samples


@pytest.mark.parametrize("d, L, batch", [(6, 1, 1), (1e9, 10, 5)])
def test_sizes_at_the_edge_stay_feasible(d, L, batch):
    o, task = random_overlaps(jax.random.key(0), d, (7,)), Task(d, L)
    run = sgd(o, task, constant(0.5), 5e-3, batch, 300, 100, key=jax.random.key(1))
    assert np.all(np.isfinite(run.excess_risk))
    assert np.all(is_feasible(run.overlaps, tolerance=1e-14))
    assert np.all(run.overlaps.nu[-1] != run.overlaps.nu[0])


@pytest.mark.either_precision
def test_a_run_keeps_the_precision_of_its_start():
    o = Overlaps(*(x.astype(jnp.float32) for x in random_overlaps(jax.random.key(0), 80, (4,))))
    run = sgd(o, Task(80, 10), constant(0.3), 1e-3, 5, 40, 20, key=jax.random.key(1))
    assert {x.dtype for x in (*run.overlaps, run.excess_risk)} == {jnp.dtype("float32")}
    assert run.excess_risk.shape == (3, 4)
    assert np.all(np.isfinite(run.excess_risk)) and np.all(is_feasible(run.overlaps))
