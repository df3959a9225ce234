"""The module ``slr`` of a reader's own code: functions of the book on plain numbers and lists.

MicroPython runs it on a page, where ``_slr`` holds the functions that the explorers use; the tests
run it under CPython, where ``_slr`` holds those of slrlib. A pair (k, v) is its five overlaps
(kappa, nu, theta, eta, rho); d, L and gamma are those of the paper unless they are given.
"""

import json
import math

import _slr  # pyright: ignore[reportMissingImports]

GAMMA = 0.5**0.5
NAMES = ("kappa", "nu", "theta", "eta", "rho")
MOST = 20000  # points of a curve, or random numbers per call


def _number(name, x):
    if isinstance(x, bool) or not isinstance(x, (int, float)):
        raise ValueError(f"{name} must be a number, got {x!r}")
    if not math.isfinite(x):
        raise ValueError(f"{name} must be finite, got {x!r}")
    return float(x)


def _positive(name, x):
    if _number(name, x) <= 0:
        raise ValueError(f"{name} must be positive, got {x!r}")
    return float(x)


def _whole(name, x, low, high):
    if isinstance(x, bool) or not isinstance(x, int) or not low <= x <= high:
        raise ValueError(f"{name} must be a whole number from {low} to {high}, got {x!r}")
    return x


def _task(d, L, gamma):
    for name, x, low in (("d", d, 2), ("L", L, 1)):
        if _number(name, x) < low or x != int(x):
            raise ValueError(f"{name} must be a whole number of at least {low}, got {x!r}")
    return float(d), float(L), _positive("gamma", gamma)


def _pair(o):
    """Return the five numbers of ``o``; raise an error unless unit vectors have these overlaps."""
    if not isinstance(o, (tuple, list)) or len(o) != 5:
        raise ValueError(f"a pair must be five numbers ({', '.join(NAMES)}), got {o!r}")
    kappa, nu, theta, eta, rho = five = [_number(*both) for both in zip(NAMES, o)]  # noqa: B905
    k_rest, v_rest = 1 - kappa * kappa - eta * eta, 1 - nu * nu - theta * theta
    both = rho - kappa * theta - eta * nu
    least = (k_rest + v_rest) / 2 - math.sqrt((k_rest - v_rest) ** 2 / 4 + both * both)
    if least < -1e-9:
        raise ValueError(f"no two unit vectors have the overlaps {tuple(five)}")
    return five


def excess_risk(o, lam, d=400, L=10, gamma=GAMMA):
    """Return the excess risk of a pair."""
    return float(_slr.risk(*_pair(o), _positive("lam", lam), *_task(d, L, gamma)))


def oracle_excess_risk(lam, d=400, L=10, gamma=GAMMA):
    """Return the excess risk of the teacher (k*, v*)."""
    return float(_slr.oracle(_positive("lam", lam), *_task(d, L, gamma)))


def swapped_excess_risk(lam, d=400, L=10, gamma=GAMMA):
    """Return the excess risk of the swapped pair, in which k is close to v*."""
    return float(_slr.swapped(_positive("lam", lam), *_task(d, L, gamma)))


def step(o, lam, alpha, d=400, L=10, gamma=GAMMA):
    """Return the overlaps of a pair after one step of projected gradient descent."""
    lam, alpha = _positive("lam", lam), _positive("alpha", alpha)
    found = _slr.step(*_pair(o), lam, alpha, *_task(d, L, gamma))
    return tuple([float(found[i]) for i in range(5)])


def zeta(t, gamma):
    """Return E[erf(t + gamma G)^2] for a standard normal G."""
    return float(_slr.zeta(_number("t", t), _positive("gamma", gamma)))


def lambda_c(d=400, L=10, gamma=GAMMA):
    """Return the lam above which the teacher is not a local minimum of the risk."""
    return float(_slr.highest_stable(*_task(d, L, gamma)))


def lambda_sw(d=400, L=10, gamma=GAMMA):
    """Return the lam above which the swapped pair is not a local minimum, or infinity."""
    task = _task(d, L, gamma)
    low, high = 1e-4, 1e-4
    while float(_slr.determinant(high, *task)) > 0:
        low, high = high, 1.25 * high
        if high > 1e6:
            return math.inf
    for _ in range(60):
        middle = (low + high) / 2
        if float(_slr.determinant(middle, *task)) > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def random_start(seed, d=400, on_manifold=False):
    """Return the overlaps of a random pair, as the first start of an experiment with this seed."""
    dimension = _whole("d", d, 4, 10**9)
    found = _slr.start(_whole("seed", seed, 0, 10**9), dimension, bool(on_manifold))
    return tuple([float(found[i]) for i in range(5)])


def normals(seed, n):
    """Return a list of n standard normal random numbers."""
    n = _whole("n", n, 1, MOST)
    found = _slr.normals(_whole("seed", seed, 0, 10**9), n)
    return [float(found[i]) for i in range(n)]


def plot(xs, ys, name="", xlabel="", ylabel="", log=False):
    """Draw a curve into the picture of this run; ``log`` makes the vertical axis logarithmic."""
    xs, ys = [[_number(word, x) for x in some] for word, some in (("x", xs), ("y", ys))]
    if len(xs) != len(ys) or not 2 <= len(xs) <= MOST:
        what = f"{len(xs)} xs and {len(ys)} ys"
        raise ValueError(f"plot needs as many xs as ys, from 2 to {MOST}, got {what}")
    if log and min(ys) <= 0:
        raise ValueError(f"in powers of ten each y must be positive, got {min(ys)!r}")
    words = {"name": str(name), "xlabel": str(xlabel), "ylabel": str(ylabel)}
    _slr.plot(json.dumps(dict(words, xs=xs, ys=ys, log=bool(log))))
