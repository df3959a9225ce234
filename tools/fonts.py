"""Make the fonts of formulas and icons, each with the signs that its style names.

    pip install fonttools brotli && python tools/fonts.py STIXTwoMath-Regular.ttf ICONS

Formulas take STIX Two Math. ICONS is the folder ``vendor/fontawesome/webfonts`` among the static
files of the theme. Of the variants for scripts (``ssty``), which double the size, only those of
primes stay. Chromium gives every root the width of the widest radical, so that all get the width
of the smallest.
"""

import re
import sys
from pathlib import Path

from fontTools import subset
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

BOOK = Path(__file__).parents[1] / "slrbook"
RADICAL, PRIMES = 0x221A, (0x2032, 0x2033, 0x2034)


def leave_out_scripts(font: TTFont) -> None:
    """Keep the variants of primes alone."""
    kept = {font.getBestCmap()[prime] for prime in PRIMES}
    table = font["GSUB"].table
    features = [x.Feature for x in table.FeatureList.FeatureRecord if x.FeatureTag == "ssty"]
    for number in {number for feature in features for number in feature.LookupListIndex}:
        for part in table.LookupList.Lookup[number].SubTable:
            part = getattr(part, "ExtSubTable", part)
            part.alternates = {name: x for name, x in part.alternates.items() if name in kept}


def narrow_radicals(font: TTFont) -> None:
    """Give the larger radicals, and the parts of the largest, the width of the smallest."""
    name, variants = font.getBestCmap()[RADICAL], font["MATH"].table.MathVariants
    larger = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(name)]
    names = {record.VariantGlyph for record in larger.MathGlyphVariantRecord}
    names |= {part.glyph for part in larger.GlyphAssembly.PartRecords}
    outlines, widths = font.getGlyphSet(), font["hmtx"]
    wanted = widths[name][0]
    for other in names - {name}:
        pen = TTGlyphPen(outlines)
        share = wanted / widths[other][0]
        outlines[other].draw(TransformPen(pen, (share, 0, 0, 1, 0, 0)))
        font["glyf"][other] = glyph = pen.glyph()
        glyph.recalcBounds(font["glyf"])
        widths[other] = wanted, glyph.xMin


def make(font: TTFont, folder: Path, name: str, features: list[str]) -> None:
    """Write the signs of ``font`` that the rule for the font ``name`` has as its unicode-range."""
    (style,) = folder.glob("*.css")
    rule = re.search(rf'url\("{name}"\)[^}}]*?unicode-range: ([^;]+);', style.read_text("utf-8"))
    assert rule
    options = subset.Options(flavor="woff2", hinting=False, layout_features=features)
    job = subset.Subsetter(options)
    job.populate(unicodes=subset.parse_unicodes(rule[1].replace(" ", "")))
    job.subset(font)
    subset.save_font(font, str(folder / name), options)


if __name__ == "__main__":
    letters = TTFont(sys.argv[1])
    leave_out_scripts(letters)
    narrow_radicals(letters)
    make(letters, BOOK / "formulas", "stix-two-math.woff2", ["dtls", "math", "flac", "ssty"])
    for source, name in (("fa-solid-900", "slr-icons.woff2"), ("fa-brands-400", "slr-marks.woff2")):
        icons = TTFont(Path(sys.argv[2]) / f"{source}.ttf")
        icons["name"].names.clear()  # the name of the whole font is reserved
        make(icons, BOOK / "reading", name, [])
