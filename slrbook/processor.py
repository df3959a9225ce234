"""How chapters and tests compile, and where they keep compiled programs.

A program that was compiled for one processor may not run on another, so each kind of processor
has a folder of its own.
"""

import hashlib
import os
import platform
from pathlib import Path

# XLA compiles with half of its work: most programs of chapters and tests run once or twice.
FAST_XLA_FLAGS = (
    "--xla_cpu_use_fusion_emitters=false --xla_cpu_parallel_codegen_split_count=1 "
    "--xla_backend_optimization_level=2"
)


def key() -> str:
    """Eight letters that differ from one kind of processor to another.

    They stand for its name and its instructions, as far as the system tells.
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
