"""The functions that create explorers, with their controls as parameters and in the docstring."""

import inspect
from collections.abc import Callable

from slrbook.explorers.base import Explorer

HEAD = "Controls, numbers without unit (steps and tokens are counted):"


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
