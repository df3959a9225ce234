"""An explorer: one question, a picture that answers it, and a hand on its few numbers.

In JupyterLab it is an ipywidget with one synchronised trait a control; on a page it is HTML that
needs neither kernel nor network. Both run the same JavaScript, whose mathematics is printed from
this package.
"""

import functools
import hashlib
import json
import re
from pathlib import Path
from typing import ClassVar

import anywidget
import traitlets

from slrbook.explorers import compact
from slrbook.explorers.trait import Control
from slrbook.javascript.printer import bundle

_HERE = Path(__file__).parent
_COLOURS = _HERE.parent / "picture" / "colours.json"
_SCRIPTS = ("draw.js", "frame.js", "controls.js")
_ALONE = (  # left out where nobody calls them
    *(
        "makeRandom",
        "erfInv",
        "erfc",
        "arrow",
        "bar",
        "curve",
        "boxStyle",
        "pointStyle",
        "pointLabel",
    ),
)
THREE_PANELS = (  # beside each other where there is room
    "@container (min-width: 640px) {"
    " .slr-panels:has(> :nth-child(3)) { grid-template-columns: 1fr 1fr 1fr; } }"
)
_DARK = "html[data-theme=dark] .slr-explorer,body[data-jp-theme-light=false] .slr-explorer"


def _text(name: str) -> str:
    return (_HERE / name).read_text("utf-8")


def _json(value) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return re.sub(r"([:\[,]-?\d+)\.0(?=[,\]}])", r"\1", text)  # 1.0 is 1 there


@functools.cache
def style() -> str:
    """The style of all explorers; the colours are those of the figures."""
    colours = json.loads(_COLOURS.read_text("utf-8"))
    light, dark = (
        "".join(f"--slr-{name}:{entry[theme]};" for name, entry in colours.items())
        for theme in ("light", "dark")
    )
    rules = compact.style(_text("explore.css"))
    return f".slr-explorer{{{light}--slr-ground:#fff}}{_DARK}{{{dark}--slr-ground:#121212}}{rules}"


class Explorer(anywidget.AnyWidget):
    """The base of the explorers; a subclass names its controls, its script and its functions."""

    title: ClassVar[str]
    question: ClassVar[str]
    note: ClassVar[str] = ""
    scripts: ClassVar[tuple]  # files of JavaScript; the last draws it and names the stored still
    rules: ClassVar[str] = ""  # style of its own
    in_kernel: ClassVar[tuple] = ()  # more scripts, for what needs a kernel; no page has them

    _esm = traitlets.Unicode().tag(sync=True)
    _css = traitlets.Unicode().tag(sync=True)
    reading = traitlets.Unicode(read_only=True, help="what is seen, in words").tag(sync=True)
    figures = traitlets.Dict(read_only=True, help="what is seen, in numbers").tag(sync=True)

    def __init__(self, **controls):
        allowed = self.controls()
        for name in controls:
            if name not in allowed:
                raise ValueError(f"the controls are {', '.join(allowed)}, got {name!r}")
        more = "".join(map(_text, self.in_kernel))
        super().__init__(
            _esm=f"{self.program()}{more}export default {{ render }};\n",
            _css=self.style(),
            **controls,
        )
        self.set_trait("reading", self.still()["reading"])
        self.set_trait("figures", self.still()["figures"])

    @classmethod
    def controls(cls) -> dict[str, Control]:
        """The controls by name, in the order in which the page shows them."""
        traits = cls.class_traits(control=True)
        return {name: traits[name] for name in cls.order}

    @classmethod
    def functions(cls) -> dict:
        """``{name: (function, names of its arguments)}`` to be printed as JavaScript."""
        raise NotImplementedError

    @classmethod
    def constants(cls) -> dict:
        """Numbers that are computed once, in Python."""
        return {}

    @classmethod
    def style(cls) -> str:
        return style() + compact.style(cls.rules)

    @classmethod
    @functools.cache
    def program(cls) -> str:
        """The whole JavaScript of this explorer, without a closing line for page or notebook."""
        spec = dict(
            title=cls.title,
            question=cls.question,
            note=cls.note,
            controls=[control.spec() for control in cls.controls().values()],
            constants=cls.constants(),
        )
        spec, own = _json(spec), "".join(map(_text, cls.scripts))
        common = compact.fitting("".join(map(_text, _SCRIPTS)), spec + own)
        printed = compact.declared_together(bundle(cls.functions(), own))
        code = compact.script(f"{printed}\n{common}{own}")
        for name in _ALONE:
            if len(re.findall(rf"\b{name}\b(?=\()", code)) == 1:  # its definition
                code = compact.without(code, name)
        return f"const SPEC={spec};\n{compact.with_names(code)}"

    @classmethod
    @functools.cache
    def still(cls) -> dict:
        """The stored picture at the paper's values: html, reading, figures (see stills.py)."""
        return json.loads(_text(f"stills/{cls.stem()}.json"))

    @classmethod
    def stem(cls) -> str:
        return Path(cls.scripts[-1]).stem

    def _values(self) -> dict:
        return {name: getattr(self, name) for name in self.controls()}

    def static_html(self) -> str:
        """The explorer as HTML that stands alone: style, still picture, script."""
        code = f"(()=>{{{self.program()}{compact.script(_text('page.js'))}"
        code += f"const START={_json(self._values())};\n"
        key = hashlib.sha256(code.encode()).hexdigest()[:12]
        code += (
            f"for(const el of document.querySelectorAll('[data-key=\"{key}\"]:not([data-live])'))"
        )
        code += "{el.dataset.live='';render({model:plainModel(START),el});}})();"
        if "</script" in code or "<!--" in code:
            raise ValueError("a script that stands in a page may hold neither </script nor <!--")
        return (
            f"<style>{compact.style_of(self.style(), self.still()['html'], code)}</style>\n"
            f'<div class="slr-explorer" data-key="{key}">{self.still()["html"]}</div>\n'
            f"<script>{code}</script>\n"
        )

    def __repr__(self) -> str:
        changed = (
            f"{name}={getattr(self, name):g}"
            for name, control in self.controls().items()
            if getattr(self, name) != control.paper
        )
        return f"{self.stem()}({', '.join(changed)})"

    def _repr_mimebundle_(self, **kwargs):
        bundled = super()._repr_mimebundle_(**kwargs)
        if bundled is None:
            return None
        data, metadata = bundled
        return {**data, "text/html": self.static_html()}, metadata
