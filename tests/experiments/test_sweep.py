"""Grids of experiments: equal to each experiment alone, on any number of devices, and resumable."""

import json
import socket
import subprocess
import sys

import numpy as np
import pytest
from booksource import ROOT
from compiled import alike
from interrupted import stopped_after
from scipy.stats import fisher_exact

from slrlib import Task, store
from slrlib.dynamics import inverse_decay
from slrlib.dynamics.schedules import held
from slrlib.experiments import ALL, load, sweep, sweeps
from slrlib.experiments.descent import Descent
from slrlib.landscape import BASINS, STATES, suggested_alpha

# One set of sizes, so that most sweeps here share one compiled program.
SMALL = {"steps": 60, "log_every": 20, "repetitions": 5, "together": 3}
UNEVEN = {"d": [20, 50, 80, 150, 200, 300, 400], "lam0": [0.1, 0.9]}  # 14 cells, 5 tiles
GRID = {
    "d": [20, 400],
    "L": [4, 10],
    "lam0": [0.1, 0.9],
    "alpha": [1e-3, 2e-3],
    "seed": range(0, 4, 3),
}


def alone(result, i, **changed):
    """Run the experiment of cell ``i`` alone."""
    task = Task(*(float(x[i]) for x in (result.d, result.L, result.gamma, result.noise)))
    schedule = held(inverse_decay(float(result.lam0[i]), float(result.rate[i])), result.until[i])
    numbers = {"steps": 60, "log_every": 20, "repetitions": 5, "seed": int(result.seed[i])}
    return Descent("cell", task, schedule, float(result.alpha[i]), **{**numbers, **changed}).run()


@pytest.mark.parametrize("batch", [None, 2])
def test_each_cell_is_the_experiment_with_its_numbers(batch):
    grid = {**GRID, "until": [30, 60], "rate": 1e-2, "noise": [0.3], "alpha": 1e-3}
    grid = grid if batch else GRID
    result = sweep(grid, **SMALL, batch=batch)
    assert result.share.shape == (32, 4) and result.step.tolist() == [0, 20, 40, 60]
    np.testing.assert_allclose(result.share.sum(1), 1)
    for i in (0, 13, 31):
        one = alone(result, i, batch=batch)
        wanted = np.median(one.excess_risk, axis=1)
        np.testing.assert_allclose(result.excess_risk[i], wanted, rtol=1e-6)
        kappa = np.median(np.abs(one.overlaps.kappa), axis=1)
        np.testing.assert_allclose(result.kappa[i], kappa, rtol=1e-6)
        fractions = [np.mean(one.ends == state) for state in STATES]
        if result.alpha_curvature[i] <= 1:
            np.testing.assert_allclose(result.fraction[i], fractions)
        else:
            assert np.isnan(result.fraction[i]).all()
    assert len(np.unique(result.excess_risk[:, -1])) == len(result.d)


def test_the_cells_stand_in_the_order_of_the_axes():
    result = sweep({"lam0": [0.1, 0.9], "L": [10, 4, 7]}, **SMALL)
    assert result.lam0.tolist() == [0.1] * 3 + [0.9] * 3
    assert result.L.tolist() == [10, 4, 7] * 2
    said = sweeps.Sweep.finding(None, result)
    assert said.startswith("6 cells, ") and all(f" {state}: " in said for state in STATES)
    lines = result.columns()  # a row for each cell with each verdict, step and state
    assert {len(each) for each in lines.values()} == {6 * (len(BASINS) + 4 + len(STATES))}
    second = lines["excess_risk"][lines["step"] == 20]
    assert second.tolist() == result.excess_risk[:, 1].tolist()


def test_cells_beyond_the_edge_of_stability_are_named_and_not_counted(caplog):
    with caplog.at_level("WARNING", "slrlib"):
        result = sweep({"d": [20, 400], "alpha": [1e-3, 1.0]}, **SMALL)
        line = "in 2 of 4 cells alpha is beyond the edge of stability: their ends are not counted"
        assert len(caplog.messages) == 1 and caplog.messages[0].startswith(line)
        caplog.clear()
        sweep({"d": [20, 400], "alpha": 1e-3}, **SMALL)
        assert caplog.messages == []
    task = Task(result.d, result.L, result.gamma, result.noise)
    limit = 2 * np.asarray(suggested_alpha(task, result.lam0))
    np.testing.assert_allclose(result.alpha_curvature, result.alpha / limit, rtol=1e-12)
    counted = result.alpha_curvature <= 1
    np.testing.assert_allclose(result.fraction.sum(1), np.where(counted, 1, np.nan))


PROCESSES = """
import json, sys
import jax
jax.config.update("jax_enable_x64", True)
number, port, folder, how = int(sys.argv[1]), *sys.argv[2:4], json.loads(sys.argv[4])
jax.distributed.initialize(f"127.0.0.1:{port}", 2, number)
from slrlib.experiments import sweep
found = sweep(**how, folder=folder)
assert len(jax.devices()) == 4 and len(jax.local_devices()) == 2
assert found.share.shape == (14, 4)
"""


def test_two_processes_on_loopback_find_what_one_finds(tmp_path):
    """Each process has two devices, filled by neither tiles nor cells; only the first writes."""
    how = {"grid": UNEVEN, **SMALL}
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    its = alike("--xla_force_host_platform_device_count=2", PYTHONPATH=str(ROOT))
    line = [sys.executable, "-c", PROCESSES]
    rest = [str(port), str(tmp_path), json.dumps(how)]
    keys = {"env": its, "stderr": subprocess.PIPE, "stdout": subprocess.DEVNULL, "text": True}
    both = [subprocess.Popen([*line, str(i), *rest], **keys) for i in range(2)]
    said = [each.communicate()[1] for each in both]
    assert [each.returncode for each in both] == [0, 0], said
    assert len(list(tmp_path.iterdir())) == 1
    kept, here = sweep(**how, folder=tmp_path), sweep(**how)
    for name in here._fields[-4:]:
        np.testing.assert_allclose(getattr(kept, name), getattr(here, name), rtol=1e-9)


def test_stopped_and_taken_up_again_it_gives_the_same_bits(tmp_path):
    grid = {"lam0": np.linspace(0.1, 0.9, 30), "seed": [0, 1]}
    how = {**SMALL, "folder": tmp_path}
    whole = sweep(grid, **{**how, "folder": None})
    with stopped_after(2, sweeps, "follow"), pytest.raises(KeyboardInterrupt):
        sweep(grid, **how)
    (kept,) = tmp_path.iterdir()
    arrays, header = store.load(kept)
    assert (arrays["run_0"], header["chunks"], header["of"]) == (2, 2, 20)  # one chunk per tile
    with stopped_after(100, sweeps, "follow") as calls:
        again = sweep(grid, **how)
    assert len(calls) == 18  # the first two tiles were not computed again
    for x, y in zip(again, whole, strict=True):
        np.testing.assert_array_equal(x, y)  # fractions of unstable cells are nan


@pytest.mark.parametrize(
    "grid, sentence",
    [
        ({"lambda": 0.1}, r"grid must have axes among .*, got 'lambda'"),
        ([80], r"grid must be a dict such as {'d': \[50, 100\]}, got \[80\]"),
        ({"alpha": []}, r"alpha must be a number or a list of them"),
    ],
)
def test_bad_input_gets_one_sentence(grid, sentence):
    with pytest.raises(ValueError, match=f"^{sentence}"):
        sweep(grid, **SMALL)


@pytest.mark.optimized
def test_the_stored_diagram_is_made_again_in_law():
    """Four of its cells with other starts; a false alarm has probability 1e-6."""
    experiment, stored = ALL["phases"], load("phases")
    assert len(stored.d) == 36 and experiment.repetitions >= 4000
    grid = {"d": [50, 200], "lam0": [0.1, 2.0], "rate": 1e-4, "seed": 5}
    fresh = sweep(grid, steps=experiment.steps, repetitions=60, together=4)
    for i in range(4):
        (j,) = np.flatnonzero((stored.d == fresh.d[i]) & (stored.lam0 == fresh.lam0[i]))
        for end in range(len(BASINS)):
            whole, part = (x.share[k, end] for x, k in ((stored, j), (fresh, i)))
            hits = [(whole, experiment.repetitions), (part, 60)]
            table = [[round(x * n), n - round(x * n)] for x, n in hits]
            assert fisher_exact(table).pvalue > 1e-6 / 16
