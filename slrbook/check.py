"""A check of the book as one line: what holds, with the code behind it.

The line is made by the check itself. On a page the lines of a section stand behind one badge, and
the code of a cell (tags ``hide-input`` and ``check``) opens from its line; a check that fails shows
a cross in its place and stops its cell.
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
