"""What bad input is told."""

import pytest


def refusal(call):
    """The words of the ``ValueError`` that ``call()`` raises."""
    with pytest.raises(ValueError) as caught:
        call()
    return str(caught.value)
