"""Competing escapes from the saddle: the power of d, and the factor of the separating orbit."""

import jax
import numpy as np
import pytest
from booksource import defined
from scipy import stats
from scipy.integrate import solve_ivp
from scipy.special import gamma as gamma_function

from slrlib import Overlaps, Task, dynamics, landscape, overlaps, special
from slrlib.experiments import ALL, load
from slrlib.overlaps import from_frame
from slrlib.risk import excess_risk_gradient


@pytest.fixture(scope="module")
def chapter():
    given = {"jax": jax, "np": np, "Task": Task, "landscape": landscape, "stats": stats}
    given |= {"special": special, "dynamics": dynamics}
    given |= {"overlaps": overlaps, "from_frame": from_frame}
    names = "escapes finds separating rate_ratio swap_chance".split()
    return defined("off_the_manifold", *names, **given)


def test_the_linearised_race_has_the_power_and_the_factor_of_the_theorem(chapter):
    """For uniform starts at one d, and for the page's probability at a d close to the limit."""
    rng, factor, n = np.random.default_rng(0), 1.3, 400_000
    for lam in (0.3, 0.8):
        logs, turns = chapter["escapes"](lam, 2000.0, 1e-9)
        power = logs[0] / logs[1]
        k = rng.normal(size=(2, n)) / np.sqrt(rng.chisquare(2000, n))
        v = rng.normal(size=(2, n)) / np.sqrt(rng.chisquare(2000, n))
        y_M = np.sin(turns[0]) * k[0] + np.cos(turns[0]) * v[1]
        y_S = np.sin(turns[1]) * v[0] + np.cos(turns[1]) * k[1]
        seen = np.mean(np.abs(y_M) < factor * np.abs(y_S) ** power)
        told = float(chapter["swap_chance"](factor, power, 2000.0))
        assert abs(seen - told) < 5.5 * np.sqrt(told / n) + told / 500
        s = float(chapter["rate_ratio"](lam, Task(400, 10)))
        far = np.float64(1e16)
        power = np.divide(*chapter["escapes"](lam, far, 1e-20)[0])
        assert power == pytest.approx(s, rel=1e-9)
        small = 1e-5  # so that the probability is linear in the factor, as at larger d
        scaled = far ** ((s - 1) / 2) * chapter["swap_chance"](small, power, far)
        limit = 2 ** ((s + 1) / 2) / np.pi * gamma_function((s + 1) / 2) * small
        assert scaled == pytest.approx(limit, rel=1e-4)


def test_the_factor_is_that_of_the_flow_and_foretells_the_shares(chapter):
    """Integrate the flow on both sides of the orbit; compare the stored swap rate at level 1e-6."""
    d, lam, task = 100.0, np.array([[0.5]]), Task(d=100, L=10)
    factors, power = chapter["separating"](lam, d, 4e-3)
    slope = jax.jit(lambda o, x: excess_risk_gradient(o, x, task))

    def flow(_, y, x):
        o, g = Overlaps(*y), Overlaps(*map(float, slope(Overlaps(*y), x)))
        a = g.kappa * o.kappa + g.eta * o.eta + g.rho * o.rho
        b = g.nu * o.nu + g.theta * o.theta + g.rho * o.rho
        both = g.nu * o.eta + g.theta * o.kappa + g.kappa * o.theta + g.eta * o.nu + 2 * g.rho
        rise = (
            g.kappa + g.rho * o.theta - a * o.kappa,
            g.nu + g.rho * o.eta - b * o.nu,
            g.theta + g.rho * o.kappa - b * o.theta,
            g.eta + g.rho * o.nu - a * o.eta,
            both - (a + b) * o.rho,
        )
        return -np.array(rise)

    x, turns = lam[0, 0], chapter["escapes"](lam[0, 0], d, 1e-9)[1]
    for ratio, finds in ((0.97, False), (1.03, True)):
        y_S = 0.03
        y_M = ratio * factors[0, 0] * y_S ** power[0, 0]
        start = [y_M * np.sin(turns[0]), y_M * np.cos(turns[0])]
        start += [y_S * np.sin(turns[1]), y_S * np.cos(turns[1]), 0.0]
        end = solve_ivp(flow, (0, 60), start, method="LSODA", args=(x,), rtol=1e-6, atol=1e-9)
        assert (abs(end.y[1, -1]) > 0.9) == finds and (abs(end.y[3, -1]) > 0.9) != finds

    phases, starts = load("phases"), ALL["phases"].repetitions
    share = phases.share[(phases.d == d) & (phases.lam0 == x), 2][0]
    seen = stats.binomtest(round(share * starts), starts).proportion_ci(1 - 1e-6)
    assert seen.low < float(chapter["swap_chance"](factors, power, d)[0]) < seen.high
