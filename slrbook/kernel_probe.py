"""What `make book` runs in the kernel of a chapter, besides its cells: it measures the cost."""

import gc
import json
import resource
import sys
from typing import Any

import jax.monitoring

from slrbook.processor import GC_THRESHOLD

_compiled: list[float] = []  # seconds of each compilation


def _listen(event: str, duration_secs: float, **_: Any) -> None:
    if event.endswith("backend_compile_duration"):
        _compiled.append(duration_secs)


def begin() -> None:
    """Count compiled programs from now on."""
    gc.set_threshold(*GC_THRESHOLD)
    jax.monitoring.register_event_duration_secs_listener(_listen)


def end() -> None:
    """Print the cost of the chapter so far as one line of JSON."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    cost = {
        "cpu": used.ru_utime + used.ru_stime,
        "programs": len(_compiled),
        "compiling": sum(_compiled),
        "memory": used.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e9,
    }
    print(json.dumps(cost))
