"""Error messages for bad input."""

import pytest


def refusal(call):
    """The message of the ``ValueError`` that ``call()`` raises."""
    with pytest.raises(ValueError) as caught:
        call()
    return str(caught.value)
