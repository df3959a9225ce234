"""One line a figure: ``python -m slrlib fig4a --d 1000 --lam0 0.5 --seed 3 --out fig4a.pdf``."""

import sys


def main() -> int:
    """The exit status of a line."""
    from slrbook.command import stopping  # the only time that slrlib asks for its pages

    stopping.while_importing("stopped before it began")
    from slrbook.command import figure

    status = figure.main()
    if status == stopping.BY_CTRL_C:
        stopping.leave()  # what other threads compile is not waited for
    return status


if __name__ == "__main__":
    sys.exit(main())
