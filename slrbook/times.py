"""`make times`: the cost of each chapter with nothing compiled before."""

import sys
import tempfile
from pathlib import Path

from slrbook import chapters
from slrbook.execute import Outcome, run_all
from slrbook.progress import Progress

_COLUMNS = {
    "wall": ("wall s", "{:.1f}"),
    "cpu": ("CPU s", "{:.1f}"),
    "programs": ("programs", "{:.0f}"),
    "compiling": ("compiling s", "{:.1f}"),
    "memory": ("peak GB", "{:.2f}"),
}


def table(outcomes: list[Outcome]) -> str:
    """One line a chapter, the sums last (the peak is no sum)."""
    lines = [f"{'chapter':20s}" + "".join(f"{head:>13s}" for head, _ in _COLUMNS.values())]
    for outcome in outcomes:
        cells = [form.format(outcome.cost.get(n, 0)) for n, (_, form) in _COLUMNS.items()]
        lines.append(f"{outcome.name:20s}" + "".join(f"{cell:>13s}" for cell in cells))
    sums = []
    for name, (_, form) in _COLUMNS.items():
        each = [outcome.cost.get(name, 0) for outcome in outcomes]
        sums.append(form.format(max(each) if name == "memory" else sum(each)))
    return "\n".join([*lines, f"{'all':20s}" + "".join(f"{cell:>13s}" for cell in sums)])


def main() -> int:
    root = Path.cwd()
    pages = [page for page in chapters.notebooks(root) if _is_wanted(page, sys.argv[1:])]
    with tempfile.TemporaryDirectory() as nothing:  # nothing compiled before
        more = {"JAX_COMPILATION_CACHE_DIR": nothing}
        outcomes = run_all(root, pages, Progress(len(pages)), threads=1, more=more)
    print(table(outcomes))
    for outcome in outcomes:
        print(*(f"FAILED: {failure}\n" for failure in outcome.failures), sep="", end="")
    return any(outcome.failures for outcome in outcomes)


def _is_wanted(page: str, names: list[str]) -> bool:
    return not names or Path(page).name in names


if __name__ == "__main__":
    sys.exit(main())
