"""Softmax attention on simulated series: its samples, one step of it, and the stored starts."""

from dataclasses import replace

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import stats

from slrlib.experiments import ALL, load
from slrlib.experiments.series import SETTINGS, wave, windows
from slrlib.predictors import softmax_attention


def test_windows_have_the_law_of_the_page():
    """Variances, correlations and the mean of the window with the anomaly, as z-scores."""
    rng, task = np.random.default_rng(3), ALL["series"].task
    fast, slow = wave("fast", 48), wave("slow", 48)
    assert np.allclose([fast @ fast, slow @ slow, fast @ slow], [1, 1, 0], atol=1e-12)
    X, y = windows(rng, 20_000, task, 0.6, fast, slow)
    other = np.arange(20_000), (np.argmax(X @ fast, axis=1) + 1) % 8
    there = np.take_along_axis(X @ fast, np.argmax(X @ fast, axis=1)[:, None], 1)[:, 0]
    assert abs(there.mean() - float(task.signal)) < 0.05  # the largest score is that of the anomaly
    X = X[other]
    products = X[:, 5] ** 2, X[:, 5] * X[:, 6], X[:, 5] * X[:, 8]
    for product, told in zip(products, (1, 0.6, 0.6**3), strict=True):
        assert abs(product.mean() - told) < 5 * product.std() / len(product) ** 0.5
    lag = 0.6 ** np.abs(np.subtract.outer(range(48), range(48)))
    assert abs(y.var() / (float(task.gamma) ** 2 * slow @ lag @ slow) - 1) < 0.06


@pytest.mark.parametrize("setting", range(3))
def test_one_step_is_that_of_another_code(setting):
    e = replace(ALL["series"], steps=1, starts=1, together=1, seed=4)
    memory, *names = list(SETTINGS.values())[setting]
    waves = [wave(name, 48) for name in names]
    rng = np.random.default_rng([4, setting, 0])
    pair = rng.standard_normal((2, 1, 48), np.float32)
    pair /= np.linalg.norm(pair, axis=2, keepdims=True)
    X, y = windows(rng, e.batch, e.task, memory, *(x.astype(np.float32) for x in waves))
    X, y, pair = (np.asarray(x, float) for x in (X, y, pair))

    @jax.grad
    def slopes(pair):
        return jnp.mean((softmax_attention(X, *pair, 1.0) - y) ** 2)

    k, v = pair[:, 0] - e.alpha * np.stack(slopes([*pair[:, 0]]))
    found = e.part(setting, 0)
    assert found.kappa[0] == pytest.approx(k @ waves[0] / np.linalg.norm(k), abs=1e-5)
    assert found.nu[0] == pytest.approx(v @ waves[1] / np.linalg.norm(v), abs=1e-5)


def test_the_stored_starts_are_made_again_in_law():
    """Thirty other starts of each kind; a false alarm has probability 1e-6."""
    e, stored = replace(ALL["series"], starts=30, seed=1), load("series")
    assert len(stored.kappa) == 3 * ALL["series"].starts >= 12_000
    for setting in range(3):
        fresh, those = e.part(setting, 0), stored.setting == setting
        for name in ("kappa", "nu"):
            two = getattr(fresh, name), getattr(stored, name)[those]
            assert stats.ks_2samp(*two).pvalue > 1e-6 / 6
