"""The card under a figure: how it was made, and how it compares with the paper."""

from collections.abc import Mapping
from html import escape
from typing import Any

from IPython.display import HTML

from slrbook.command import numbers
from slrlib import store
from slrlib.experiments import catalogue, registry
from slrlib.experiments.base import cpu_seconds


def card(name: str, *, paper: str = "", ours: str = "", verdict: str = "") -> HTML:
    """Show the command that makes the figure ``name``, the paper's value and ours.

    For a stored result, the card shows the machine and the versions that its header records.
    """
    command = f"python -m slrlib {name} --out {name}.pdf"
    more = f"<code>python -m slrlib {name} --help</code> lists them"
    lines = {"Make it": f"<code>{escape(command)}</code>"}
    lines |= {"Other parameters": more} if dict(numbers(catalogue.ALL[name])) else {}
    said = {"The paper": paper, "This book": ours, "Verdict": verdict, **made(name)}
    lines |= {title: escape(words) for title, words in said.items() if words}
    items = "".join(f"<dt>{title}</dt><dd>{words}</dd>" for title, words in lines.items())
    title = "How this was made" + (", and how it compares" if paper or ours else "")
    opens = f'<details class="slr-made"><summary>{title}</summary>'
    return HTML(f'{opens}<dl class="slr-card">{items}</dl></details>')


def made(name: str) -> dict[str, str]:
    """Describe how the result ``name`` was made: from its header, or in this process."""
    experiment, stored = catalogue.ALL[name], name in catalogue.STORED
    if stored:
        there = registry.locate(experiment)
        assert there is not None  # the page has drawn it
        header = there[2]
        file = experiment.file("").name
        data = {"Data": f"results/{file}, which 'make results' makes if it is missing"}
    else:
        header = {"experiment": experiment.described(), "seconds": cpu_seconds.get(name)}
        header |= {"versions": store.versions(), "machine": store.machine()}
        header["revision"], data = experiment.revision, {}
    packages = ("slrlib", "jax", "numpy", "python")
    return {
        "Seed": str(header["experiment"].get("seed", "")),
        "Computed": "" if stored else "while this page was made",
        "Processor time": duration(header.get("seconds")),
        "Processor": processor(header["machine"]),
        "Made with": ", ".join(f"{name} {header['versions'][name]}" for name in packages),
        "Revision": f"{header.get('revision', 1)} of this kind of experiment",
        **data,
    }


def duration(seconds: float | None) -> str:
    """Describe a duration in seconds or minutes."""
    if seconds is None:
        return ""
    if seconds < 1.5:
        return "about a second" if seconds > 0.5 else "less than a second"
    return f"{seconds:.0f} seconds" if seconds < 120 else f"{seconds / 60:.0f} minutes"


def processor(machine: Mapping[str, Any]) -> str:
    """Describe a machine, for example as ``x86_64 with AVX512, 1 thread``."""
    threads = machine["threads"]
    many = f"{threads} thread{'s' if threads != 1 else ''}"
    return f"{machine['architecture']} with {machine['instructions']}, {many}"
