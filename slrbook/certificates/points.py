"""Claims on single lams: two risks, the fixed points on M, and a slope."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

from flint import arb

from slrbook.certificates.claim import Claim
from slrbook.certificates.closed import Setting, excess_risk, free_theta, letters, mean_slope
from slrbook.certificates.thresholds import hull, sign


@dataclass(frozen=True)
class Inequality(Claim):
    """A claim that ``holds`` sees by itself, so that nothing but its sentence is stored."""

    holds: Callable[..., bool]
    given: tuple
    says: str

    def proved(self, stored: dict) -> bool:
        return self.holds(*self.given)


def last_risks(setting: Setting, inverse: str) -> bool:
    """At lam = 1 / ``inverse`` the swapped family has a lower risk than the pair."""
    lam, one, zero = 1 / arb(inverse), arb(1), arb(0)
    theta = free_theta(lam, 1, setting)
    swapped = excess_risk((zero, zero, theta, one, zero), lam, setting)
    return theta < 1 and swapped < excess_risk((one, one, zero, zero, zero), lam, setting)


def spoiled_mean(setting: Setting, low: str, high: str, part: str) -> bool:
    """With a mean of ``part`` r k* of the other tokens the risk on M rises at (k*, v*)."""
    mean = arb(part) * (arb(setting.d) / 2).sqrt()
    return mean_slope(arb(low).union(arb(high)), mean, setting) > 0


@dataclass(frozen=True)
class FivePoints(Claim):
    """On the square of (kappa, nu) descent stands still at the corners and the centre only.

    The cuts of the square are a word: 1 where it is cut into four, k or n where the speed of kappa
    or of nu has one sign, j where the matrix of their slopes cannot be singular, so that no two
    zeros lie in this piece; and then one of the five points must.
    """

    setting: Setting
    lam: tuple[int, int]
    says: str

    def found(self) -> dict:
        return {"cuts": self._cuts(-1.0, 1.0, -1.0, 1.0)}

    def proved(self, stored: dict) -> bool:
        word = iter(stored["cuts"])
        return self._seen(word, -1.0, 1.0, -1.0, 1.0) and next(word, None) is None

    def _cuts(self, *square: float) -> str:
        for kind in "knj":
            if self._sees(kind, *square):
                return kind
        return "1" + "".join(self._cuts(*part) for part in _quarters(*square))

    def _seen(self, word: Iterator[str], *square: float) -> bool:
        kind = next(word, "")
        if kind == "1":
            return all([self._seen(word, *part) for part in _quarters(*square)])
        return kind in tuple("knj") and self._sees(kind, *square)

    def _sees(self, kind: str, left: float, right: float, low: float, high: float) -> bool:
        kappa, nu = hull(left, right), hull(low, high)
        speeds, ((a, b), (c, d)) = self.field(kappa, nu)
        if kind != "j":
            return sign(speeds["kn".index(kind)]) != 0
        known = [(0, 0), *product((-1, 1), repeat=2)]
        inside = sum(left <= k <= right and low <= n <= high for k, n in known)
        return inside == 1 and sign(a * d - b * c) != 0

    def field(self, kappa: arb, nu: arb) -> tuple:
        """((1 - kappa^2) g_kappa, (1 - nu^2) g_nu) and its slopes in kappa and nu."""
        s = letters(arb(self.lam[0]) / self.lam[1], 1, self.setting)
        A = s.lam * s.a
        x, flat_k, flat_n = A * kappa, 1 - kappa**2, 1 - nu**2
        E1, F = s.c * (-(x**2)).exp(), (x * s.psi).erf()
        F1 = s.c * s.psi * (-((x * s.psi) ** 2)).exp()
        push = 2 * s.gg * A * E1
        g_k, g_n = push * (F - nu), -2 * s.gg * x.erf()
        g_kk = push * A * (F1 - 2 * x * (F - nu))
        by_kappa = flat_k * g_kk - 2 * kappa * g_k, -flat_k * push
        by_nu = -flat_n * push, -2 * nu * g_n
        return (flat_k * g_k, flat_n * g_n), (by_kappa, by_nu)


def _quarters(left: float, right: float, low: float, high: float) -> list[tuple[float, ...]]:
    k, n = (left + right) / 2, (low + high) / 2
    return [(*a, *b) for a in ((left, k), (k, right)) for b in ((low, n), (n, high))]
