"""A sentence that the book calls certified, and its proof."""

from collections.abc import Callable
from dataclasses import dataclass

from flint import ctx


@dataclass(frozen=True)
class Claim:
    """``proof(*given)`` returns the numbers in the sentence, or raises an ArithmeticError.

    All proofs are deterministic, so the tests compute each certificate again and compare.
    """

    says: str
    proof: Callable[..., dict]
    given: tuple
    bits: int = 128  # precision of the balls

    def made(self) -> dict:
        """Prove the claim and return its certificate."""
        ctx.prec = self.bits
        found = self.proof(*self.given)
        return {"claim": self.says.format(**found), **found}


def proved(holds: bool, what: str) -> None:
    """Raise an error unless this step ``holds``."""
    if not holds:
        raise ArithmeticError(f"not proved: {what}")
