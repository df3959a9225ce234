"""The formulas in ball arithmetic, written independently, agree with slrlib and one another."""

import jax.numpy as jnp
import numpy as np
import pytest
from flint import acb, arb, arb_series, ctx

from slrbook import certificates
from slrbook.certificates import closed
from slrbook.certificates.claims import PAPER
from slrbook.certificates.closed import Setting, along, excess_risk
from slrbook.certificates.points import field
from slrbook.certificates.tasks import lambda_c, lower_until
from slrlib import Overlaps, Task, landscape, risk

zero, one = arb(0), arb(1)


def test_the_thresholds_are_those_of_slrlib():
    paper, wide, few = Task(400, 10), Task(100, 2, 2.0), Task(7, 2, 2.0)
    found = {
        "equal-risks": landscape.lambda_eq(paper),
        "pair-threshold": landscape.lambda_c_exact(paper),
        "pair-threshold-wide": landscape.lambda_c_exact(wide),
        "swapped-threshold": landscape.lambda_sw(paper),
        "best-lam": float(landscape.best_lam(paper)[0]),
    }
    assert set(found) == {name for name, x in certificates.stored().items() if "root" in x}
    for name, value in found.items():
        # The best lam is a minimum, so slrlib finds only half of its digits; the others are roots.
        room = 1e-7 if name == "best-lam" else 1e-11
        assert abs(value / certificates.enclosure(name)[0] - 1) < room, name
    assert landscape.lambda_sw(few) == landscape.lambda_c_exact(few) == np.inf
    ctx.prec = 64
    assert abs(float(lambda_c(Setting(400, 10, 0.5))) - landscape.lambda_c(paper)) < 1e-14
    until = float(lower_until(Setting(7, 2, 4.0)))
    assert abs(until / landscape.swapped_lower_until(few) - 1) < 1e-14
    phi, chi = certificates.stored()["tilted-minimum"]["angles"]
    tilted = np.cos(phi), np.sin(chi), np.cos(chi), np.sin(phi), np.cos(phi - chi)
    there = np.array(landscape.tilted_overlaps(0.9, paper))
    np.testing.assert_allclose(np.abs(there), np.abs(tilted), atol=1e-7)


SETTINGS = [Setting(400, 10, 0.5), Setting(100, 2, 4.0), Setting(7, 2, 4.0)]
# The gap and a number with the sign of the determinant: with free theta, or with theta = 1.
FORMS = (closed.gap, closed.unclipped), (closed.gap_clipped, closed.clipped)
LAMS = np.array([0.01, 0.05, 0.3, 0.9, 3.0])


@pytest.mark.parametrize("setting", SETTINGS)
def test_the_formulas_in_balls_are_those_of_slrlib(setting):
    ctx.prec = 128
    task = Task(setting.d, setting.L, setting.gg**0.5)
    theta = landscape.swapped_overlaps(LAMS, task).theta
    pair = landscape.swapped.minimizer_determinant(LAMS, task)
    gaps = risk.oracle_excess_risk(LAMS, task) - landscape.swapped_excess_risk(LAMS, task)
    signs = landscape.swapped.swapped_determinant(LAMS, task)
    for i, lam in enumerate(LAMS):
        at = (arb(lam), arb(1)), (arb(1), 1 / arb(lam))  # near and far scaling
        gap, block = FORMS[int(theta[i] == 1)]
        for p, q in at:
            assert abs(min(1.0, float(closed.free_theta(p, q, setting))) / theta[i] - 1) < 1e-13
            assert abs(float(closed.pair(p, q, setting)) / pair[i] - 1) < 1e-12
            assert abs(float(gap(p, q, setting)) - gaps[i]) < 1e-13
            assert (block(p, q, setting) > 0) == (signs[i] > 0)


def test_the_risk_in_balls_is_that_of_slrlib():
    ctx.prec = 128
    rng = np.random.default_rng(2)
    k, v = rng.normal(size=(2, 20, 5))
    k, v = (x / np.linalg.norm(x, axis=1, keepdims=True) for x in (k, v))
    o = np.array([k[:, 0], v[:, 1], v[:, 0], k[:, 1], np.sum(k * v, axis=1)])
    task, setting = Task(100, 7, 0.5), Setting(100, 7, 0.25)
    for lam in (0.05, 0.9):
        expected = np.asarray(risk.excess_risk(Overlaps(*map(jnp.asarray, o)), lam, task))
        found = [float(excess_risk([arb(x) for x in row], arb(lam), setting)) for row in o.T]
        np.testing.assert_allclose(found, expected, rtol=1e-13)


def test_the_stated_forms_are_bends_of_the_risk():
    """At both pairs, second derivatives of the risk along rotations, by series, give the signs."""
    ctx.prec = 192
    setting, h = SETTINGS[0], arb_series([0, 1], prec=3)

    def bend(by_k, by_v, lam):
        """k rotates towards v* and v towards k*, at these speeds."""
        a, b = h * by_k, h * by_v
        path = a.cos(), b.cos(), b.sin(), a.sin(), (a + b).sin()
        return along(path, lam, setting)[1]

    for lam in ("0.5", "0.95"):
        lam = arb(lam)
        kk, vv, both = (bend(*speeds, lam) for speeds in ((1, 0), (0, 1), (1, 1)))
        mixed = (both - kk - vv) / 2
        found = kk * vv - mixed * mixed
        assert abs(found / closed.pair(lam, one, setting) - 1) < arb("1e-40")

    def swapped(by_k, by_e, by_v, lam):
        """k = v* rotates to k* and e; v = theta k* + sqrt(1 - theta^2) e rotates to v*."""
        theta = closed.free_theta(lam, one, setting)
        rest = (1 - theta * theta).sqrt()
        kappa, k_e, b = h * by_k, h * by_e, h * by_v
        eta = 1 - (kappa * kappa + k_e * k_e) / 2  # to second order
        rho = (kappa * theta + k_e * rest) * b.cos() + eta * b.sin()
        return along((kappa, b.sin(), theta * b.cos(), eta, rho), lam, setting)[1]

    for lam in (arb("0.5"), arb("0.95")):
        a, e, g = (swapped(*move, lam) for move in ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
        b = (swapped(1, 1, 0, lam) - a - e) / 2
        c = (swapped(1, 0, 1, lam) - a - g) / 2
        f = (swapped(0, 1, 1, lam) - e - g) / 2
        det = a * (e * g - f * f) - b * (b * g - f * c) + c * (b * f - e * c)
        assert a > 0 and e > 0 and g > 0
        assert (det > 0) == (closed.unclipped(lam, one, setting) > 0) == (lam < arb("0.92"))


def test_a_slope_by_series_is_that_of_the_function():
    ctx.prec = 192
    setting, lam, step = SETTINGS[0], arb("0.07"), arb("1e-20")
    for f in (closed.gap_clipped, closed.gap, closed.pair, closed.clipped, closed.unclipped):
        slope = f(arb_series([lam, 1], prec=2), 1, setting)[1]
        rise = (f(lam + step, 1, setting) - f(lam, 1, setting)) / step
        assert abs(rise / slope - 1) < arb("1e-15")
    fall = -closed.oracle_fall(lam, 1, setting)
    on = [excess_risk((one, one, zero, zero, zero), x, setting) for x in (lam, lam + step)]
    assert abs((on[1] - on[0]) / step / fall - 1) < arb("1e-15")


def test_the_speeds_on_the_square_are_slopes_of_the_risk():
    """The fields of the five points consist of these speeds; compared at one interior point."""
    ctx.prec = 192
    kappa, nu, lam = arb("0.3"), arb("-0.4"), arb(1) / 10
    h = arb_series([0, 1], prec=3)
    by_kappa, kk = along((kappa + h, nu, zero, zero, zero), lam, PAPER)
    by_nu, _ = along((kappa, nu + h, zero, zero, zero), lam, PAPER)
    (speed_k, speed_n), ((a, _), (_, d)) = field(kappa, nu, PAPER, lam)
    flat_k, flat_n = 1 - kappa * kappa, 1 - nu * nu
    differences = (
        speed_k - flat_k * by_kappa,
        speed_n - flat_n * by_nu,
        a - (flat_k * kk - 2 * kappa * by_kappa),
        d + 2 * nu * by_nu,
    )
    assert max(float(abs(x)) for x in differences) < 1e-40


def test_the_slope_with_a_mean_is_that_of_the_risk_by_quadrature():
    """For gamma^2 E(1 - erf)^2 + n E erf^2, with integrals that Arb computes to 20 digits."""
    ctx.prec = 96
    setting, lam, mean = SETTINGS[0], arb("0.06"), arb("4")
    r, gamma = (arb(setting.d) / 2).sqrt(), arb(setting.gg).sqrt()

    def expected(f):
        bell = lambda s: (-s * s / 2).exp() * f(s)  # noqa: E731
        return acb.integral(lambda s, _: bell(s), -15, 15).real / (2 * arb.pi()).sqrt()

    def total(kappa):
        own = expected(lambda s: (1 - (lam * (r * kappa + gamma * s)).erf()) ** 2)
        other = expected(lambda s: (lam * (mean * kappa + s)).erf() ** 2)
        return setting.gg * own + (setting.L - 1) * other

    step = arb("1e-6")
    slope = (total(1 + step) - total(1 - step)) / (2 * step)
    assert abs(slope / closed.mean_slope(lam, mean, setting) - 1) < arb("1e-9")


def test_equal_risks_follow_lambert_s_function():
    """lambda_eq^2 d is X minus about 2 / X, checked to 40 digits for d up to 1e14."""
    ctx.prec = 160
    gg, scaled = 4.0, []
    for d in (10**6, 10**10, 10**14):
        X = 2 * (arb(d) / (8 * arb(gg))).sqrt().lambertw()
        low, high = X - 2 / X, X
        setting = Setting(d, 2, gg)
        at = [closed.gap((x / d).sqrt(), 1, setting) for x in (low, high)]
        assert at[0] > 0 > at[1]
        for _ in range(30):
            middle = ((low + high) / 2).mid()
            above = closed.gap((middle / d).sqrt(), 1, setting) > 0
            low, high = (middle, high) if above else (low, middle)
        scaled.append(float((low - X) * X))
    assert np.all(np.diff(scaled) < 0) and -2 < scaled[-1] < -1.6
