"""The pictures of the chapter on optimality draw what they are given, in both themes."""

from functools import cache

import numpy as np
import pytest
from drawn import drawn

from slrbook import picture as plot
from slrbook.picture import style

LAM = np.geomspace(0.01, 1.0, 41)
D = np.geomspace(10, 1e4, 31)
DOTS = [(0.02, 0.3, 0.02), (0.2, 0.5, 0.02)]


@cache
def two_terms():
    missed, noise = 0.5 * np.exp(-((LAM * 20) ** 2)), 10 * LAM**2
    marks = [(0.1, 0.12, "explicit"), (0.06, 0.08, "best")]
    return plot.two_terms(LAM, missed, noise, DOTS, marks, alt="A valley between two curves")


@cache
def oracle_and_linear():
    ratio, flat = D / 10, 0.47 + 0 * D
    curves = 0.8 * ratio**-0.5, 0.3 * ratio**-0.8  # the explicit lam begins above the null
    dots = [(2.0, 0.3, 0.02), (50.0, 0.06, 0.01)]
    return plot.oracle_and_linear(ratio, *curves, flat, 0.5, dots, alt="Curves that fall")


@cache
def rates():
    falling = [scale * D**-power for scale, power in ((3, 0.5), (3, 0.8), (3, 1.0))]
    dots = (np.array([10, 20, 40, 80]), np.array([0.1, 0.01, 1e-4, 2e-9]))
    return plot.rates(
        D, *falling, np.exp(-D / 6), np.exp(-D / 4), dots, alt="Straight lines and a plunge"
    )


@cache
def risk_by_bias():
    tau = np.linspace(0.0, 14.0, 29)
    by_lam = {lam: 0.5 * np.exp(-lam * (14 - (tau - 7) ** 2 / 4)) for lam in (0.2, 1.0)}
    step = np.exp((tau - 8) ** 2 / 2 - 32)
    return plot.risk_by_bias(tau, by_lam, step, (0.07, 0.04), alt="Valleys below a flat line")


ALL = [two_terms, oracle_and_linear, rates, risk_by_bias]


@pytest.mark.parametrize("make", ALL)
@pytest.mark.parametrize("theme", style.THEMES)
def test_every_text_lies_in_the_frame_and_every_axis_is_named(make, theme):
    assert all(axes.get_xlabel() for axes in drawn(make(), theme).axes)


def test_the_sum_of_the_two_terms_is_drawn():
    dashed, other, total = two_terms().figure().axes[0].lines[:3]
    np.testing.assert_allclose(total.get_ydata(), dashed.get_ydata() + other.get_ydata())
