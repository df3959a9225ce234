"""A box under an exercise, in which a reader tries an answer before opening the solution.

The cell that shows the box computes the correct answer, and a script on the page checks the
reader's answer, which stays on the reader's machine. Without scripts, and in a notebook, nothing
is shown.
"""

import json
from collections.abc import Mapping, Sequence
from html import escape

from IPython.display import HTML


def answer(
    label: str,
    ask: str,
    truth: float,
    *,
    choices: Sequence[str] = (),
    within: float = 0.0,
    wrong: Mapping[float, str] | None = None,
) -> HTML:
    """Ask for a number, or for one of ``choices``; ``truth`` is then the index of the right one.

    ``label`` is the exercise's label. A number may be off by the fraction ``within``. ``wrong``
    maps typical wrong answers, or indices of choices, to replies. The box is shown on pages only,
    where a script checks the answer.
    """
    if choices and truth not in range(len(choices)):
        raise ValueError(f"truth must be the place of one of {len(choices)} choices, got {truth!r}")
    told = [[float(value), words] for value, words in (wrong or {}).items()]
    for value, _ in told:
        if abs(value - truth) <= 2 * within * abs(truth):
            raise ValueError(f"a typical wrong answer must be wrong, got {value!r}")
    data = {"label": label, "truth": float(truth), "within": float(within), "wrong": told}
    given = escape(json.dumps(data, ensure_ascii=False))
    name = escape(label)
    if choices:
        boxes = "".join(
            f'<label><input type="radio" name="{name}" value="{i}">{escape(words)}</label>'
            for i, words in enumerate(choices)
        )
        asked = f"<fieldset><legend>{escape(ask)}</legend>{boxes}</fieldset>"
    else:
        kind = 'type="text" inputmode="decimal" autocomplete="off"'
        asked = f'<label>{escape(ask)}<input {kind} name="{name}"></label>'
    return HTML(
        f'<form class="slr-answer" style="display:none" data-answer="{given}">{asked}'
        '<button type="submit">Check</button><output aria-live="polite"></output></form>'
    )
