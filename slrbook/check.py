"""A check of the book: one line that states a claim, with the code that verifies it.

On a page the checks of a section are folded behind one badge, and each line unfolds the code of its
cell (tags ``hide-input`` and ``check``). A check that fails shows a cross and raises an error.
"""

from html import escape

from IPython.display import HTML, display


def check(claim: str, *holds: object) -> None:
    """Show ``claim``, with a tick if all of ``holds`` are true, else with a cross and an error."""
    true = all(bool(each) for each in holds)
    mark = "✓" if true else "✗"
    kind = "holds" if true else "fails"
    display(HTML(f'<p class="slr-check slr-{kind}"><b>{mark}</b> {escape(claim)}</p>'))
    if not true:
        raise AssertionError(f"does not hold: {claim}")
