"""The base class of explorers: a question, a picture that answers it, and a few controls.

In JupyterLab an explorer is an ipywidget with a synchronized trait for each control. On a page it
is HTML that needs neither kernel nor network. Both run the same JavaScript, whose mathematics is
printed from this package.
"""

import functools
import hashlib
import inspect
import json
import re
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import ClassVar

import anywidget
import traitlets

from slrbook import static
from slrbook.explorers import drawn
from slrbook.explorers.parts import Control, Step, Why
from slrbook.javascript import printed

STAR = re.compile(r"\b([kv][₁₂]?)\*(?![*\w])")  # in text; in code a space precedes the star


def as_json(value) -> str:
    """Return a value as JavaScript source, on one line."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


class Explorer(anywidget.AnyWidget):
    """The base class of explorers; a subclass lists its controls and functions in a ``spec.py``.

    Its name is its folder's, with ``spec.py``, ``scripts`` (``view.js`` draws) and ``still.json``.
    """

    make: ClassVar[Callable]  # the function that creates an explorer
    called: ClassVar[str]  # the name of that function, if it differs from the folder's
    question: ClassVar[str]
    note: ClassVar[str] = ""
    python: ClassVar[str] = ""  # code that computes what is shown; ``{name}`` is a number
    scripts: ClassVar[tuple] = ("view.js",)  # in one scope, with the names of static.OFFERED
    functions: ClassVar[dict[str, Callable]] = {}  # by their names in JavaScript
    asks: ClassVar[tuple[Step, ...]] = ()  # questions that the reader answers first
    why: ClassVar[Why | None] = None  # the explanation after them
    texts: ClassVar[tuple[str, ...]] = ()  # traits with text that the reader types; empty at first
    drawn_in: ClassVar[str] = "still.json"  # the file of the still picture
    in_kernel: ClassVar[tuple] = ()  # further scripts, for features that need a kernel

    _esm = traitlets.Unicode().tag(sync=True)
    _css = traitlets.Unicode().tag(sync=True)
    seen = traitlets.Dict(help="what the browser reports, and of which state").tag(sync=True)
    reading = traitlets.Unicode(read_only=True, help="what is seen, in words")
    figures = traitlets.Dict(read_only=True, help="what is seen, in numbers")

    def __init__(self, **controls):
        for name in controls:
            self._refuse_unknown(name)
        more = "".join(map(self.text, self.in_kernel))
        super().__init__(
            _esm=f"{self.program()}{more}export default slr.widget(SPEC, explorer);\n",
            _css=static.whole_style(),
            **controls,
        )
        type(self).__doc__ = inspect.getdoc(type(self))  # anywidget made a class without one
        self.observe(self._belongs, ["seen", *self.state()])
        self._belongs()

    def __setattr__(self, name, value):
        if not name.startswith("_") and not hasattr(type(self), name):
            self._refuse_unknown(name)
        super().__setattr__(name, value)

    def _refuse_unknown(self, name):
        allowed = self.controls()
        if name not in allowed:
            raise ValueError(f"the controls are {', '.join(allowed)}, got {name!r}")

    def _belongs(self, _=None):
        """Set reading and figures for these controls; they are empty until the browser reports."""
        still = {"of": {name: control.paper for name, control in self.controls().items()}}
        known = next(filter(self._is_of, (self.seen, still | self.still())), {})
        with self.hold_trait_notifications():
            self.set_trait("reading", known.get("reading", ""))
            self.set_trait("figures", known.get("figures", {}))

    def _is_of(self, report) -> bool:
        there, here = report.get("of", {}), self.state()
        return all(there.get(name, "") == value for name, value in here.items())

    @classmethod
    def controls(cls) -> dict[str, Control]:
        """Return the controls by name in the order of the page: own ones, then inherited ones."""
        named = {}
        for kind in cls.__mro__:
            for name, each in vars(kind).items():
                if isinstance(each, Control):
                    named.setdefault(name, each)
        return named

    @classmethod
    def constants(cls) -> dict:
        """Return numbers that are computed once, in Python."""
        return {}

    @classmethod
    def folder(cls) -> Path:
        return Path(inspect.getfile(cls)).parent

    @classmethod
    def stem(cls) -> str:
        return cls.folder().name

    @classmethod
    def text(cls, name: str) -> str:
        """Return the text of a file in the folder."""
        return (cls.folder() / name).read_text("utf-8")

    @classmethod
    @functools.cache
    def own(cls) -> str:
        """Return this explorer's own JavaScript: ``SPEC``, printed functions and ``explorer``."""
        spec = dict(
            question=cls.question,
            note=cls.note,
            controls=[control.spec() for control in cls.controls().values()],
            constants=cls.constants(),
            texts=cls.texts,
            python=cls.python.replace("import ", "§"),  # no page contains this keyword
        )
        if cls.asks and cls.why:
            spec |= dict(steps=[step.spec() for step in cls.asks], why=asdict(cls.why))
        taken = f"const {{ {', '.join(static.OFFERED)} }} = slr;\n"
        scripts = "".join(map(cls.text, cls.scripts))
        told, scripts = (STAR.sub(r"\1⋆", text) for text in (as_json(spec), scripts))
        functions = {
            name: (function, list(inspect.signature(function).parameters))
            for name, function in cls.functions.items()
        }
        return f"const SPEC = {told};\n{taken}{printed(functions)}{scripts}"

    @classmethod
    def program(cls) -> str:
        """Return the whole JavaScript of this explorer, without the export line of a notebook."""
        return static.script() + cls.own()

    @classmethod
    @functools.cache
    def still(cls) -> dict:
        """Return the stored picture at the paper's values: html, reading, figures (stills.py)."""
        return json.loads(cls.text(cls.drawn_in))

    def state(self) -> dict:
        """Return every value that determines the picture, by name."""
        return self._values() | {name: getattr(self, name) for name in self.texts}

    def _values(self) -> dict:
        return {name: getattr(self, name) for name in self.controls()}

    def compute(self) -> "Explorer":
        """Fill ``reading`` and ``figures`` without a browser; needs ``pip install mini-racer``."""
        found = self._drawn()
        self.seen = {"of": self.state()} | {name: found[name] for name in ("reading", "figures")}
        return self

    def memo(self) -> dict:
        """Return what the picture depends on besides the controls; the view stores it."""
        return {}

    def save_html(self, path: str | Path) -> Path:
        """Write one HTML file that needs no kernel and sends no request to another host.

        It starts at the present values of the controls.
        """
        return _written(path, ".html", static.alone(self.question, self.static_html()))

    def save(self, path: str | Path) -> Path:
        """Write the picture at the present controls as SVG; needs ``pip install mini-racer``."""
        return _written(path, ".svg", drawn.svg(self.question, self._drawn()))

    def _drawn(self) -> dict:
        return drawn.seen(self.program(), self.state(), self.memo())

    def _still_here(self) -> dict:
        """Return the still picture at these controls; the stored one if V8 is missing or slow."""
        values = self._values()
        if all(values[name] == control.paper for name, control in self.controls().items()):
            return self.still()
        from slrbook.explorers import stills  # which is also a script

        try:
            return stills.make(type(self), values)
        except (ModuleNotFoundError, ValueError):
            return self.still()

    def static_html(self) -> str:
        """Return the explorer as HTML for a page: its still picture, and the script that starts it.

        The page must load ``slr.js`` and ``slr.css`` before (see ``slrbook.static``).
        """
        start, make = as_json(self._values()), f"() => {{\n{self.own()}return [SPEC, explorer];\n}}"
        key = hashlib.sha256((start + make).encode()).hexdigest()[:12]
        code = f'(window.slrExplorers ??= []).push(["{key}", {start}, {make}]);'
        if "</script" in code or "<!--" in code:
            raise ValueError("a script that stands in a page may hold neither </script nor <!--")
        return (
            f'<div class="slr-explorer" data-name="{self.stem()}" data-key="{key}">'
            f"{self._still_here()['html']}</div>\n"
            f"<script>\n{code}\n</script>\n"
        )

    def __repr__(self) -> str:
        changed = (
            f"{name}={getattr(self, name):g}"
            for name, control in self.controls().items()
            if getattr(self, name) != control.paper
        )
        return f"{self.stem()}({', '.join(changed)})"

    def _get_embed_state(self, drop_defaults=False):
        """Include all traits, because an exported page has no defaults from Python."""
        return super()._get_embed_state(drop_defaults=False)

    def _repr_mimebundle_(self, **kwargs):
        data, metadata = super()._repr_mimebundle_(**kwargs) or ({}, {})
        return {**data, "text/html": self.static_html()}, metadata


def _written(path: str | Path, suffix: str, text: str) -> Path:
    if Path(path).suffix != suffix:
        raise ValueError(f"path must end in {suffix}, got {str(path)!r}")
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, "utf-8")
    return Path(path)
