"""The paper's parameters, short versions of its runs, and stopping and resuming."""

from dataclasses import FrozenInstanceError, replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from equal import same
from interrupted import stopped_after

from slrlib import Overlaps, Task, store
from slrlib.dynamics import constant, manifold_step, pgd
from slrlib.experiments import ALL, PAPER, descent, load, run
from slrlib.experiments.catalogue import STORED
from slrlib.experiments.curves import ManifoldFieldResult
from slrlib.experiments.descent import Descent, DescentResult
from slrlib.experiments.registry import locate
from slrlib.landscape import explicit_lam
from slrlib.landscape.states import STATES, state
from slrlib.overlaps import distance_to_manifold, is_feasible
from slrlib.risk import excess_risk, linear_excess_risk, manifold_excess_risk, oracle_excess_risk

PARAMETERS = {  # d, lam at steps 0 and 10,000, alpha, steps, batch, on M
    "fig4a": (400, 1.0, 0.5, 4e-3, 120_000, None, False),
    "fig4b": (400, 0.1, 0.1, 4e-3, 20_000, None, True),
    "fig5": (80, 2.0, 1.0, 1e-3, 200_000, 5, False),
    "fig7a": (400, 0.9, 0.9, 1e-3, 120_000, None, False),
    "fig7b": (400, 0.1, 0.1, 4e-3, 20_000, None, False),
}
OTHERS = "fig1 fig2 fig3 fig6 fig8 fig9 fig10 table1 table2".split()
DESCENTS = [e for e in PAPER.values() if isinstance(e, Descent)]


def short(name, **changes):
    return replace(PAPER[name], **{"steps": 400, "log_every": 20, "repetitions": 4, **changes})


def test_the_parameters_are_the_paper_s():
    assert set(PAPER) == {*OTHERS, *PARAMETERS}
    for e in DESCENTS:
        lam = float(e.schedule(0)), float(e.schedule(10_000))
        got = (e.task.d, *lam, e.alpha, e.steps, e.batch, e.on_manifold)
        assert got == PARAMETERS[e.name]
        assert (e.task.L, e.task.noise, e.repetitions) == (10, 0.1, 30)
        assert e.task.gamma**2 == pytest.approx(0.5)
        assert e.steps % e.log_every == 0
    assert all(name == e.name for name, e in PAPER.items())


def test_the_fingerprint_tells_two_apart():
    with pytest.raises(FrozenInstanceError):
        PAPER["fig4a"].alpha = 1.0
    changes = [{}, {"seed": 1}, {"schedule": constant(0.2)}, {"task": Task(400, 11)}, {"steps": 40}]
    prints = {short("fig4a", **change).fingerprint() for change in changes}
    assert len(prints) == 5
    assert replace(short("fig4a"), name="other").fingerprint() in prints
    assert len({e.fingerprint() for e in ALL.values()}) == len(ALL)
    assert set(STORED) < set(ALL) and all(name == e.name for name, e in ALL.items())


@pytest.mark.parametrize("name", ["fig4b", "fig5", "fig7b"])  # on M, with samples, off M
def test_a_descent_runs_in_short(name):
    e = short(name)
    result = run(e)
    assert isinstance(result, DescentResult)
    assert result.step.tolist() == list(range(0, 401, 20))
    np.testing.assert_allclose(result.lam, [e.schedule(t) for t in result.step], rtol=1e-12)
    for array in (result.excess_risk, result.distance, *result.overlaps):
        assert array.shape == (21, 4) and np.all(np.isfinite(array))
    assert np.all(is_feasible(result.overlaps, 1e-12))
    here = excess_risk(result.overlaps, jnp.asarray(result.lam)[:, None], e.task)
    np.testing.assert_allclose(result.excess_risk, here, rtol=1e-10)
    np.testing.assert_allclose(result.distance, distance_to_manifold(result.overlaps), atol=1e-15)
    np.testing.assert_allclose(result.oracle, oracle_excess_risk(result.lam, e.task), rtol=1e-12)
    assert (np.max(result.distance) < 1e-13) == e.on_manifold
    assert result.ends.shape == (4,)
    assert not same(result, run(replace(e, seed=1)))


def test_starts_of_one_s_own_and_what_a_result_says():
    pair = Overlaps(1.0, np.array([1.0, -1.0, -1.0, -1.0]), 0.0, 0.0, 0.0)
    e = short("fig7b", steps=4, log_every=2, starts=pair)
    result = run(e)
    np.testing.assert_allclose(result.overlaps.nu[0], pair.nu, atol=1e-15)
    there = pgd(pair, e.task, e.schedule, e.alpha, 4, 2)
    assert np.array_equal(result.excess_risk, there.excess_risk)
    last = Overlaps(*(x[-1] for x in result.overlaps))
    assert result.ends.tolist() == [STATES[i] for i in state(last, 0.1, e.task)]
    assert result.ends[0] == "recovered the teacher" and len(set(result.ends)) == 2
    assert e.finding(result).startswith("3 on the plateau (75.0%, ")
    drawn = short("fig5", steps=2, log_every=1, starts=Overlaps(0.1, 0.2, 0.0, 0.0, 0.0))
    assert run(drawn).overlaps.nu[0].tolist() == [0.2] * 4  # SGD's samples differ, not the starts


def test_figure_4b_in_full_ends_at_the_oracle_or_its_sign_pair():
    result = run(PAPER["fig4b"])
    assert np.all(result.ends == "recovered the teacher") and np.max(result.distance) < 1e-13
    assert np.min(np.abs(result.overlaps.nu[-1])) > 0.9999
    assert np.min(np.abs(result.overlaps.kappa[-1])) > 0.97  # kappa converges slowly
    assert np.all(np.diff(result.excess_risk, axis=0) <= 1e-15)
    np.testing.assert_allclose(result.excess_risk[-1], result.oracle[-1], rtol=3e-3)


def test_figure_7b_in_full_has_its_two_outcomes():
    result = run(PAPER["fig7b"])
    assert set(result.ends) == {"recovered the teacher", "swapped"}
    swapped = result.ends == "swapped"
    np.testing.assert_allclose(np.abs(result.overlaps.theta[-1][swapped]), 0.62977, atol=1e-4)
    assert abs(np.sum(swapped) - 15) < 4 * np.sqrt(30) / 2
    assert np.all(result.excess_risk[-1] < 0.12)  # low risk in both cases, as the paper says


def test_stopped_and_taken_up_again_it_gives_the_same_bits(tmp_path):
    e = short("fig5", repetitions=30)  # enough repetitions to be divided among threads
    whole = run(e)
    with stopped_after(7, descent, "followed"), pytest.raises(KeyboardInterrupt):
        run(e, folder=tmp_path)
    (path,) = tmp_path.iterdir()
    assert path.name == f"fig5-{e.fingerprint()}.npz"
    assert store.load(path)[1]["chunks"] == 7
    with stopped_after(100, descent, "followed") as calls:
        assert same(run(e, folder=tmp_path), whole)
        assert len(calls) == 13  # the first seven were not run again
    with stopped_after(0, descent, "followed"):
        assert same(run(e, folder=tmp_path), whole)  # read from the file, not run
    other = replace(e, alpha=2e-3)
    assert not same(run(other, folder=tmp_path), whole)
    assert len(list(tmp_path.iterdir())) == 2


def test_figure_3_compares_theorem_1_with_proposition_3():
    result = run(PAPER["fig3"])
    task = Task(result.d, 10)
    np.testing.assert_allclose(result.oracle, oracle_excess_risk(explicit_lam(task), task))
    np.testing.assert_allclose(result.linear, linear_excess_risk(task))
    assert np.all(result.best < result.oracle) and np.all(np.diff(result.best) < 0)
    assert result.oracle[-1] < result.linear[-1] < result.null == pytest.approx(0.5)


def test_figure_6_is_the_risk_on_m_and_its_descent():
    e = replace(PAPER["fig6"], points=9)
    result = run(e)
    assert isinstance(result, ManifoldFieldResult) and result.flow.shape == (9, 9, 2)
    i, j = 6, 2  # row nu, column kappa
    kappa, nu = result.kappa[j], result.nu[i]
    assert result.excess_risk[i, j] == manifold_excess_risk(kappa, nu, e.lam, e.task)
    slope = jax.grad(manifold_excess_risk, argnums=(0, 1))(kappa, nu, e.lam, e.task)
    wanted = -(1 - kappa**2) * slope[0], -(1 - nu**2) * slope[1]
    np.testing.assert_allclose(result.flow[i, j], wanted, rtol=1e-3)
    moved = manifold_step(kappa, nu, e.lam, e.task, 1e-6)
    np.testing.assert_allclose(result.flow[i, j], (np.array(moved) - (kappa, nu)) / 1e-6, rtol=1e-3)
    assert np.all(result.flow[[0, 0, 4, -1, -1], [0, -1, 4, 0, -1]] == 0)  # the fixed points


def test_a_name_loads_the_nearest_results(tmp_path, monkeypatch):
    inner = tmp_path / "clone" / "book"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    who_makes_it = {"fig6": r"`run\(experiment, folder=...\)`", "fig9": "`make results`"}
    for name, maker in who_makes_it.items():
        told = rf"^no finished result of {name} with these parameters in .*; {maker} computes it$"
        with pytest.raises(ValueError, match=told):
            load(name, inner)
    made = run(PAPER["fig6"], folder=tmp_path / "clone" / "results")
    assert same(load("fig6"), made)
    assert locate(ALL["fig6"])[2]["machine"] == store.machine()
