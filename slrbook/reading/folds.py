"""Proofs of long pages: their text, formula by formula, becomes elements when a reader opens them.

Most elements of such a page stand in folds that are closed, and a browser lays them out for nobody.
"""

import re

MANY = 5_000  # elements of a page; scripts add some
LARGE = 100  # elements of a fold
ELEMENT = re.compile(r"<[A-Za-z]")
FOLD = re.compile(r"<details\b[^>]*>|</details>")
CONTENT = '<div class="sd-summary-content'


def _held(fold: str) -> str:
    """A fold from ``<details>`` up to ``</details>``, its content in ``<noscript>``."""
    begin, end = fold.find(">", fold.find(CONTENT)) + 1, fold.rfind("</div>")
    inner = fold[begin:end]
    if "sd-dropdown" not in fold[:80] or len(ELEMENT.findall(inner)) < LARGE:
        return fold
    return f"{fold[:begin]}<noscript>{inner}</noscript>{fold[end:]}"


def held(page: str) -> str:
    """Write what the large dropdowns of a page hold as ``<noscript>``, if it has many elements.

    A browser that runs scripts takes this for text, and folds.js makes elements of it. To any other
    reader the page is as before.

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
        if depth == (not ends):  # of folds in folds the outer one
            part, done = page[done : tag.start()], tag.start()
            parts.append(_held(part) if ends else part)
    return "".join([*parts, page[done:]])
