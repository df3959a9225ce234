"""Where a long build stands: a line for each chapter, and one after each silence."""

import sys
import time

SILENCE = 10.0  # seconds after which a line says where things stand


def clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


class Progress:
    """Told what begins and ends, it says so. ``total`` is the number of chapters."""

    def __init__(self, total: int, out=None):
        self.out = out or sys.stdout
        self.total, self.done = total, 0
        self.now: dict[str, str] = {}  # what runs, and where it stands
        self.begun = self.said = time.monotonic()

    def at(self, name: str, where: str) -> None:
        """``name`` has reached ``where``."""
        self.now[name] = where
        self.tick()

    def end(self, name: str, words: str) -> None:
        """``name`` has ended, and this is to be said of it."""
        self.now.pop(name, None)
        self.done += 1
        self.line(f"[{self.done} of {self.total}] {name}: {words}")

    def line(self, words: str) -> None:
        """A line of its own."""
        print(words, file=self.out, flush=True)
        self.said = time.monotonic()

    def tick(self) -> None:
        """To be called about once a second: nothing is silent for long."""
        if self.now and time.monotonic() - self.said > SILENCE:
            where = "; ".join(f"{name} {place}" for name, place in sorted(self.now.items()))
            done = f"{self.done} of {self.total} chapters done"
            self.line(f"{clock(time.monotonic() - self.begun)}, {done}; {where}")
