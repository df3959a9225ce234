"""The explorers: interactive pictures, in a notebook and on a page without a kernel.

Each folder with a ``spec.py`` is found automatically: its classes are in ``EXPLORERS``, and the
functions that create explorers are names of this package, such as ``find_token()``.
"""

from importlib import import_module
from pathlib import Path

try:
    import anywidget  # noqa: F401
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        "the explorers need anywidget: type \"pip install '.[book]'\" in the clone"
    ) from missing

from slrbook.explorers.base import Explorer
from slrbook.explorers.listed import maker


def _kinds(file: Path) -> list[type[Explorer]]:
    """Return the explorers that a ``spec.py`` defines."""
    module = import_module(f"{__name__}.{file.parent.name}.spec")
    defined = [each for each in vars(module).values() if isinstance(each, type)]
    own = [each for each in defined if each.__module__ == module.__name__]
    return [each for each in own if issubclass(each, Explorer)]


_FILES = sorted(Path(__file__).parent.glob("*/spec.py"))
EXPLORERS = tuple(kind for file in _FILES for kind in _kinds(file))
_MAKERS = {make.__name__: make for make in map(maker, EXPLORERS)}
globals().update(_MAKERS)
__all__ = ["EXPLORERS", *_MAKERS]  # pyright: ignore[reportUnsupportedDunderAll]
