"""The questions of an explorer, which the reader answers before the picture does."""

from dataclasses import asdict, dataclass, field


@dataclass(frozen=True)
class Step:
    """A question whose answer is read from the figures of the explorer at ``state``.

    ``figure`` names the number that decides; ``"risks.0"`` is the first of a list. The ``cuts``
    divide the numbers into one interval for each of the ``choices``; or ``values`` holds one value
    for each. If ``figure`` holds several names, the choice is that of the smallest. With ``click``
    the reader chooses in the picture, by the control of that name. ``told`` is shown after the
    answer, with a figure in place of each ``{name}``.
    """

    question: str
    figure: str | tuple[str, ...]
    told: str
    state: dict[str, float] = field(default_factory=dict)  # values other than the paper's
    choices: tuple[str, ...] = ()
    cuts: tuple[float, ...] = ()
    values: tuple[str, ...] = ()
    click: str = ""

    def spec(self) -> dict:
        """Return what the page needs, without empty entries."""
        return {name: value for name, value in asdict(self).items() if value}


@dataclass(frozen=True)
class Why:
    """The explanation after the last question, and the statement of the book behind it."""

    words: str
    statement: str
    page: str  # a page beside that of the explorer
    label: str  # of the statement, as the address has it
