"""The card under a figure of the paper: how it is made, and how it compares."""

from html import escape

from IPython.display import HTML, display


def card(name: str, *, paper: str = "", ours: str = "", verdict: str = "") -> None:
    """Show the command that makes the stored result ``name``, the paper's value and ours."""
    lines = {
        "Make it": f"python -m slrlib {name} --out {name}.pdf",
        "The paper": paper,
        "This book": ours,
        "Verdict": verdict,
    }
    items = "".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in lines.items() if v)
    display(HTML(f'<dl class="slr-card">{items}</dl>'))
