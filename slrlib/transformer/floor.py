"""The floor of layer norm: the lowest excess risk of any predictor of normalized tokens.

Layer norm keeps the direction n of the centered informative token and removes two numbers: its
mean, and its length rho. Given only n, both act as noise. Let P be the projection orthogonal to e /
sqrt(d), where e is the vector of ones, m = sqrt(d/2) P k*, and c the cosine of the angle between n
and m. Then (rho, c) has the density rho^(d-2) exp(-(rho^2 - 2 rho |m| c) / (2 gamma^2)) (1 -
c^2)^((d-4)/2) up to a constant, and n is uniform around m. (The 1e-5 in the definition of layer
norm is neglected.)
"""

from __future__ import annotations

import numpy as np

from slrlib import checks
from slrlib.task import Task, Teacher

__all__ = ["risk_floor"]

# Trapezoidal rules have spectral accuracy here, because both densities decay like a Gaussian
# density, with a standard deviation of about 0.6 gamma in the length and 1 / sqrt(d) in the angle.
_LENGTHS = np.linspace(-10.0, 10.0, 161)


def _polar(mean, D):
    """Return nodes (length in units of gamma, cosine) and their probabilities.

    ``mean`` is |m| in units of gamma, and D = d - 1 is the dimension. The axes are (angle, length).
    """
    steep = mean * (mean + np.sqrt(mean**2 + 4 * (D - 1))) / 2  # the angle is small if it is large
    most = np.sqrt((D + 12 * np.sqrt(2 * D) + 100) / max(steep, 1.0))
    most = most if most < 0.5 else np.pi
    angle = np.linspace(0.0, most, 4 * int(np.sqrt(D)) + 200)[1:-1, None]
    c = np.cos(angle)
    mode = (mean * c + np.sqrt((mean * c) ** 2 + 4 * (D - 1))) / 2
    rho = np.maximum(mode + _LENGTHS, 1e-300)
    log = (D - 1) * np.log(rho) - rho * rho / 2 + rho * mean * c + (D - 2) * np.log(np.sin(angle))
    weight = np.where(mode + _LENGTHS > 0, np.exp(log - np.max(log)), 0.0)
    return rho, c, weight / np.sum(weight)


def _floor(k_star, v_star, gamma):
    """Return the floor of one pair, from the formulas of the chapter."""
    d = k_star.size
    k_mean, v_mean = np.sum(k_star) / np.sqrt(d), np.sum(v_star) / np.sqrt(d)
    kept = max(1 - k_mean**2, 1e-30)  # |P k*|^2
    along = (v_mean * k_mean) ** 2 / kept  # the square of P v*'s component along P k*
    across = max(1 - v_mean**2 - along, 0.0) / (d - 2)  # of each other component, on average
    size = np.sqrt(d / 2 * kept) / gamma
    if size > 1e3 * np.sqrt(d):  # the direction is known up to sin^2 = (d - 2) / size^2
        short = (d - 2) / size**2
        return gamma**2 * (v_mean**2 + along * (1 - short) + across * short)
    rho, c, weight = _polar(size, d - 1)
    s = 1 - c * c
    at_angle = np.maximum(np.sum(weight, axis=1, keepdims=True), 1e-300)
    guess = np.sum(weight * rho, axis=1, keepdims=True) / at_angle  # the best guess of the length
    error = rho - guess
    lost = np.sum(weight * (error * error * (along * c * c + across * s)))
    return gamma**2 * (v_mean**2 + lost)


def risk_floor(teacher: Teacher, task: Task) -> np.ndarray:
    """Compute the lowest excess risk of any predictor of LN(X), even one that knows the location.

    LN is layer norm, which centers and normalizes each token.

    Parameters
    ----------
    teacher : Teacher
        k* and v*, arrays of shape (..., d), d >= 4.
    task : Task
        The task; d and gamma enter.

    Returns
    -------
    ndarray
        The excess risk R - noise^2, of shape (...).

    Examples
    --------
    >>> e = np.eye(8)
    >>> round(float(risk_floor(Teacher(e[0], e[1]), Task(d=8, L=5))), 4)
    0.0868

    Book: {eq}`eq-risk-floor`.
    """
    k_star, v_star = (np.asarray(x, float) for x in checks.teacher(teacher))
    checks.task(task, d=k_star.shape[-1])
    if k_star.shape[-1] < 4:
        raise ValueError(f"teacher must live in dimension 4 at least, got {k_star.shape[-1]}")
    of_each = np.vectorize(_floor, otypes=[float], signature="(d),(d),()->()")
    return of_each(k_star, v_star, float(task.gamma))


def joint_risk_floor(teachers: Teacher, task: Task, *, shared_noise: bool = False) -> np.ndarray:
    """Compute the floor of m locations, for ``teachers`` of shape (..., m, d), with shape (...).

    With independent noise the floors of the locations add up. With ``shared_noise`` two normalized
    tokens determine both lengths, because their centered difference is known, and only the mean of
    the noise remains unknown.

    Book: {eq}`eq-risk-floor`.
    """
    k_star, v_star = (np.asarray(x, float) for x in checks.teacher(teachers, "teachers"))
    d, m = k_star.shape[-1], k_star.shape[-2]
    if shared_noise and m > 1:
        return float(task.gamma) ** 2 * np.sum(v_star, axis=(-2, -1)) ** 2 / d
    return np.sum(risk_floor(teachers, task), axis=-1)
