"""Read a sentence: does a real model hold k and v? The pair at work inside a pretrained model."""

import traitlets

from slrbook.explorers.base import Explorer
from slrbook.explorers.law import tilt
from slrbook.explorers.listed import with_controls
from slrbook.explorers.read_a_sentence import table
from slrbook.explorers.step import Step, Why
from slrbook.explorers.trait import Control
from slrlib import language
from slrlib.language import extra


def _menu(name, words, place="view"):
    options = table.MENUS[name]
    last = len(options) - 1
    return Control(0, 0, last, words=words, whole=True, kind="select", options=options, place=place)


class ReadASentence(Explorer):
    """The weights of the words of a sentence, their place in the plane of (k, v), the answer."""

    title = "Read a sentence"
    question = "Does a real model hold k and v?"
    note = (
        "Stored: X·k and X·v of every token of 200 sentences at layer 5 of the pretrained MiniLM. "
        "A token is a word, a mark or a piece of a word (##); [CLS] and [SEP] are put at the ends, "
        "and [UNK] is what the model cannot read. k and v were fitted, with the places known, to "
        "other sentences that praise or blame an animal; these had neither the last four "
        "adjectives of the menu nor the greeting. "
        "For any other sentence the answer may be wrong. The answer is the sign of the sum; "
        "faint marks show the sentence with the other adjective. "
        f"With the model loaded you can type a sentence of at most {table.LONGEST} tokens; without "
        "it there are the stored ones only. A page computes with weights of eight bits, so a sum "
        "near zero may get the other sign."
    )
    python = """\
from slrbook.explorers.read_a_sentence import table
from slrlib.language import attend

{found}  # X k and X v of each token
weights = attend(scores, {lam})
output = weights @ values
for word, weight in zip(words, weights):
    print(f"{word:>12} {weight:.2f}")
print(f"the weighted sum is {output:+.1f}")
"""
    asks = (
        Step(
            "Let λ fall from 1 to 0.01, so that all words weigh nearly the same. What does the "
            "pair say of a gentle sheep in a cruel city?",
            "output",
            "The weighted sum is {output}.",
            {"lam": 0.01},
            ("something bad", "something good"),
            cuts=(0,),
        ),
        Step(
            "Back at λ = 1, the city is friendly and the sheep cruel. What does the pair say?",
            "output",
            "The weighted sum is {output}.",
            {"opening": 2, "adjective": 1},
            ("something bad", "something good"),
            cuts=(0,),
        ),
    )
    why = Why(
        "k gives the deciding word a high score, and with a large enough λ nearly all of the "
        "weight; v then reads praise or blame there. Without k, the other words drown it.",
        "the pair",
        "language",
        "equation-eq-pair",
    )
    in_kernel = ("typing.js",)
    texts = ("sentence",)
    order = ("opening", "adjective", "where", "lam", "animal")

    opening = _menu("opening", "it begins")
    where = _menu("where", "the adjective stands")
    adjective = _menu("adjective", "adjective")
    lam = Control(1.0, 0.01, 2.0, sign="λ", words="inverse temperature", log=True)
    animal = _menu("animal", "animal", "more")

    sentence = traitlets.Unicode(help="one of the reader's own, or nothing").tag(sync=True)
    typed = traitlets.Dict(read_only=True, help="its words, as the pair sees them").tag(sync=True)
    types = traitlets.Bool(read_only=True, help="whether typing works").tag(sync=True)

    def __init__(self, **controls):
        super().__init__(**controls)
        self.set_trait("types", extra.available())

    def memo(self):
        return {"typed": self.typed, "sentence": self.sentence}

    def read(self, sentence):
        """Show any sentence, and return what the pair says: (words, weights, output)."""
        words, scores, values = table.hear(sentence)
        seen = {"words": words, "scores": scores.tolist(), "values": values.tolist()}
        self.set_trait("typed", seen | {"sentence": sentence})
        self.sentence = sentence
        weights = language.attend(scores, self.lam)
        return words, weights, float(weights @ values)

    @traitlets.observe("sentence")
    def _typed_by_hand(self, change):
        if not change.new.strip():
            self.set_trait("typed", {})
        elif self.typed.get("sentence") != change.new:
            try:
                self.read(change.new)
            except (ValueError, ModuleNotFoundError) as complaint:
                self.set_trait("typed", {"complaint": str(complaint)})

    @traitlets.observe("opening", "where", "adjective", "animal")
    def _chosen_from_menus(self, change):
        self.sentence = ""

    @classmethod
    def functions(cls):
        return {"tilt": (tilt, ["score", "highest", "lam"])}

    @classmethod
    def constants(cls):
        stored = {name: x for name, x in table.stored().items() if name != "pair"}
        return stored | {"ends": table.ENDS}


@with_controls(ReadASentence)
def read_a_sentence(**controls) -> ReadASentence:
    """A sentence from menus (numbers of their words, or the words), ``lam``; ``.read(sentence)``.

    The menus are ``opening``, ``where``, ``adjective`` and ``animal``.
    """
    return ReadASentence(**controls)
