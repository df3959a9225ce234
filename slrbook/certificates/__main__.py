"""Make all certificates afresh: ``python -m slrbook.certificates``, half a minute."""

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
    lines = (f"{json.dumps(name)}: {json.dumps(found)}" for name, found in made().items())
    STORED.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")  # a line each
    print(f"{len(CLAIMS)} certificates in {STORED}")
