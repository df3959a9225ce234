"""Compute all certificates: ``python -m slrbook.certificates``, about 15 seconds."""

import json
from argparse import ArgumentParser

from slrbook.certificates import STORED
from slrbook.certificates.claims import CLAIMS

if __name__ == "__main__":
    ArgumentParser("python -m slrbook.certificates", description=__doc__).parse_args()
    made = {name: claim.made() for name, claim in CLAIMS.items()}
    lines = (f"{json.dumps(name)}: {json.dumps(found)}" for name, found in made.items())
    STORED.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")  # a line each
    print(f"{len(CLAIMS)} certificates in {STORED}")
