"""The explorers: interactive pictures, in a notebook and on a page without a kernel.

Each folder with a ``spec.py`` is found automatically: its classes are in ``EXPLORERS``, and the
functions that create explorers are names of this package, such as ``find_token()``.
"""

import inspect
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

try:
    import anywidget  # noqa: F401
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        "the explorers need anywidget: type \"pip install '.[book]'\" in the clone"
    ) from missing

from slrbook.explorers.base import Explorer

HEAD = "Controls, numbers without unit (steps and tokens are counted):"


def _kinds(file: Path) -> list[type[Explorer]]:
    """Return the explorers that a ``spec.py`` defines."""
    module = import_module(f"{__name__}.{file.parent.name}.spec")
    defined = [each for each in vars(module).values() if isinstance(each, type)]
    own = [each for each in defined if each.__module__ == module.__name__]
    return [each for each in own if issubclass(each, Explorer)]


def maker(kind: type[Explorer]) -> Callable:
    """Create the function ``kind.make``, whose parameters are the controls.

    A list of the controls is added to the docstring of the class, which the function shares.
    """

    def make(*given, **controls):
        return kind(*given, **controls)

    controls = kind.controls()
    _, *parameters = inspect.signature(kind.__init__).parameters.values()
    own = [each for each in parameters if each.kind is not inspect.Parameter.VAR_KEYWORD]
    own += [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=control.paper)
        for name, control in controls.items()
    ]
    lines = "\n".join(control.told() for control in controls.values())
    # Python 3.13 removes the indentation of a docstring
    kind.__doc__ = f"{inspect.cleandoc(kind.__doc__ or '')}\n\n{HEAD}\n\n{lines}\n"
    make.__name__ = make.__qualname__ = vars(kind).get("called", kind.stem())
    make.__module__, make.__doc__ = kind.__module__, kind.__doc__
    vars(make)["__signature__"] = inspect.Signature(own, return_annotation=kind)
    kind.make = staticmethod(make)
    return make


_FILES = sorted(Path(__file__).parent.glob("*/spec.py"))
EXPLORERS = tuple(kind for file in _FILES for kind in _kinds(file))
_MAKERS = {make.__name__: make for make in map(maker, EXPLORERS)}
globals().update(_MAKERS)
__all__ = ["EXPLORERS", *_MAKERS]  # pyright: ignore[reportUnsupportedDunderAll]
