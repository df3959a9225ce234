"""One Ctrl-C ends a command within two seconds: while it imports, and while it compiles.

An import that is torn may swallow the interrupt, and compiled code does not hear it until it is
done. All files appear whole or not at all, so a process may end at any moment. Where Ctrl-C is
ignored from the beginning, as in the background of a shell, it stays so.
"""

import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NoReturn

BY_CTRL_C = 130  # the exit status that a shell gives for it
GOES_ON = "stopped; the same command goes on"
_PATIENCE = 1.0  # seconds that Python has to hear of it


def own_line(otherwise: str = "") -> str:
    """What begins a line where a terminal shows ^C, and a bar that was not closed."""
    return "\r\x1b[K" if os.isatty(2) else otherwise


def at_once(said: str) -> NoReturn:
    """End the process with one line."""
    begun = own_line("\n")
    os.write(2, f"{begun}{said}\n".encode())
    os._exit(BY_CTRL_C)


def leave() -> NoReturn:
    """End the process where all has been said."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(BY_CTRL_C)


def while_importing(said: str) -> None:
    """From here on Ctrl-C ends the process, until ``heard`` or another handler takes over."""
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, lambda *_: at_once(said))


@contextmanager
def heard(said: Callable[[], str]) -> Iterator[None]:
    """Ctrl-C raises ``KeyboardInterrupt`` here; a body that goes on for a second is ended."""
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    over, last = threading.Event(), signal.set_wakeup_fd(writer.fileno())

    def watch():
        with reader:
            while told := reader.recv(1):  # nothing once the writer is closed
                if told[0] == signal.SIGINT and not over.wait(_PATIENCE):
                    at_once(said())

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        over.set()
        signal.set_wakeup_fd(last)
        writer.close()
        signal.signal(signal.SIGINT, before)
