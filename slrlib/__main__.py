"""One line a figure: ``python -m slrlib fig4a --d 1000 --lam0 0.5 --seed 3 --out fig4a.pdf``."""

import sys


def main() -> int:
    """The exit status of a line."""
    from slrbook.command import figure  # the only time that slrlib asks for its pages

    return figure.main()


if __name__ == "__main__":
    sys.exit(main())
