"""Predict, try, why: a question that a reader answers before the explorer does."""

from dataclasses import asdict, dataclass, field


@dataclass(frozen=True)
class Step:
    """A question; its answer is read from the figures of the explorer at ``state``.

    ``figure`` names the number that decides, ``"risks.0"`` the first of a list. Of ``choices`` that
    one is right whose place the figure has between the ``cuts``, or among the ``values``; where
    ``figure`` holds several names, that of the smallest. With ``click``, the reader chooses in the
    picture, by the control of that name. ``told`` is said after the answer, with ``{name}`` where a
    figure stands.
    """

    question: str
    figure: str | tuple[str, ...]
    told: str
    state: dict[str, float] = field(default_factory=dict)  # what is not the paper's value
    choices: tuple[str, ...] = ()
    cuts: tuple[float, ...] = ()
    values: tuple[str, ...] = ()
    click: str = ""

    def spec(self) -> dict:
        """What the page needs to know; what is empty is left out."""
        return {name: value for name, value in asdict(self).items() if value}


@dataclass(frozen=True)
class Why:
    """What the last step says, and the statement of the book that it rests on."""

    words: str
    statement: str
    page: str  # a page beside that of the explorer
    label: str  # of the statement, as the address has it
