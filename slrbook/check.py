"""A check of the book: one line that states a claim, with the code that verifies it.

On a page the checks of a section are folded behind one badge, and each line unfolds the code of its
cell (tags ``hide-input`` and ``check``). A check that fails shows a cross and raises an error.
"""

from html import escape

from IPython.display import HTML, display


def check(claim: str, *holds: object) -> None:
    """Show ``claim``, with a tick if all of ``holds`` are true, else with a cross and an error."""
    false = [str(i) for i, each in enumerate(holds, 1) if not each]
    mark, kind = ("✗", "fails") if false else ("✓", "holds")
    display(HTML(f'<p class="slr-check slr-{kind}"><b>{mark}</b> {escape(claim)}</p>'))
    if false:
        which = f"condition {', '.join(false)} of {len(holds)}"
        raise AssertionError(f"{which} does not hold: {claim}")
