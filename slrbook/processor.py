"""What kind of processor this is, so that a program compiled for one is never read by another."""

import hashlib
import os
import platform
from pathlib import Path


def features() -> str:
    """The name and the instructions of the processor, as far as the system tells."""
    told = [platform.machine(), platform.processor(), os.environ.get("XLA_FLAGS", "")]
    listed = Path("/proc/cpuinfo")
    if listed.exists():
        lines = listed.read_text("utf-8", "replace").splitlines()
        wanted = ("flags", "Features", "model name")
        told += [next((line for line in lines if line.startswith(word)), "") for word in wanted]
    return "\n".join(told)


def key() -> str:
    """Eight letters that differ from one kind of processor to another."""
    return hashlib.sha256(features().encode()).hexdigest()[:8]


if __name__ == "__main__":
    print(key())
