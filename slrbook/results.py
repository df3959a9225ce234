"""The stored results of the chapters: ``python -m slrbook.results results`` makes them all.

Two processes share the work; finished results are left alone, and an interrupted run goes on where
it was stopped.
"""

import sys

from slrbook.command.making import main

if __name__ == "__main__":
    sys.exit(main())
