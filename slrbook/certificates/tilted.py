"""The tilted minimum at one lam: a box of two angles that holds one, and the bends of the risk.

In the plane of k* and v* let k be at the angle phi and v at chi from k*.
"""

from dataclasses import dataclass

from flint import arb, arb_series

from slrbook.certificates.claim import Claim
from slrbook.certificates.closed import Setting, along, excess_risk


@dataclass(frozen=True)
class Tilted(Claim):
    """A strict local minimum of lower risk than the pair, near two given angles."""

    setting: Setting
    lam: tuple[int, int]
    says: str
    guess: tuple[float, float] = (-1.32, 1.22)
    radius: float = 2.0**-40
    bits: int = 160

    def found(self) -> dict:
        """By Newton's method, from a guess."""
        at = [arb(x) for x in self.guess]
        for _ in range(30):
            (slope, other), (a, b, d) = self._slopes(at)
            det = a * d - b * b
            step = (d * slope - b * other) / det, (a * other - b * slope) / det
            at = [(x - move).mid() for x, move in zip(at, step, strict=True)]
        return {"angles": [float(x) for x in at]}

    def proved(self, stored: dict) -> bool:
        """Krawczyk's test in the box, then all bends of the risk, then the risk itself."""
        middle = [arb(x) for x in stored["angles"]]
        box = [arb(x, self.radius) for x in stored["angles"]]
        lam, one, zero = arb(self.lam[0]) / self.lam[1], arb(1), arb(0)
        pair = excess_risk((one, one, zero, zero, zero), lam, self.setting)
        lower = excess_risk(_in_plane(*box), lam, self.setting) < pair
        return lower and self._one_inside(middle, box) and self._bends_up(box)

    def _slopes(self, at: list[arb]) -> tuple[tuple[arb, arb], tuple[arb, arb, arb]]:
        """The two slopes in the angles, and the second derivatives (a, b, d)."""
        lam = arb(self.lam[0]) / self.lam[1]
        moved = {}
        for move in ((1, 0), (0, 1), (1, 1)):
            angles = (arb_series([x, m], prec=3) for x, m in zip(at, move, strict=True))
            moved[move] = along(_in_plane(*angles), lam, self.setting)
        (first, a), (second, d), (_, both) = moved.values()
        return (first, second), (a, (both - a - d) / 2, d)

    def _one_inside(self, middle: list[arb], box: list[arb]) -> bool:
        """Krawczyk: the box holds one point of slope zero, and no other."""
        slopes, (a, b, d) = self._slopes(middle)
        det = (a * d - b * b).mid()
        inverse = [[d.mid() / det, -b.mid() / det], [-b.mid() / det, a.mid() / det]]
        _, (a, b, d) = self._slopes(box)
        bends, wide = [[a, b], [b, d]], [x - m for x, m in zip(box, middle, strict=True)]
        for i in range(2):
            image = middle[i] - sum(inverse[i][j] * slopes[j] for j in range(2))
            for k in range(2):
                left = int(i == k) - sum(inverse[i][j] * bends[j][k] for j in range(2))
                image += left * wide[k]
            if not box[i].contains_interior(image):
                return False
        return True

    def _bends_up(self, box: list[arb]) -> bool:
        """Every bend of the risk, in the plane and out of it, is positive in the box."""
        _, (a, b, d) = self._slopes(box)
        lam = arb(self.lam[0]) / self.lam[1]
        h = arb_series([0, 1], prec=3)
        kappa, nu, theta, eta, rho = _in_plane(*box)
        cos, sin = h.cos(), h.sin()
        turns = (
            (kappa * cos, nu, theta, eta * cos, rho * cos),  # of k
            (kappa, nu * cos, theta * cos, eta, rho * cos),  # of v
            (*(x * cos for x in (kappa, nu, theta, eta)), rho * cos * cos + sin * sin),
        )
        k, v, both = (along(turn, lam, self.setting)[1] for turn in turns)
        mixed = (both - k - v) / 2
        return a > 0 and a * d > b * b and k > 0 and k * v > mixed * mixed


def _in_plane(phi, chi) -> tuple:
    return phi.cos(), chi.sin(), chi.cos(), phi.sin(), (phi - chi).cos()
