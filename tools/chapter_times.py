"""Print what each chapter costs, without programs compiled before: ``make times``.

Names of chapters restrict the table to them. The peak of memory is a maximum, not a sum.
"""

import sys
import tempfile
from pathlib import Path

from slrbook import chapters
from slrbook.execute import run_all
from slrbook.progress import Progress

COLUMNS = {
    "wall": ("wall s", "13.1f"),
    "cpu": ("CPU s", "13.1f"),
    "programs": ("programs", "13.0f"),
    "compiling": ("compiling s", "13.1f"),
    "memory": ("peak GB", "13.2f"),
}


def table(costs: dict[str, dict[str, float]]) -> str:
    """Write one line for each chapter, and one for all of them."""
    whole = {name: sum(cost.get(name, 0) for cost in costs.values()) for name in COLUMNS}
    whole["memory"] = max((cost.get("memory", 0) for cost in costs.values()), default=0)
    lines = [f"{'chapter':24s}" + "".join(f"{head:>13s}" for head, _ in COLUMNS.values())]
    for page, cost in {**costs, "all": whole}.items():
        cells = (f"{cost.get(name, 0):{form}}" for name, (_, form) in COLUMNS.items())
        lines.append(f"{page:24s}" + "".join(cells))
    return "\n".join(lines)


def main() -> int:
    root, wanted = Path.cwd(), sys.argv[1:]
    pages = [p for p in chapters.notebooks(root) if not wanted or Path(p).name in wanted]
    with tempfile.TemporaryDirectory() as empty:
        more = {"JAX_COMPILATION_CACHE_DIR": empty}
        outcomes = run_all(root, pages, Progress(len(pages)), threads=1, more=more)
    print(table({outcome.name: outcome.cost for outcome in outcomes}))
    failures = [failure for outcome in outcomes for failure in outcome.failures]
    for failure in failures:
        print(f"FAILED: {failure}")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
