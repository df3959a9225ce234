"""The model of "read a sentence" beside the pages that hold this explorer, where it is installed:
see slrbook.explorers.read_a_sentence.in_browser."""

from slrbook.explorers.read_a_sentence.in_browser import site
from slrbook.on_demand import Offer
from slrlib import language
from slrlib.language.extra import available

OFFER = Offer(
    'data-name="read_a_sentence"',
    lambda: available(),
    site.SCRIPT,
    lambda folder: site.write(folder, language.load()),
)


def setup(app):
    OFFER.connect(app)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
