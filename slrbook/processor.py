"""Compiler flags of chapters and tests, and the folder in which they keep compiled programs.

A program that was compiled for one processor may not run on another, so each kind of processor
has a folder of its own.
"""

import hashlib
import os
import platform
from pathlib import Path

# These flags halve XLA's work, because most programs of chapters and tests run once or twice.
FAST_XLA_FLAGS = (
    "--xla_cpu_use_fusion_emitters=false --xla_cpu_parallel_codegen_split_count=1 "
    "--xla_backend_optimization_level=2"
)


def key() -> str:
    """Return eight hexadecimal digits that identify the kind of processor.

    They are a hash of its name, of the instruction sets that the system lists, and of XLA_FLAGS.
    """
    told = [platform.machine(), platform.processor(), os.environ.get("XLA_FLAGS", "")]
    listed = Path("/proc/cpuinfo")
    if listed.exists():
        lines = listed.read_text("utf-8", "replace").splitlines()
        wanted = ("flags", "Features", "model name")
        told += [next((line for line in lines if line.startswith(word)), "") for word in wanted]
    return hashlib.sha256("\n".join(told).encode()).hexdigest()[:8]


if __name__ == "__main__":
    print(key())
