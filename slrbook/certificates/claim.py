"""What all claims share: a certificate is made once, and verified whenever the tests run."""

from flint import ctx


class Claim:
    """A sentence, what is found to prove it, and whether what is stored proves it."""

    says: str
    bits = 128  # of the balls

    def sentence(self, stored: dict) -> str:
        return self.says

    def made(self) -> dict:
        """The certificate; an error, or one that is not verified, if the claim does not hold."""
        ctx.prec = self.bits
        found = self.found()
        return {"claim": self.sentence(found), **found}

    def verified(self, stored: dict) -> bool:
        """Whether ``stored`` proves this claim, and its sentence is that of the claim."""
        ctx.prec = self.bits
        return stored["claim"] == self.sentence(stored) and self.proved(stored)

    def found(self) -> dict:
        """What a proof needs beside the claim."""
        return {}

    def proved(self, stored: dict) -> bool:
        raise NotImplementedError
