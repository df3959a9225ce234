"""What an explorer's maker says of its controls, to `help` and to an editor."""

import inspect
from collections.abc import Callable

from slrbook.explorers.base import Explorer

HEAD = "Controls, numbers without unit (steps and tokens are counted):"


def with_controls(kind: type[Explorer]) -> Callable:
    """Give the function that makes an explorer the signature and the words of its controls.

    It becomes ``kind.make``, by which the explorer is found.
    """

    def dressed(make: Callable) -> Callable:
        controls = kind.controls()
        own = [
            parameter
            for parameter in inspect.signature(make).parameters.values()
            if parameter.kind is not inspect.Parameter.VAR_KEYWORD
        ]
        listed = [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=control.paper)
            for name, control in controls.items()
        ]
        make.__signature__ = inspect.Signature([*own, *listed], return_annotation=kind)
        lines = "\n".join(control.told() for control in controls.values())
        for each in (make, kind):  # Python 3.13 takes the indentation off a docstring
            each.__doc__ = f"{inspect.cleandoc(each.__doc__ or '')}\n\n{HEAD}\n\n{lines}\n"
        kind.make = staticmethod(make)
        return make

    return dressed
