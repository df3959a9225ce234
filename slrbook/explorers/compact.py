"""Scripts and styles without the space that only people need, so that a page stays light."""

import re
from collections import Counter

_STRING = r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'"
_REGEX = r"(?<=[(,=:&|?!])/(?![/*])(?:[^/\\\n\[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*"
_SPACE = r"(?:\s|//[^\n]*|/\*(?!!).*?\*/)+"  # a comment counts as space, but for /*! notices */
_TOKEN = re.compile(
    rf"(?P<copied>/\*!.*?\*/|{_STRING}|{_REGEX})|(?P<space>{_SPACE})|(?P<tick>`)", re.DOTALL
)


def fitting(text: str, words: str) -> str:
    """The script without the lines marked ``// for word`` whose word is not in ``words``."""
    lines = (re.search(r"(.*?)(?: // for (\w+))?$", line) for line in text.splitlines())
    return "".join(f"{line[1]}\n" for line in lines if not line[2] or line[2] in words)


def script(text: str) -> str:
    """JavaScript that means the same: comments left out, spaces where two words would meet."""
    out, i = "", 0
    while match := _TOKEN.search(text, i):
        out += text[i : match.start()]
        i = match.end()
        if match["space"]:
            out += _gap(out[-1:], text[i : i + 1], "\n" in match["space"])
        elif match["copied"]:
            out += match["copied"]
        else:
            i = _template_end(text, i)
            out += text[match.start() : i]
    return out + text[i:]


def _gap(before: str, after: str, new_line: bool) -> str:
    """The shortest gap that keeps two tokens apart; a line may end after }."""
    words = re.match(r"[\w$]{2}", before + after)
    if words or (before == after and before in "+-/") or (new_line and before in "}/"):
        return "\n" if new_line else " "
    return ""


def _template_end(text: str, i: int) -> int:
    """Where the template that opened before ``i`` ends; templates may stand within templates."""
    depth = 0
    while depth or text[i] != "`":
        if text[i] == "\\":
            i += 1
        elif text.startswith("${", i):
            depth, i = depth + 1, i + 1
        elif depth and text[i] == "`":
            i = _template_end(text, i + 1) - 1
        elif depth and text[i] in "{}":
            depth += 1 if text[i] == "{" else -1
        i += 1
    return i + 1


def declared_together(text: str) -> str:
    """Printed constants in one declaration where they follow each other."""
    rows = r"(?<=[;{}])const \$[^;{}]*;(?:const \$[^;{}]*;)+"
    return re.sub(rows, lambda row: row[0].replace(";const ", ","), text)


def with_names(text: str) -> str:
    """Long numbers and functions of Math that a script writes often get a name before it."""
    word = r"(?<![\w.$])(?:\d+\.\d{10,}|Math\.\w+)(?![\w.])"
    often = [w for w, n in Counter(re.findall(word, text)).items() if n * (len(w) - 3) > len(w) + 5]
    names = {w: f"$N{i}" for i, w in enumerate(often)}
    text = re.sub(word, lambda found: names.get(found[0], found[0]), text)
    declared = ",".join(f"{name}={w}" for w, name in names.items())
    return f"const {declared};\n{text}" if names else text


def without(text: str, name: str) -> str:
    """The script without one function, and without its name in lists."""
    start = text.index(f"function {name}(")
    end = text.index("{", start) + 1
    depth = 1
    while depth:
        match = re.compile("[{}`]").search(text, end)
        end = _template_end(text, match.end()) if match[0] == "`" else match.end()
        depth += {"{": 1, "}": -1, "`": 0}[match[0]]
    return re.sub(rf",\s*{name}\b", "", text[:start] + text[end:])


def style_of(text: str, html: str, code: str) -> str:
    """The rules of ``text`` without those for parts and marks that the page does not have."""
    for part in ("toggle", "toggles", "choices", "heat", "more"):
        if f'class="slr-{part}"' not in html:
            text = re.sub(rf"[^{{}}]*\.slr-{part}\b[^{{}}]*{{[^{{}}]*}}", "", text)

    def rule(match):
        return match[0] if re.search(rf"\b{match[1]}\b", code) else ""

    text = re.sub(r"(?<=})\.slr-panel \.(\w+){[^{}]*}", rule, text)
    colours = set(re.findall(r"var\(--slr-(\w+)\)", text))
    return re.sub(r"--slr-(\w+):[^;{}]*;?", lambda c: c[0] if c[1] in colours else "", text)


def style(text: str) -> str:
    """CSS that means the same, on one line."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    text = re.sub(r"\s+", " ", text)
    text = re.sub(r"\s*([{};,])\s*", r"\1", text).replace(";}", "}")
    return text.replace(": ", ":").strip()
