"""Folded proofs of long pages: their text becomes HTML elements only when a reader opens them.

Most elements of such a page are in closed folds, and the browser need not lay them out.
"""

import re

MANY = 5_000  # elements of a page before scripts add some
LARGE = 100  # elements of a fold
ELEMENT = re.compile(r"<[A-Za-z]")
FOLD = re.compile(r"<details\b[^>]*>|</details>")
CONTENT = '<div class="sd-summary-content'


def _held(fold: str) -> str:
    """Put the content of a fold, from ``<details>`` to ``</details>``, into ``<noscript>``."""
    begin, end = fold.find(">", fold.find(CONTENT)) + 1, fold.rfind("</div>")
    inner = fold[begin:end]
    if "sd-dropdown" not in fold[:80] or len(ELEMENT.findall(inner)) < LARGE:
        return fold
    return f"{fold[:begin]}<noscript>{inner}</noscript>{fold[end:]}"


def held(page: str) -> str:
    """Put the content of the large dropdowns of a page into ``<noscript>``, if it is a long page.

    A browser that runs scripts treats this content as text, which folds.js converts to elements.
    Without scripts the page looks the same as before.

    Parameters
    ----------
    page : str
        A page of the site.

    Returns
    -------
    str
        The same page with fewer elements.

    Examples
    --------
    >>> held("<details><summary>Proof</summary></details>")
    '<details><summary>Proof</summary></details>'
    """
    if len(ELEMENT.findall(page)) < MANY:
        return page
    parts, done, depth = [], 0, 0
    for tag in FOLD.finditer(page):
        ends = tag[0] == "</details>"
        depth += -1 if ends else 1
        if depth == (not ends):  # the outermost of nested folds
            part, done = page[done : tag.start()], tag.start()
            parts.append(_held(part) if ends else part)
    return "".join([*parts, page[done:]])
