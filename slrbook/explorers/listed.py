"""What an explorer's maker says of its controls, to `help` and to an editor."""

import inspect
from collections.abc import Callable

from slrbook.explorers.base import Explorer


def with_controls(kind: type[Explorer]) -> Callable:
    """Give the function that makes an explorer the signature and the words of its controls."""

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
        # Python 3.13 takes the indentation off a docstring, earlier ones leave it.
        make.__doc__ = f"{inspect.cleandoc(make.__doc__ or '')}\n\nIts controls:\n\n{lines}\n"
        return make

    return dressed
