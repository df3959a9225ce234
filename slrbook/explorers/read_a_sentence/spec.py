"""Read a sentence: the weights that a fitted pair (k, v) gives to the words of a sentence."""

import traitlets

from slrbook.explorers.base import Explorer
from slrbook.explorers.law import tilt
from slrbook.explorers.parts import Control, Step, Why, menu
from slrbook.explorers.read_a_sentence import table
from slrlib import language
from slrlib.language import extra


class ReadASentence(Explorer):
    """The weights of the words of a sentence, the words in the plane of (k, v), the prediction.

    ``opening``, ``where``, ``adjective`` and ``animal`` are menus: set them to a word or its index.
    ``read(sentence)`` shows a sentence of your own.
    """

    question = "Which word determines the prediction?"
    note = (
        "We fitted k and v at layer 5 of the pretrained MiniLM, given the label and the location "
        "of the informative word. The training sentences contained neither the last four "
        "adjectives in the menu nor the greeting. For other sentences, such as negations, the "
        "prediction may be wrong. Tokens are words, punctuation marks or pieces of words (##). "
        f"With the model (8-bit weights) you can type a sentence of up to {table.LONGEST} tokens; "
        "without it only the stored sentences are available."
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
            "Lower λ from 1 to 0.01, so that all tokens have nearly the same weight. What does "
            "(k, v) predict for a gentle sheep in a cruel city?",
            "output",
            "The weighted sum is {output}, because the other tokens outweigh the adjective.",
            {"lam": 0.01},
            ("negative", "positive"),
            cuts=(0,),
        ),
        Step(
            "Now λ = 1, the city is friendly and the sheep is cruel. What does (k, v) predict?",
            "output",
            "The weighted sum is {output}, because nearly all of the weight is on the adjective.",
            {"opening": 2, "adjective": 1},
            ("negative", "positive"),
            cuts=(0,),
        ),
    )
    why = Why(
        "The informative word has a high score along k and, if λ is large enough, nearly all of "
        "the weight. The prediction is then its component along v. With small λ the other tokens "
        "outweigh it. Next, move the adjective to another position.",
        "the pair",
        "language",
        "equation-eq-pair",
    )
    in_kernel = ("typing.js",)
    texts = ("sentence",)
    functions = {"tilt": tilt}

    opening = menu("opening", table.MENUS["opening"])
    adjective = menu("adjective", table.MENUS["adjective"])
    where = menu("position of the adjective", table.MENUS["where"])
    lam = Control(1.0, 0.01, 2.0, sign="λ", words="inverse temperature", log=True)
    animal = menu("animal", table.MENUS["animal"], place="more")

    sentence = traitlets.Unicode(help="one of the reader's own, or nothing").tag(sync=True)
    typed = traitlets.Dict(read_only=True, help="its words, with scores and values").tag(sync=True)
    types = traitlets.Bool(read_only=True, help="whether typing works").tag(sync=True)

    def __init__(self, **controls):
        super().__init__(**controls)
        self.set_trait("types", extra.available())

    def memo(self):
        return {"typed": self.typed, "sentence": self.sentence}

    def read(self, sentence):
        """Show any sentence, and return (words, weights, output) of the pair."""
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
    def constants(cls):
        stored = {name: x for name, x in table.stored().items() if name != "pair"}
        return stored | {"ends": table.ENDS}
