"""The stored results of the chapters: ``python -m slrbook.results results`` makes them all.

Two processes share the work; what is there already is left alone, and an interrupted run goes on
where it was stopped. This file imports little, so that Ctrl-C is heard from the beginning.
"""

import sys

from slrbook.command import stopping


def main() -> None:
    """Make what is missing; the process ends with the exit status."""
    stopping.while_importing(stopping.GOES_ON)
    from slrbook.command import making

    sys.exit(making.main())


if __name__ == "__main__":
    main()
