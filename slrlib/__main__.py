"""The command line: ``python -m slrlib fig4a --d 200 --lam0 0.5 --seed 3 --out fig4a.pdf``."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line and return its exit status."""
    from slrbook import command  # the only import of slrbook in slrlib

    return command.main()


if __name__ == "__main__":
    sys.exit(main())
