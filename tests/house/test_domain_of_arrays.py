"""Draws, vectors, overlaps and predictors at random arguments of their whole domain.

What must hold is an invariant, a limit, the same in plain NumPy, or one sentence; in double and in
single precision. ``test_every_name.py`` says which public function is held to what, and where.
"""

import contextlib

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from refused import refusal

from slrlib import Overlaps, Task, Teacher, heads, overlaps, predictors, risk, sphere
from slrlib.overlaps import from_frame
from slrlib.task import random_teacher, sample

KEYS = list(jax.random.split(jax.random.key(0), 12))
BOTH = pytest.mark.parametrize("x64", [True, False], ids=["double", "single"])
OFF = 6.0  # standard errors; the draws are the same on every machine
SIZES = (2, 3, 50)


def rounding(x64):
    return 1e-12 if x64 else 1e-4


@contextlib.contextmanager
def precision(x64):
    with jax.enable_x64(x64):
        yield 1e-12 if x64 else 1e-4


def of_size(random, x64, shape):
    """Vectors whose sizes go over the whole domain."""
    low, high = (-14, 17) if x64 else (-14, 12)
    return random.normal(size=shape) * 10 ** random.uniform(low, high, (*shape[:-1], 1))


def lengths(x):
    return np.linalg.norm(np.asarray(x, np.float64), axis=-1)


@BOTH
@pytest.mark.parametrize("d", SIZES)
def test_points_and_steps_on_the_sphere(d, x64):
    random = np.random.default_rng(d)
    with precision(x64) as eps:
        x, step = (of_size(random, x64, (40, d)) for _ in range(2))
        point = sphere.project(x)
        np.testing.assert_allclose(lengths(point), 1, rtol=eps)
        np.testing.assert_allclose(lengths(sphere.retract(point, step)), 1, rtol=eps)
        across = np.asarray(sphere.tangent(point, step), np.float64)
        inner = np.sum(across * np.asarray(point), axis=-1)
        assert np.all(np.abs(inner) <= eps * lengths(step))
        nothing = sphere.retract(point, 0 * step)
        np.testing.assert_allclose(nothing, point, atol=eps)


def test_where_there_is_no_direction():
    zero = "must not be zero, got a zero vector"
    assert refusal(lambda: sphere.project(np.zeros(3))) == f"point {zero}"
    e = np.eye(3)[0]
    assert refusal(lambda: sphere.retract(e, -e)) == f"point + tangent_vector {zero}"
    for size in (1e-320, 1e-200, 1e200, 1e308):
        np.testing.assert_allclose(sphere.project(size * e), e, atol=1e-15)
    told = "cls must not be zero, got a vector with no entry above 1e-200"
    assert refusal(lambda: predictors.matrices_of(e, e, 1.0, 1e-200 * e)) == told


@BOTH
def test_uniform_points_and_teachers(x64):
    with precision(x64) as eps:
        line = np.asarray(sphere.uniform(1, (50,), key=KEYS[0])).ravel()
        np.testing.assert_allclose(np.abs(line), 1, rtol=eps)
        assert 0 < np.sum(line > 0) < 50
        assert sphere.uniform(3, (0,), key=KEYS[0]).shape == (0, 3)
        assert sphere.uniform(10**5, key=KEYS[1]).shape == (10**5,)
        for d in SIZES:
            x = np.asarray(sphere.uniform(d, (2000,), key=KEYS[2]), np.float64)
            np.testing.assert_allclose(lengths(x), 1, rtol=eps)
            assert np.all(np.abs(x.mean(0)) < OFF / np.sqrt(2000 * d))
            k, v = random_teacher(d, (30,), key=KEYS[3])
            np.testing.assert_allclose((lengths(k), lengths(v)), 1, rtol=eps)
            assert np.all(np.abs(np.sum(np.asarray(k * v), axis=-1)) < eps)


@BOTH
@pytest.mark.parametrize("on_manifold", [False, True])
@pytest.mark.parametrize("d", [2, 3, 4, 400, 1e6, 1e18])
def test_random_overlaps_are_possible_and_have_their_law(d, on_manifold, x64):
    with precision(x64):
        o = overlaps.random_overlaps(KEYS[4], d, (4000,), on_manifold)
        assert np.all(overlaps.is_feasible(o))
        left = (d - 1, d - 2) if on_manifold else (d, d)
        for x, freedom in zip(o, left, strict=False):  # E x^2 = 1/n, Var x^2 = 2 (n-1) / n^2 (n+2)
            n, square = max(freedom, 1), np.square(np.asarray(x, np.float64))
            error = np.sqrt(2 * (n - 1) / (n**2 * (n + 2)) / 4000)
            assert abs(square.mean() - 1 / n) <= OFF * error + 1e-4 / n
        off = overlaps.distance_to_manifold(o)
        np.testing.assert_allclose(off, np.sqrt(sum(np.square(x) for x in o[2:])), rtol=1e-4)
        assert not on_manifold or not np.any(off)
        assert overlaps.random_overlaps(KEYS[4], d, (0,), on_manifold).kappa.shape == (0,)


def corners(random):
    """Overlaps of pairs of R^4: random ones, and those where a direction is nearly another."""
    axes = np.concatenate([np.eye(4), -np.eye(4)])
    k, v = (sphere.project(random.normal(size=(60, 4))) for _ in range(2))
    near = sphere.project(axes[:, None] + 1e-6 * random.normal(size=(8, 8, 4)))
    k = np.concatenate([k, np.repeat(axes, 8, axis=0), near.reshape(-1, 4)])
    v = np.concatenate([v, np.tile(axes, (8, 1)), np.tile(axes, (8, 1))])
    return k, v, Overlaps(k[:, 0], v[:, 1], v[:, 0], k[:, 1], np.sum(k * v, axis=1))


@BOTH
def test_overlaps_frames_and_vectors_lead_to_one_another(x64):
    with precision(x64):
        near = 1e-6 if x64 else 2e-2  # of angles, where a direction is nearly a multiple of others
        *_, o = corners(np.random.default_rng(1))
        frame = overlaps.to_frame(o)
        np.testing.assert_allclose(lengths(frame.k), 1, atol=rounding(x64))
        np.testing.assert_allclose(lengths(frame.v), 1, atol=rounding(x64))
        assert np.min(frame.k[:, 2]) >= 0 and np.min(frame.v[:, 3]) >= 0
        np.testing.assert_allclose(from_frame(frame), o, atol=near)
        teacher = random_teacher(6, key=KEYS[5])
        k, v = overlaps.vectors_of(o, teacher, key=KEYS[6])
        np.testing.assert_allclose((lengths(k), lengths(v)), 1, atol=rounding(x64))
        np.testing.assert_allclose(overlaps.overlaps_of(k, v, teacher), o, atol=near)


def test_what_is_feasible_is_what_the_gram_matrix_says():
    random = np.random.default_rng(2)
    o = Overlaps(*random.uniform(-1, 1, (5, 400)))
    gram = np.eye(4) + np.zeros((400, 1, 1))
    places = (0, 2), (1, 3), (0, 3), (1, 2), (2, 3)
    for x, (i, j) in zip(o, places, strict=True):
        gram[:, i, j] = gram[:, j, i] = x
    least = np.linalg.eigvalsh(gram)[:, 0]
    clear = np.abs(least) > 1e-3
    assert clear.sum() > 390 and 20 < np.sum(least > 0) < 380
    assert np.all(np.asarray(overlaps.is_feasible(o))[clear] == (least > 0)[clear])


TASKS = {  # d, L, gamma, noise, p
    "smallest": (2, 1, 1e-15, 0),
    "loud": (3, 2, 1e9, 1e9),
    "certain": (4, 3, 0.7, 0.1, [0, 1, 0]),
    "usual": (5, 4, 0.7, 0.3),
}


@BOTH
@pytest.mark.parametrize("name", TASKS)
def test_samples(name, x64):
    with precision(x64):
        task, n = Task(*TASKS[name]), 2000
        d, L = int(task.d), int(task.L)
        teacher = random_teacher(d, key=KEYS[7])
        X, y, location = map(np.asarray, sample(task, teacher, n, key=KEYS[8]))
        assert X.shape == (n, L, d) and y.shape == location.shape == (n,)
        assert np.all(np.isfinite(X)) and np.all((location >= 0) & (location < L))
        counts, p = np.bincount(location, minlength=L), np.asarray(task.probabilities)
        assert np.all(np.abs(counts - n * p) <= OFF * np.sqrt(n * p * (1 - p)))
        own = X[np.arange(n), location].astype(float)
        scale = max(task.noise, task.gamma)
        rest = (y - own @ np.asarray(teacher.v_star, float)) / scale
        spread, rounded = task.noise / scale, 1e-3 + 1e-2 * rounding(x64) / scale
        assert abs(rest.mean()) <= OFF * spread / np.sqrt(n) + rounded
        assert abs(rest.std() - spread) <= OFF * spread / np.sqrt(2 * n) + rounded
        along = (own @ np.asarray(teacher.k_star, float) - np.sqrt(d / 2)) / max(task.gamma, 1)
        assert abs(along.mean()) <= OFF * min(task.gamma, 1) / np.sqrt(n) + 1e-5
        both = heads.sample(task, Teacher(*(x[None] for x in teacher)), 50, key=KEYS[8])
        assert both.location.shape == (50, 1) and np.all(np.isfinite(both.X))
        nothing = risk.monte_carlo_risk(lambda X: 0 * X[:, 0, 0], task, teacher, n, key=KEYS[9])
        least = float(task.gamma) ** 2 + float(task.noise) ** 2
        assert abs(nothing.mean - least) <= OFF * nothing.error + rounding(x64) ** 2


# --- weights and attention ---------------------------------------------------------------------


def weights(name, s, lam):
    """In NumPy."""
    from scipy.special import erf

    if name == "argmax":
        return np.eye(s.shape[-1])[np.argmax(s, axis=-1)]
    if name == "softmax":
        w = np.exp(lam * (s - s.max(-1, keepdims=True)))
        return w / w.sum(-1, keepdims=True)
    return erf(lam * s) if name == "erf" else lam * s


@BOTH
@pytest.mark.parametrize("name", ["argmax", "erf", "linear", "softmax"])
@pytest.mark.parametrize("lam", [0.0, 1e-12, 0.3, 1e9])
def test_weights_and_attention(name, lam, x64):
    """lam s is rounded, by eps |lam s|; beyond, the winner takes all, and so must it here."""
    if name == "argmax" and lam:
        return
    random = np.random.default_rng(3)
    high = 17 if x64 else 4
    X = random.normal(size=(40, 3, 5)) * 10 ** random.uniform(-14, high, (40, 1, 1))
    X[0] = 0
    with precision(x64) as eps:
        X = np.asarray(jnp.asarray(X, float))
        k, v = (np.asarray(sphere.uniform(5, key=key)) for key in KEYS[:2])
        more = () if name == "argmax" else (lam,)
        with np.errstate(invalid="ignore"):  # BLAS may raise the flag over memory it does not use
            s = np.asarray(jnp.asarray(X @ k, float))
        assert np.all(np.isfinite(s))
        w = np.asarray(getattr(predictors, f"{name}_weights")(s, *more), np.float64)
        s = s.astype(np.float64)
        gap = np.sort(s, axis=-1)
        slack = 10 * eps * (1 + np.max(np.abs(lam * s), axis=-1, keepdims=True))
        clear = slack if name in ("softmax", "linear", "erf") else eps + 0 * slack
        sure = (lam * (gap[:, -1:] - gap[:, -2:-1]) > 60 + slack) | (slack < 0.1)
        sure = sure if name == "softmax" else np.ones_like(sure)
        assert np.all((np.abs(w - weights(name, s, lam)) <= clear) | ~sure)
        if name in ("argmax", "softmax"):
            assert np.all(w >= 0)
            np.testing.assert_allclose(w.sum(-1), 1, rtol=100 * eps)
        if name == "erf":
            assert np.all(np.abs(w) <= 1)
        y = getattr(predictors, f"{name}_attention")(X, k, v, *more)
        t = X.astype(np.float64) @ v.astype(np.float64)
        most = np.max(np.abs(w), axis=-1) * np.max(np.abs(t), axis=-1)
        far = np.max(np.linalg.norm(X.astype(np.float64), axis=-1), axis=-1)
        close = np.abs(np.asarray(y) - np.sum(w * t, axis=-1))
        calm = lam * far * eps < 1e-3  # where rounding of X k cannot change the weights
        assert np.all(np.isfinite(y))
        bound = 100 * eps * (1 + lam * far) * (most + far)
        assert np.all((close <= bound) | ~calm)


def test_scores_and_tokens_beyond_all_use_are_refused():
    k = np.eye(5)[0]
    for f in (predictors.softmax_attention, predictors.linear_attention):
        told = refusal(lambda f=f: f(np.full((2, 3, 5), 1e300), k, k, 1.0))
        assert told == "X must be at most 1e+18 in size, got 1e+300 in an array of shape (2, 3, 5)"


@BOTH
@pytest.mark.parametrize("gamma", [1e-15, 1e-3, 0.7, 1.0, 1e3, 1e9])
@pytest.mark.parametrize("p", [None, [0.2, 0.0, 0.8], [1.0, 0.0, 0.0]])
def test_the_exact_posterior(gamma, p, x64):
    """The weights in NumPy where rounding cannot matter; else they sum to one, in any case."""
    random = np.random.default_rng(4)
    with precision(x64):
        eps = 1e-12 if x64 or p is None else 1e-8  # of p; all else is computed in double
        shown = 1e-12 if x64 else 1e-6  # what comes back has the precision that is set
        task, teacher = Task(5, 3, gamma, p=p), random_teacher(5, key=KEYS[2])
        X = random.normal(size=(40, 3, 5)) * 10 ** random.uniform(-9, 9, (40, 1, 1))
        X[:20] = np.asarray(sample(task, teacher, 20, key=KEYS[3]).X)
        X = np.asarray(jnp.asarray(X, float))
        w = np.asarray(predictors.bayes_weights(X, task, teacher), np.float64)
        np.testing.assert_allclose(w.sum(-1), 1, rtol=100 * eps + shown)
        assert np.all(w >= 0) and (p is None or np.all(w[:, np.array(p) == 0] == 0))
        k, v = (np.asarray(x, np.float64) for x in teacher)
        x = X.astype(np.float64)
        away = (x - np.sqrt(2.5) * k) / gamma
        parts = [np.sum(x * x, -1) / 2, -np.sum(away**2, -1) / 2]
        with np.errstate(divide="ignore"):
            parts.append(np.log(np.full(3, 1 / 3) if p is None else np.array(p)) + 0 * parts[0])
        odds = sum(parts)
        noise = 100 * eps * np.max(np.abs(parts[0]) + np.abs(parts[1]), axis=-1, keepdims=True)
        noise += 100 * eps / gamma * np.max(lengths(away), axis=-1, keepdims=True)
        near = np.broadcast_to(noise < 0.01, w.shape)
        wanted = weights("softmax", odds, 1.0)
        assert np.all((np.abs(w - wanted) <= 2 * noise + 100 * eps + shown) | ~near)
        y = np.asarray(predictors.bayes(X, task, teacher), np.float64)
        size = np.max(lengths(x), axis=-1)
        assert np.all(np.abs(y - np.sum(w * (x @ v), axis=-1)) <= (100 * eps + shown) * size)


@BOTH
@pytest.mark.parametrize("p", [None, [0.2, 0.0, 0.8], [1.0, 0.0, 0.0]])
@pytest.mark.parametrize("gamma", [1e-15, 0.7, 1e9])
def test_the_best_linear_predictor_has_the_least_risk(gamma, p, x64):
    with precision(x64) as eps:
        task, teacher = Task(5, 3, gamma, p=p), random_teacher(5, key=KEYS[4])
        beta = predictors.best_linear(task, teacher)
        least = float(risk.linear_excess_risk(task))
        got = float(risk.linear_rule_excess_risk(beta, task, teacher))
        exact = 1e-30 if x64 else 1e-12  # by which the teacher's directions are not orthogonal
        assert abs(got - least) <= eps * gamma**2 + exact
        nothing = float(risk.linear_rule_excess_risk(0 * beta, task, teacher))
        assert nothing == pytest.approx(gamma**2, rel=10 * eps)
        for n, key in enumerate(KEYS[:4]):
            other = beta + 10.0 ** (-n) * jax.random.normal(key, (3, 5))
            assert least <= float(risk.linear_rule_excess_risk(other, task, teacher)) * (1 + eps)
        X = np.random.default_rng(5).normal(size=(7, 3, 5)) * 1e9
        wanted = np.sum(X * np.asarray(beta, np.float64), axis=(1, 2))
        np.testing.assert_allclose(predictors.linear(X, beta), wanted, atol=100 * eps * 1e9)


@BOTH
@pytest.mark.parametrize("n", [1, 4, 60])
@pytest.mark.parametrize("size", [0.0, 1e-9, 1.0, 1e6])
def test_fitted_predictors(size, n, x64):
    """Least squares leaves errors that no token explains; a penalty only shortens the rest."""
    random = np.random.default_rng(6)
    X, y = size * random.normal(size=(n, 2, 3)), random.normal(size=n)
    rows = X.reshape(n, -1)
    with precision(x64) as eps:
        beta = np.asarray(predictors.least_squares(X, y), np.float64).ravel()
        left = rows.T @ (y - rows @ beta)
        assert np.all(np.isfinite(beta)) and np.all(np.abs(left) <= 1e3 * eps * n * max(size, 1))
        for fit, norm in (
            (predictors.lasso, lambda b: np.sum(np.abs(b))),
            (predictors.group_lasso, lambda b: np.sum(np.linalg.norm(b, axis=-1))),
        ):
            most = n and float(np.max(np.abs(rows.T @ y))) / n + 1e-9
            assert not np.any(fit(X, y, 3 * most, steps=5))
            for penalty in (0.0, 1e-3 * most):
                beta = np.asarray(fit(X, y, penalty, steps=60), np.float64)
                assert np.all(np.isfinite(beta)) and (size or not np.any(beta))
                cost = np.mean((y - rows @ beta.ravel()) ** 2) / 2 + penalty * norm(beta)
                assert cost <= np.mean(y**2) / 2 * (1 + 1e3 * eps)


@BOTH
@pytest.mark.parametrize("lam", [0.0, 1e-9, 1.0, 1e6])
def test_one_head_over_cls_is_softmax_attention(lam, x64):
    random = np.random.default_rng(7)
    with precision(x64) as eps:
        X = random.normal(size=(9, 3, 5))
        k, v, cls = (np.asarray(x) for x in (X[0, 0], X[0, 1], 1e6 * X[0, 2]))
        head = predictors.matrices_of(k, v, lam, cls)
        w = np.asarray(predictors.cls_weights(X, cls, head.query, head.key, True))
        np.testing.assert_allclose(w.sum(-1), 1, rtol=100 * eps)
        assert np.all(w[:, 0] == 0)
        if lam * eps < 1e-7:
            got = predictors.cls_attention(X, cls, *head, mask_cls=True)[:, 0]
            wanted = predictors.softmax_attention(X, k, v, lam)
            np.testing.assert_allclose(got, wanted, atol=1e3 * eps * (1 + lam))


# --- the risk of vectors, of several heads, and of any activation ------------------------------


@BOTH
@pytest.mark.parametrize("gamma", [1e-9, 0.7, 1e3])
def test_vectors_of_any_length_and_one_head_or_two(gamma, x64):
    """One head, the same head in two halves, and the formula of one; then lam and |k| exchanged."""
    random = np.random.default_rng(8)
    with precision(x64) as eps:
        teacher, task = random_teacher(4, key=KEYS[5]), Task(4, 3, gamma)
        several = Teacher(*(x[None] for x in teacher))
        k, v = (np.asarray(sphere.project(random.normal(size=4))) for _ in range(2))
        o = overlaps.overlaps_of(k, v, teacher)
        for lam in (0.0, 1e-9, 0.1, 3.0, 1e3, 1e9):
            wanted = float(risk.excess_risk(o, lam, task))
            size = float(np.sum(np.abs(np.array(risk.risk_terms(o, lam, task), float))))
            slack = 1e3 * eps * size * (1 + (0 if x64 else min(lam * max(gamma, 1), 1e9)))
            assert float(risk.excess_risk_of(k, v, teacher, lam, task)) == pytest.approx(
                wanted, abs=slack
            )
            if lam and lam <= 1e3:
                longer = risk.excess_risk_of(1e3 * k, v, teacher, lam / 1e3, task)
                assert float(longer) == pytest.approx(wanted, abs=slack)
            assert float(risk.excess_risk_of(k, 0 * v, teacher, lam, task)) == pytest.approx(
                gamma**2, rel=1e-3
            )
            loose = max(slack, 1e-4 * size if lam * gamma > 1e5 or lam > 1e5 else 1e-8 * size)
            if x64 or lam * max(gamma, 1) <= 10:
                alone = heads.excess_risk(k[None], v[None], several, lam, task)
                assert float(alone) == pytest.approx(wanted, abs=loose)
                halves = np.stack([k, -k]), np.stack([v, -v]) / 2
                two = heads.excess_risk(*halves, several, lam, task)
                assert float(two) == pytest.approx(wanted, abs=loose)


def test_any_activation_is_erf_or_the_identity():
    o = overlaps.random_overlaps(KEYS[6], 5, (20,))
    for gamma in (1e-9, 0.7, 5.0):
        for lam in (0.0, 1e-9, 0.3, 1.0):
            task = Task(5, 4, gamma)
            got = risk.activation_excess_risk(jax.scipy.special.erf, o, lam, task)
            np.testing.assert_allclose(got, risk.excess_risk(o, lam, task), atol=1e-8, rtol=1e-8)
            line = risk.activation_excess_risk(jnp.asarray, overlaps.ORACLE, lam, task)
            wanted = risk.linear_attention_excess_risk(lam, task)
            np.testing.assert_allclose(line, wanted, rtol=1e-8, atol=1e-15)
    told = refusal(lambda: risk.activation_excess_risk(jnp.sign, o, 1e9, Task(5, 4)))
    assert told.startswith("quadrature has not converged (estimated error")


@pytest.mark.parametrize("gamma", [1e-15, 1e-3, 0.7, 1e3, 1e9])
@pytest.mark.parametrize("d", [2, 400, 1e18])
def test_the_risk_of_bayes_by_draws(d, gamma):
    """Between zero and the null risk; for two tokens the integral, up to the error of the draws."""
    task = Task(d, 2, gamma)
    found = risk.bayes_excess_risk(task, key=KEYS[7], samples=4000)
    assert 0 <= found.mean <= gamma**2 + OFF * found.error and np.isfinite(found.error)
    exact = np.exp(float(risk.bayes_log_ceiling(task)))
    assert abs(found.mean - exact) <= OFF * found.error + 1e-9 * exact + 1e-300
    with jax.enable_x64(False):
        single = risk.bayes_excess_risk(task, key=KEYS[7], samples=4000)
    np.testing.assert_allclose(single, found, rtol=1e-5, atol=1e-300)
    assert risk.bayes_excess_risk(Task(d, 1, gamma), key=KEYS[7], samples=2) == (0, 0)
