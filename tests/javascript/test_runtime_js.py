"""The runtime of the pages in V8: accuracy of error functions, distribution of random numbers."""

import mpmath as mp
import numpy as np
import pytest
import scipy.special
import scipy.stats
from chance import assert_mean
from js import Engine

from slrbook.javascript.printer import runtime

EPS = np.finfo(float).eps
ERF_POINTS = np.concatenate(
    [
        np.geomspace(1e-300, 1e-3, 200),
        np.linspace(0, 6.5, 1301),
        *(edge * (1 + EPS * np.arange(-2, 3)) for edge in (0.25, 0.84375, 1.25, 1 / 0.35, 6, 26.5)),
    ]
)
TAIL_POINTS = np.linspace(6.5, 26.5, 401)  # erfc(26.5) is near the smallest normal number


@pytest.fixture(scope="module")
def engine():
    return Engine(runtime())


def worst(got, exact, points):
    """The largest error relative to 40-digit values."""
    with mp.workdps(40):
        errors = [
            abs(mp.mpf(g) / exact(mp.mpf(p)) - 1)
            for g, p in zip(got.tolist(), points.tolist(), strict=True)
            if p != 0
        ]
    return float(max(errors))


def test_erf_and_erfc_over_their_whole_range(engine):
    both = np.concatenate([-ERF_POINTS, ERF_POINTS])
    assert worst(engine("erf", both), mp.erf, both) < EPS
    ends = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 30.0, -30.0])
    np.testing.assert_array_equal(engine("erf", ends), scipy.special.erf(ends))
    np.testing.assert_array_equal(engine("erfc", ends), scipy.special.erfc(ends))
    points = np.concatenate([-ERF_POINTS, ERF_POINTS, TAIL_POINTS])
    assert worst(engine("erfc", points), mp.erfc, points) < 2 * EPS


def test_inverse_of_erf(engine):
    near_one = 1 - np.geomspace(1e-16, 0.3, 300)
    points = np.r_[np.geomspace(1e-300, 0.5, 300), np.linspace(0.5, 0.999, 300), near_one]
    expected = scipy.special.erfinv(points)
    np.testing.assert_allclose(engine("erfInv", points), expected, rtol=4e-15)
    np.testing.assert_array_equal(engine("erfInv", -points), -engine("erfInv", points))
    ends = np.array([0.0, 1.0, -1.0, 1.5, -2.0, np.inf, np.nan])
    np.testing.assert_array_equal(engine("erfInv", ends), scipy.special.erfinv(ends))


# The generator.

WORD = 2**32 - 1


def words(seed, count):
    """The 32-bit output of the generator, reimplemented in Python."""
    state = seed & WORD

    def splitmix():
        nonlocal state
        state = (state + 0x9E3779B9) & WORD
        z = (state ^ (state >> 16)) * 0x21F0AAAD & WORD
        z = (z ^ (z >> 15)) * 0x735A2D97 & WORD
        return z ^ (z >> 15)

    a, b, c, counter = splitmix(), splitmix(), splitmix(), 1
    drawn = []
    for _ in range(12 + count):
        word = (a + b + counter) & WORD
        counter = (counter + 1) & WORD
        a = b ^ (b >> 9)
        b = (c + (c << 3)) & WORD
        c = (((c << 21) | (c >> 11)) + word) & WORD
        drawn.append(word)
    return drawn[12:]


def draws(engine, seed, call, count):
    return engine.numbers(
        f"(() => {{ const random = makeRandom({seed});"
        f"return Array.from({{length: {count}}}, () => random.{call}); }})()"
    )


@pytest.mark.parametrize("seed", [0, 2**32 - 1])
def test_the_words_are_those_of_sfc32(engine, seed):
    drawn = np.array(words(seed, 400)).reshape(-1, 2)
    expected = ((drawn[:, 0] >> 5) * 2**26 + (drawn[:, 1] >> 6)) / 2**53
    np.testing.assert_array_equal(draws(engine, seed, "uniform()", 200), expected)


def test_normal_draws_in_law(engine):
    """From uniform samples, which sfc32 generates; each seed gives different ones."""
    normal = draws(engine, 1, "normal()", 100_000)
    assert scipy.stats.kstest(normal, "norm").pvalue > 1e-3
    for lag in (1, 2, 7):  # successive samples, including pairs of the polar method
        assert_mean(normal[:-lag] * normal[lag:], 0)
    seeds = [0, 1, -1, 8, 2**31, 2**32, 2**32 + 7, 2**40 + 7, 2**53 - 1]
    others = np.array([draws(engine, seed, "uniform()", 4) for seed in seeds])
    assert len(np.unique(others)) == others.size


@pytest.mark.parametrize("n", [2, 1000])
def test_whole_numbers_below_n(engine, n):
    drawn = draws(engine, n, f"below({n})", 20_000)
    assert np.all((drawn >= 0) & (drawn < n) & (drawn == np.rint(drawn)))
    cells = min(n, 50)
    counts = np.bincount((drawn * cells / n).astype(int), minlength=cells)
    assert scipy.stats.chisquare(counts).pvalue > 1e-3


@pytest.mark.parametrize("df", [0.5, 2, 398, 1e15])
def test_chi_square_draws_in_law(engine, df):
    drawn = draws(engine, 11, f"chi2({df!r})", 20_000)
    assert np.all(drawn >= 0)
    if df <= 1e9:
        law = scipy.stats.chi2(df).cdf
    else:  # SciPy's distribution function lacks digits; the normal limit does not
        law = scipy.stats.norm(df, np.sqrt(2 * df)).cdf
    assert scipy.stats.kstest(drawn, law).pvalue > 1e-3
    assert_mean(drawn / df, 1)
    assert_mean((drawn / df - 1) ** 2 * df / 2, 1)
