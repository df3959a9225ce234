"""The 2^p heads that cancel the noise of uninformative tokens, without the book's formulas."""

import mpmath as mp
import numpy as np
import pytest
from chance import assert_mean
from scipy.special import erf

from slrlib import Task, heads
from slrlib.task import Teacher

AXES = np.eye(2)
ONE = Teacher(AXES[:1], AXES[1:])
PRIMES = (3, 5, 7, 11, 13, 17, 19, 23)


def angles(p):
    """The angles of the score and output of each head, to many digits."""
    alpha, sums = mp.asin(mp.mpf(2) ** -p), [mp.mpf(0)]
    for prime in PRIMES[: p - 1]:
        sums = [x + sign * mp.pi / (2 * prime) for x in sums for sign in (1, -1)]
    return [(x - alpha, alpha) for x in sums] + [(x + alpha, mp.pi - alpha) for x in sums]


def pairs(p):
    found = np.array(angles(p), float)
    return tuple(np.stack([np.cos(x), np.sin(x)], axis=1) for x in found.T)


@pytest.mark.parametrize("p", [1, 2, 4, 8])
def test_the_low_powers_of_lam_cancel_in_many_digits(p):
    """The noise polynomials in a few directions vanish below the prime, but not at the prime."""
    with mp.workdps(40):
        at = angles(p)
        for t in (mp.mpf(1) / 3, mp.mpf(2)):
            forms = [
                mp.fsum(mp.cos(t - theta) ** odd * mp.cos(t - phi) for theta, phi in at)
                for odd in range(1, PRIMES[p - 1] + 2, 2)
            ]
            assert max(map(abs, forms[:-1])) < mp.mpf(10) ** -35 < abs(forms[-1])
        assert max(abs(theta) for theta, _ in at) < mp.pi / 2
        outputs = mp.fsum(mp.expj(phi) for _, phi in at)
        assert abs(outputs - 1j) < mp.mpf(10) ** -35


def outputs(tokens, K, V, lam):
    """The outputs of the heads on tokens, given by their components along k* and v*."""
    return np.sum(erf(lam * tokens @ K.T) * (tokens @ V.T), axis=-1)


@pytest.mark.parametrize("p, d, L, lam", [(1, 80, 10, 1 / 3), (3, 40, 100, 0.8)])
def test_the_canceling_heads_by_quadrature_and_by_sampling(p, d, L, lam):
    task, (K, V) = Task(d, L), pairs(p)
    exact = float(heads.excess_risk(K, V, ONE, lam, task))
    mean = np.array([(d / 2) ** 0.5, 0.0])
    x, mass = np.polynomial.hermite_e.hermegauss(150)
    mass = np.outer(mass, mass) / mass.sum() ** 2
    normals = np.stack(np.meshgrid(x, x, indexing="ij"), axis=-1)
    own = task.gamma * normals + mean
    noise, error = outputs(normals, K, V, lam), outputs(own, K, V, lam) - own[..., 1]
    assert abs(np.sum(mass * noise)) < 1e-12
    wanted = np.sum(mass * (error**2 + (L - 1) * noise**2))
    assert exact == pytest.approx(wanted, rel=1e-7)
    rng, found = np.random.default_rng(2), []
    for _ in range(40):
        tokens = rng.standard_normal((20_000 // L, L, 2))
        tokens[:, 0] = task.gamma * tokens[:, 0] + mean
        found.append(np.mean((outputs(tokens, K, V, lam).sum(-1) - tokens[:, 0, 1]) ** 2))
    assert_mean(found, exact)


def test_two_canceling_heads_have_the_limit_of_the_proposition():
    K, V = pairs(1)
    ratios = []
    for d in (1e4, 1e5):
        lam = 2 * np.sqrt(np.log(d) / d)
        leading = 512 / np.pi * 99 * (np.log(d) / d) ** 3
        ratios.append(float(heads.excess_risk(K, V, ONE, lam, Task(d, 100))) / leading)
    assert 0.95 < ratios[0] < ratios[1] < 1.0 and ratios[1] > 0.99
    moved = V @ [[np.cos(0.01), np.sin(0.01)], [-np.sin(0.01), np.cos(0.01)]]  # nearby heads
    far = float(heads.excess_risk(K, moved, ONE, lam, Task(1e5, 100)))
    assert far > 100 * ratios[1] * leading
