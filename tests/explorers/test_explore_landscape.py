"""The explorer of the landscape: its line divides the starts, and its reading matches Python."""

import json
import re

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from shown import engine_of, picture

from slrbook.explorers.landscape.spec import Landscape
from slrlib import Task
from slrlib.dynamics import inverse_manifold_step, manifold_step
from slrlib.landscape import certified_step, saddle_rates
from slrlib.risk import manifold_excess_risk

TASK, OTHER = Task(400, 10), Task(1000, 4, 1.2)
MOVES = "moves: explorer.actions.map((act) => act(values))"
engine = engine_of(Landscape)


def run(kappa, nu, lam, alpha, steps):
    """The same run by the map in kappa and nu."""

    def advance(state, _):
        return manifold_step(*state, lam, TASK, alpha), state

    end, path = jax.lax.scan(advance, tuple(map(jnp.asarray, (kappa, nu))), length=steps)
    return np.stack([np.append(rows, last) for rows, last in zip(path, end, strict=True)])


@pytest.mark.parametrize(
    "kappa0, nu0, lam, steps, words",
    [
        (0.6, -0.39, 0.1, 20_000, r"descent recovers the teacher at \(1, 1\) "),
        (0.3, 0.4, 0.6, 5_000, "descent is on the plateau"),
        (0.0, 0.0, 0.1, 1_000, "descent is at the saddle"),
        (1.0, -1.0, 0.1, 1_000, "Descent stays at the maximum"),
        (0.3, 0.0, 0.03, 1_000, "descent has not converged"),
    ],
)
def test_the_reading(engine, kappa0, nu0, lam, steps, words):
    seen = picture(engine, kappa0=kappa0, nu0=nu0, lam=lam, steps=steps)
    figures = seen["figures"]
    kappa, nu = run(kappa0, nu0, lam, min(4e-3, float(certified_step(lam, TASK))), steps)
    both = (np.minimum(np.abs(kappa), np.abs(nu)) >= 0.95) & (kappa * nu > 0)
    far = np.hypot(kappa, nu)
    start = r"(Only from the dividing line\. This start (is on|lies \w+) it, [^:]*: )?"
    assert re.match(start + words, seen["reading"])
    assert figures["locks_on_after"] == (int(np.argmax(both)) if both.any() else -1)
    assert [figures["kappa"], figures["nu"]] == pytest.approx([kappa[-1], nu[-1]], abs=1e-9)
    assert figures["closest"] == pytest.approx(far.min(), rel=1e-6, abs=1e-12)
    expected = manifold_excess_risk(figures["kappa"], figures["nu"], lam, TASK)
    assert figures["excess_risk"] == pytest.approx(float(expected), abs=1e-12)


def the_line(engine, lam, alpha, task=TASK):
    values = json.dumps(dict(lam=lam, d=task.d, gamma=task.gamma))
    text = f"(() => {{ for (const _ of divided({values}, {alpha})); return divide.points; }})()"
    return engine.numbers(text).reshape(-1, 2)


@pytest.mark.parametrize(
    "lam, alpha, task",
    [(0.03, 4e-3, TASK), (1.0, 3e-3, TASK), (0.1, 1e-3, OTHER)],
)
def test_the_line_is_that_of_the_inverse_step_and_divides_the_starts(engine, lam, alpha, task):
    line = the_line(engine, lam, alpha, task)
    assert line[0].tolist() == [0.0, 0.0] and np.all(np.diff(line, axis=0) * [1, -1] >= 0)
    assert np.linalg.norm(np.diff(line[:-1], axis=0), axis=-1).max() < 0.08
    down, up = map(float, saddle_rates(lam, task))
    beta = np.sqrt(-down * up)
    assert line[3, 1] / line[3, 0] == pytest.approx(-beta / up, rel=0.05)

    seed = 1e-5 * np.array([up, -beta]) / np.hypot(up, beta)  # Newton's method, other start
    undo = lambda pair, _: (inverse_manifold_step(*pair, lam, task, alpha), jnp.stack(pair))  # noqa: E731
    _, angles = jax.lax.scan(undo, tuple(np.pi / 2 - seed), length=20_000)
    exact = np.cos(angles)
    inner = line[(line[:, 0] > 0.01) & (line[:, 0] < 0.9 * exact[-1, 0])]
    along = exact[:, 0] - exact[:, 1]  # increases along the line
    found = np.interp(inner[:, 0] - inner[:, 1], along, exact[:, 0])
    assert np.abs(found - inner[:, 0]).max() < 1e-4

    chosen = line[(np.hypot(*line.T) > 0.03) & (line[:, 1] > -0.95)][::30]
    for side in (1, -1):
        pair = tuple(jnp.asarray(x) for x in (chosen + side * 1e-8 * np.array([1.0, 1.0])).T)
        go = lambda _, pair: manifold_step(*pair, lam, task, alpha)  # noqa: E731
        end = jax.lax.fori_loop(0, 60_000, go, pair)
        assert np.all(np.sign(end[1]) == side)


@pytest.mark.parametrize("lam", [0.01, 2.0])
def test_the_line_goes_from_the_saddle_to_the_maximum(engine, lam):
    """The maximum is on the line; a start near nu = -1 is as close to the line as to that edge."""
    for alpha in (4e-4, 4e-2):
        line = the_line(engine, lam, min(alpha, float(certified_step(lam, TASK))))
        assert len(line) > 50 and line[-2, 1] < -0.99 and line[-1].tolist() == [1.0, -1.0]
    top = picture(engine, kappa0=-1.0, nu0=1.0, lam=lam, steps=1_000)
    assert top["figures"]["gap"] == 0 and "at the maximum (−1, 1)" in top["reading"]
    beside = picture(engine, MOVES, kappa0=0.98, nu0=-0.98, lam=lam, steps=1_000)
    assert beside["figures"]["gap"] < 0.021
    onto = beside["moves"][0]  # not the maximum, which is a fixed point
    assert abs(onto["kappa0"]) < 1


def test_two_starts_a_hair_apart_end_in_opposite_corners(engine):
    there, _ = picture(engine, MOVES)["moves"]
    on = picture(engine, MOVES, **there)
    assert "This start is on it, but its numbers are rounded" in on["reading"]
    assert on["figures"]["closest"] < 1e-9
    one = picture(engine, MOVES, **on["moves"][1])
    other = picture(engine, **one["moves"][1])
    assert one["figures"]["gap"] == pytest.approx(1e-6, rel=1e-3)
    assert {np.sign(one["figures"]["kappa"]), np.sign(other["figures"]["kappa"])} == {1.0, -1.0}
    assert one["figures"]["regime"] == other["figures"]["regime"] == "recovered the teacher"


def test_a_step_past_the_certified_size_is_cut(engine):
    reading = picture(engine, lam=2.0, alpha=4e-2, steps=1_000)["reading"]
    size = float(certified_step(2.0, TASK))
    assert reading.endswith(f"The step size is reduced to {size:.2g}.")
    assert "reduced" not in picture(engine)["reading"]
