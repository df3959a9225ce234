"""Two heads: on the uninformative tokens the outputs of two heads cancel."""

import math

import jax.numpy as jnp

from slrbook.explorers.base import Explorer
from slrbook.explorers.law import erf_weight, oracle, token
from slrbook.explorers.parts import Control, Step, Why, spread
from slrlib.special import mean_erf, mean_erf_prime, zeta, zeta_zero

A = 1.7612  # lambda sqrt(d/2) at which two heads output the full label


def _with_itself(lam, gamma):
    """Return E[erf(lam y) y] for a centered normal y with standard deviation gamma."""
    return 2 / math.sqrt(math.pi) * lam * gamma**2 / jnp.sqrt(1 + 2 * (lam * gamma) ** 2)


def two(lam, d, L, gamma):
    """Return the excess risk of the two heads (k*, -v*) and (v*, k*) with one informative token."""
    r, g = jnp.sqrt(d / 2), lam * gamma
    read = mean_erf(lam * r, g)
    by_k = zeta_zero(g) * (r**2 + gamma**2)
    by_v = gamma**2 * (1 + 2 * read + zeta(lam * r, g))
    both = _with_itself(lam, gamma) * (r + r * read + g * gamma * mean_erf_prime(lam * r, g))
    noise = zeta_zero(lam) - _with_itself(lam, 1.0) ** 2
    return by_k + by_v - 2 * both + 2 * (L - 1) * noise


class TwoHeads(Explorer):
    """What each head adds to the output on each token, and the excess risk against L."""

    question = "Can two heads cancel the noise of the other tokens?"
    note = (
        "Head 1 is (k*, −v*) and head 2 is (v*, k*), both with λ = a / √(d/2); the single head is "
        "(k*, v*). Left: what each head adds to the output for each token of one sequence. Green: "
        "the informative token, for which the sum should equal the label. Right: the exact excess "
        "risk."
    )
    python = """\
import numpy as np
from slrlib import Task, Teacher, heads, landscape, risk

e, task, lam = np.eye(2), Task(d={d}, L={L}, gamma={gamma}), {a} / np.sqrt({d} / 2)
K, V = np.array([e[0], e[1]]), np.array([-e[1], e[0]])
two = heads.excess_risk(K, V, Teacher(e[:1], e[1:]), lam, task)
one, best = risk.oracle_excess_risk(lam, task), landscape.best_lam(task)[1]
print("two heads", two, "one head at this lambda", one, "at its best lambda", best)
"""
    asks = (
        Step(
            "With L = 10 tokens the two heads have excess risk 0.0046. What is it with 100?",
            "two",
            "It is {two}, because the outputs of the two heads nearly cancel on every "
            "uninformative token. One head at its best λ has {best}.",
            {"L": 100},
            ("almost the same", "about 0.05, ten times as large"),
            cuts=(0.02,),
        ),
        Step(
            "Now a = 1 instead of 1.76, so λ is smaller. Which has the lower excess risk?",
            ("two", "best"),
            "Two heads have {two} and one head at its best λ has {best}. At this λ the two heads "
            "output only a fraction of the label.",
            {"a": 1},
            ("the two heads", "one head at its best λ"),
        ),
    )
    why = Why(
        "On an uninformative token with components x along k* and y along v*, the two heads add "
        "erf(λy)·x − erf(λx)·y. The terms linear in λ cancel. Next, show one head and compare the "
        "bars labeled “others in sum”.",
        "two heads cancel the noise",
        "several_heads",
        "two-heads-cancel",
    )
    functions = {"twoHeads": two, "oneHead": oracle, "token": token, "erfWeight": erf_weight}

    a = Control(A, 0.3, 4.0, sign="a", words="= λ √(d/2)", log=True)
    L = Control(10, 2, 100, sign="L", words="tokens", log=True, whole=True)
    d = Control(400, 20, 1e5, sign="d", words="dimension", log=True, whole=True)
    gamma = spread()
    seed = Control(28, 0, 9999, whole=True, place="hidden")
    heads = Control(2, 1, 2, whole=True, place="hidden")
