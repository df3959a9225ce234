"""Each certificate is recomputed, false claims are refused, and the book names all certificates."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from flint import arb, ctx

from slrbook import certificates, chapters
from slrbook.certificates.claims import CLAIMS, FEW, PAPER
from slrbook.certificates.closed import Setting
from slrbook.certificates.tasks import PAIR, SWAPPED
from slrbook.certificates.thresholds import Curve, never, once, seen
from slrbook.certificates.tilted import minimum

ROOT = Path(__file__).parents[2]
STORED = certificates.stored()


@pytest.mark.parametrize("name", CLAIMS)
def test_each_certificate_holds(name):
    """The recomputed certificate is equal; the ratio of a softmax claim may differ by rounding."""
    made = CLAIMS[name].made()
    if "ratio" in made:
        made["ratio"] = pytest.approx(made["ratio"], rel=1e-9)
    assert made == STORED[name]


def test_the_stored_certificates_are_those_of_the_claims():
    assert set(STORED) == set(CLAIMS)
    assert {x["claim"] for x in STORED.values()} == {certificates.certified(x) for x in CLAIMS}


def proved(proof, *given):
    """Whether the proof succeeds."""
    try:
        proof(*given)
    except ArithmeticError:
        return False
    return True


def test_claims_on_another_task_or_lam_are_refused():
    other = Setting(100, 10, 0.5)
    for name, claim in CLAIMS.items():
        if claim.proof is once:
            moved = replace(claim, given=(claim.given[0], other)).made()
            assert moved["root"] != STORED[name]["root"]
    assert not proved(never, SWAPPED, other)
    assert not proved(never, PAIR, other)
    assert not proved(once, PAIR, FEW)
    for name, given in {
        "last-risks": (PAPER, "9"),  # larger than lambda_eq
        "five-points": (PAPER, "0.5"),
        "tilted-minimum": (PAPER, "0.8"),  # where the pair has the lower risk
        "spoiled-mean": (PAPER, "0.0637", "0.0638", "0"),
    }.items():
        assert proved(CLAIMS[name].made) and not proved(replace(CLAIMS[name], given=given).made)
    low, high = STORED["tilted-minimum"]["angles"]
    assert proved(minimum, [low, high], PAPER, arb("0.9"))
    assert not proved(minimum, [low + 1e-9, high], PAPER, arb("0.9"))


def curve(*roots, start=0.0, clipped=None):
    """A polynomial of lam, positive at zero, that vanishes at the square roots of ``roots``."""

    def formula(p, q, setting):
        value = q + p
        for root in roots:
            value *= q - p / arb(root).sqrt()
        return value

    return Curve(formula, clipped, lambda setting: arb(start))


def test_one_change_of_sign_is_proved_and_nothing_else():
    ctx.prec = 128
    assert once(curve(2), PAPER, 12) == {"root": ["1.414213562373", "1.414213562374"]}
    assert not proved(once, curve(2), PAPER, 60)  # needs more bits
    assert never(curve(), PAPER) == {}
    for other in (
        curve(2, 3),  # a second sign change
        curve(2, 2),  # it touches zero
        curve(1.5, 2, 3),
        curve(2, start=1.42),  # negative from the start
        curve(2, clipped=lambda p, q, setting: -q),  # the other sign near zero
        curve(0.07**2, clipped=curve(0.05**2).formula),  # jumps up at 0.063, where theta = 1 ends
    ):
        assert not proved(once, other, PAPER, 12) and not proved(never, other, PAPER)


def test_a_sign_is_seen_by_the_slope():
    ctx.prec = 64
    assert seen(lambda x: x - x + 1 - (x - x), 0.0, 4.0) == "+"
    assert seen(lambda x: x * x - 2, 1.0, 2.0) == ""
    assert seen(lambda x: 2 - x * x, 1.0, 2.0) == "f"


NAMED = re.compile(r"(?<!\})`([a-z]+(?:-[a-z0-9.]+)+)`")  # not a link


def paragraphs():
    """The paragraphs, rows and list items of the book, each with its page."""
    for page in chapters.contents(ROOT):
        text = chapters.prose(ROOT, page)
        yield from ((page, x) for x in re.split(r"\n\s*\n|\n(?=\s*[|*-] )", text))


def test_what_the_book_calls_certified_has_a_certificate():
    """A status is *certified*, in italics or before a colon; "a certified step" is not a status."""
    named = set()
    for page, paragraph in paragraphs():
        names = set(NAMED.findall(paragraph))
        claimed = re.search(r"(?<!\*)\*[Cc]ertified\*(?!\*|,| means)|\bcertified:", paragraph)
        if claimed or (page == "book/additions" and names):  # a list under this heading
            assert names & set(STORED), (page, paragraph)
            assert names <= set(STORED), (page, names - set(STORED))
            named |= names
    listed = {name for name in STORED if name.startswith("softmax-")}  # named by a chapter's code
    assert named | listed == set(STORED) and listed
