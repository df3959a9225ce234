"""Numbers in the prose as people write them: 3×10⁻¹⁶ and 0, where Python writes 3e-16 and 0e+00."""

import re

NUMBER = re.compile(r'(?<=class="pasted-text">)(-?)(\d(?:\.\d+)?)e([+-]\d+)(?=<)')
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def written(found: re.Match) -> str:
    sign, digits, power = found.groups()
    if float(digits) == 0:
        return "0"
    times = "" if float(digits) == 1 else f"{digits}×"
    return f"{sign.replace('-', '−')}{times}10{str(int(power)).translate(RAISED)}"


def _powers(app, pagename, templatename, context, doctree):
    if "body" in context:
        context["body"] = NUMBER.sub(written, context["body"])


def setup(app):
    app.connect("html-page-context", _powers)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
