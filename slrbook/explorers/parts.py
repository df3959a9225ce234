"""The parts of an explorer: controls that a reader changes, and questions to answer first."""

from dataclasses import asdict, dataclass, field
from numbers import Real

import traitlets

USUAL = {"sign": "", "words": "", "step": 1.0, "log": False, "whole": False, "place": "view"}
USUAL |= {"kind": "", "stops": None, "options": None}


class Control(traitlets.Float):
    """A number from ``low`` to ``high``; ``paper`` is the value after a reset.

    ``sign`` and ``words`` name it on the page, ``place`` is "view", "more" (the folded row) or
    "hidden", ``kind`` the native input. With ``log`` the slider holds the exponent of ten; with
    ``stops`` it goes from one of these values to the next. A "select" is a menu: its value is the
    index of one of the ``options``, and may also be given as the option itself.
    """

    def __init__(self, paper, low, high, **page):
        if unknown := page.keys() - USUAL.keys():
            raise TypeError(f"a control has no {', '.join(unknown)}")
        super().__init__(paper)
        self.paper, self.low, self.high, self.page = paper, low, high, USUAL | page
        self.whole = self.page["whole"]
        self.tag(sync=True, control=True)

    def validate(self, obj, value):
        words = list(self.page["options"] or ())
        number = words.index(value) if isinstance(value, str) and value in words else value
        if not (isinstance(number, Real) and not isinstance(number, bool) and self._holds(number)):
            raise traitlets.TraitError(f"{self.name} must be {self.domain()}, got {value!r}")
        return float(number)

    def _holds(self, number: Real) -> bool:
        x = float(number)
        return self.low <= x <= self.high and not (self.whole and x != int(x))

    def domain(self) -> str:
        """Describe the allowed values."""
        kind = "a whole number" if self.whole else "a number"
        among = f"{kind} from {self.low:,.7g} to {self.high:,.7g}"
        words = [repr(word) for word in self.page["options"] or ()]
        return f"one of {', '.join(words)}, or {among}" if words else among

    def told(self) -> str:
        """Describe the control in one line: name, meaning, allowed values and the paper's value."""
        named = " ".join(filter(None, [self.page["sign"], self.page["words"]]))
        what = f"{named}; " if named else ""
        return f"{self.name}: {what}{self.domain()}; the default is {self.paper:,.7g}."

    def spec(self) -> dict:
        """Return what the page needs; a missing entry is false there, and a missing step is 1."""
        usual = (0, 1, "", "hidden", None)  # False equals 0, and a step of 1 is the default
        page = {key: x for key, x in self.page.items() if x is True or x not in usual}
        return dict(name=self.name, paper=self.paper, low=self.low, high=self.high) | page


def spread(paper=0.5**0.5, low=0.5, high=1.5, step=0.02, place="more"):
    """Return a control for gamma of the task."""
    words = "spread of the informative token"
    return Control(paper, low, high, sign="γ", words=words, step=step, place=place)


def seed(paper):
    """Return a control for the seed of a sequence."""
    words = "seed of the sequence"
    return Control(paper, 0, 9999, words=words, whole=True, kind="number", place="more")


def menu(words, options, paper=0, place="view"):
    """Return a menu of all the ``options``."""
    page = {"whole": True, "kind": "select", "options": list(options), "place": place}
    return Control(paper, 0, len(options) - 1, words=words, **page)


def toggle(words, paper=0, place="toggle"):
    """Return a check box; its value is 1 when it is checked."""
    return Control(paper, 0, 1, words=words, whole=True, kind="checkbox", place=place)


@dataclass(frozen=True)
class Step:
    """A question whose answer is read from the figures of the explorer at ``state``.

    ``figure`` names the number that decides the answer; ``"risks.0"`` is the first of a list. The
    ``cuts`` divide the numbers into one interval for each of the ``choices``; or ``values`` holds
    one value for each. If ``figure`` holds several names, the answer is the one with the smallest
    number. With ``click`` the reader chooses in the picture, by the control of that name. ``told``
    is shown after the answer, with a figure in place of each ``{name}``.
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
    page: str  # in the same folder as the explorer's page
    label: str  # the anchor of the statement
