"""Numbers in prose and captions as people write them: 3×10⁻¹⁶, 0, −1, not 3e-16, 0e+00, -1."""

import re

MINUS = re.compile(r'(?<=class="pasted-text">)-(?=[\d.])')
CAPTION = re.compile(r"<figcaption.*?</figcaption>", re.S)
LOOSE = re.compile(r"(?<![\w.])(-?)(\d(?:\.\d+)?)e([+-]\d+)\b")
NUMBER = re.compile(r'(?<=class="pasted-text">)(-?)(\d(?:\.\d+)?)e([+-]\d+)(?=<)')
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def written(found: re.Match) -> str:
    sign, digits, power = found.groups()
    if float(digits) == 0:
        return "0"
    times = "" if float(digits) == 1 else f"{digits}×"
    return f"{sign.replace('-', '−')}{times}10{str(int(power)).translate(RAISED)}"


def people(body: str) -> str:
    """The page with its glued numbers, and those of its captions, as people write them."""
    body = MINUS.sub("−", NUMBER.sub(written, body))
    return CAPTION.sub(lambda caption: LOOSE.sub(written, caption[0]), body)


def _powers(app, pagename, templatename, context, doctree):
    if "body" in context:
        context["body"] = people(context["body"])


def setup(app):
    app.connect("html-page-context", _powers)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
