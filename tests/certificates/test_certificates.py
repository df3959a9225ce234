"""Each certificate is looked at again, what is false is refused, and the book names them all."""

import copy
import re
from dataclasses import replace
from pathlib import Path

import pytest
from flint import ctx

from slrbook import certificates, chapters
from slrbook.certificates.claims import CLAIMS, PAPER
from slrbook.certificates.closed import Setting
from slrbook.certificates.thresholds import holds, pieces, root, value_sign

ROOT = Path(__file__).parents[2]
STORED = certificates.stored()
THRESHOLDS = [name for name, stored in STORED.items() if "root" in stored]


@pytest.mark.parametrize("name", CLAIMS)
def test_each_certificate_holds(name):
    assert CLAIMS[name].verified(STORED[name])


def test_the_stored_certificates_are_those_of_the_claims():
    assert set(STORED) == set(CLAIMS)
    assert {x["claim"] for x in STORED.values()} == {certificates.certified(x) for x in CLAIMS}


def another_sentence(stored):
    stored["claim"] = "For every task. " + stored["claim"]


def another_root(stored):
    digit = {"0": "1"} | {str(i): str(i - 1) for i in range(1, 10)}
    low, high = stored["root"]
    stored["root"] = [end[:8] + digit[end[8]] + end[9:] for end in (low, high)]
    for old, new in zip((low, high), stored["root"], strict=True):
        stored["claim"] = stored["claim"].replace(old, new)


def a_gap(stored):
    stored["parts"][-2][0] *= 1.01


def a_later_beginning(stored):
    stored["parts"][0][0] += 0.03


def too_few_cuts(stored):
    stored["parts"][-2][2] = "0"


def a_part_less(stored):
    del stored["parts"][-1]


COVERS = (another_root, a_gap, a_later_beginning, too_few_cuts, a_part_less)


@pytest.mark.parametrize("name", CLAIMS)
def test_what_is_not_proved_is_refused(name):
    """A sentence that says more, a threshold elsewhere, a range that is not covered."""
    for change in (another_sentence, *(COVERS if name in THRESHOLDS else ())):
        stored = copy.deepcopy(STORED[name])
        change(stored)
        assert not CLAIMS[name].verified(stored), change


def test_claims_on_another_task_or_lam_are_refused():
    """The same certificates, asked to prove what is false."""

    def proves(name, **changes):
        return replace(CLAIMS[name], **changes).verified(STORED[name])

    other = Setting(100, 10, 0.5)
    for name in THRESHOLDS:
        assert proves(name) and not proves(name, setting=other)
    assert not proves("swapped-always", setting=other)
    assert not proves("pair-always", setting=other)
    assert not proves("last-risks", given=(PAPER, "9"))  # above lambda_eq
    assert not proves("five-points", lam=(1, 2))
    assert not proves("tilted-minimum", lam=(4, 5))  # there the pair is the lower one
    assert not proves("spoiled-mean", given=(PAPER, "0.0637", "0.0638", "0"))
    low, high = STORED["tilted-minimum"]["angles"]
    elsewhere = STORED["tilted-minimum"] | {"angles": [low + 1e-9, high]}
    assert not CLAIMS["tilted-minimum"].verified(elsewhere)
    parts = [part._replace(sees="negative") for part in CLAIMS["pair-always"].parts]
    assert not proves("pair-always", parts=tuple(parts))


def test_what_is_false_of_one_task_in_a_list_is_refused():
    """Its threshold moved, no threshold where there is one, a task less, another task."""
    claim = replace(CLAIMS["other-tasks"], settings=CLAIMS["other-tasks"].settings[:2])
    stored = STORED["other-tasks"] | {"tasks": STORED["other-tasks"]["tasks"][:2]}
    assert claim.verified(stored)

    def moved(task):
        task["swapped"]["root"] = [end.replace(".", ".0") for end in task["swapped"]["root"]]

    def never(task):
        task["swapped"]["passed"] = "never"

    def less(task):
        del task["pair"]

    for change in (moved, never, less):
        other = copy.deepcopy(stored)
        change(other["tasks"][0])
        assert not claim.verified(other)
    assert not claim.verified(stored | {"tasks": stored["tasks"][:1]})
    assert not replace(claim, settings=(Setting(40, 2, 0.25), claim.settings[1])).verified(stored)


def test_words_that_do_not_cover_are_refused():
    assert pieces(0.0, 1.0, "10100") == [(0.0, 0.5), (0.5, 0.75), (0.75, 1.0)]
    for word in ("", "1", "10", "00", "2"):
        with pytest.raises(ValueError, match="the cuts"):
            pieces(0.0, 1.0, word)
    for word in ("", "k", "1kk", STORED["five-points"]["cuts"] + "k"):
        stored = STORED["five-points"] | {"cuts": word}
        assert not CLAIMS["five-points"].verified(stored)


def test_bisection_by_hand():
    """x^2 - 2 on [1, 2], its root, and a sign that is seen only by the slope."""
    ctx.prec = 64
    assert root(lambda x: 2 - x * x, 1.0, 2.0, 12) == ("1.414213562373", "1.414213562374")
    assert value_sign(lambda x: x - x + 1 - (x - x), 0.0, 4.0) == 1
    assert value_sign(lambda x: x * x - 2, 1.0, 2.0) == 0
    assert not holds(value_sign, 1, lambda x: x * x - 2, 1.0, 2.0, "100")


NAMED = re.compile(r"(?<!\})`([a-z]+(?:-[a-z0-9.]+)+)`")  # no link


def paragraphs():
    """The paragraphs, rows and items of the book, each with its page."""
    for page in chapters.contents(ROOT):
        text = chapters.prose(ROOT, page)
        yield from ((page, x) for x in re.split(r"\n\s*\n|\n(?=\s*[|*-] )", text))


def test_what_the_book_calls_certified_has_a_certificate():
    """A status is *certified*, in italics or before a colon; a certified step is something else."""
    named = set()
    for page, paragraph in paragraphs():
        names = set(NAMED.findall(paragraph))
        claimed = re.search(r"(?<!\*)\*[Cc]ertified\*(?!\*|,| means)|\bcertified:", paragraph)
        if claimed or (page == "book/additions" and names):  # a list under this word
            assert names & set(STORED), (page, paragraph)
            assert names <= set(STORED), (page, names - set(STORED))
            named |= names
    listed = {name for name in STORED if name.startswith("softmax-")}  # by the code of a chapter
    assert named | listed == set(STORED) and listed
