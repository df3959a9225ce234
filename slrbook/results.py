"""The stored results of the chapters: ``python -m slrbook.results results`` makes them all.

Two processes share the work; what is there already is left alone, and an interrupted run goes on
where it was stopped. This file imports little, so that Ctrl-C is heard from the beginning.
"""

import os
import signal
import sys


def stop_at_once(*_: object) -> None:
    """Ctrl-C while the imports last, which it would otherwise tear."""
    os.write(2, b"\nstopped; the same command goes on\n")
    os._exit(130)


def main() -> None:
    """Make what is missing; the process ends with the exit status."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:  # as in the background
        signal.signal(signal.SIGINT, stop_at_once)
    from slrbook.command import making

    sys.exit(making.main())


if __name__ == "__main__":
    main()
