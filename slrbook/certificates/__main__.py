"""Make all certificates afresh: ``python -m slrbook.certificates``, a few seconds."""

import json

from slrbook.certificates import STORED
from slrbook.certificates.claims import CLAIMS


def made() -> dict[str, dict]:
    """Every certificate by name; an error if a claim does not hold."""
    found = {name: claim.made() for name, claim in CLAIMS.items()}
    for name, claim in CLAIMS.items():
        if not claim.verified(found[name]):
            raise ArithmeticError(f"the certificate of {name} does not hold")
    return found


if __name__ == "__main__":
    STORED.write_text(json.dumps(made(), indent=1) + "\n", "utf-8")
    print(f"{len(CLAIMS)} certificates in {STORED}")
