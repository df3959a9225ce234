"""Make the fonts of the book from Source Serif 4 and Source Sans 3 (needs fonttools and brotli).

``python tools/text_fonts.py FOLDER``, where FOLDER holds the npm packages ``source-serif`` (4.5.1)
and ``source-sans`` (3.52.0), each unpacked in a folder of its name. The license reserves the name
*Source* for the originals; these subsets, with two stars added, are *Slr Serif* and *Slr Sans*.
"""

import sys
from math import cos, pi, sin, tan
from pathlib import Path

from fontTools import subset
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

ROOT = Path(__file__).parents[1]
GREEK = [*range(0x391, 0x3CA)]
LETTERS = [*range(0x20, 0x7F), *range(0xA0, 0x100), *map(ord, "ćŁłᾱ"), *GREEK]
SIGNS = [*map(ord, "–—‘’“”…†•⁰⁴⁵⁶⁷⁸⁹⁺⁻₀₁₂₃₄₅₆₇₈₉←↑→↓↔∂∆∏∑−√∞∫≈≠≤≥⟨⟩‖✓■▲▶●◆")]
FEATURES = ["kern", "liga", "tnum"]
STARS = {0x22C6: (165, 560, 350), 0x2605: (300, 330, 640)}  # radius, height, width of ⋆ and ★
FACES = ("Regular", "It", "Semibold")
FAMILIES = {"Serif": ("source-serif", "SourceSerif4"), "Sans": ("source-sans", "SourceSans3")}


def star(radius, height, width):
    pen = TTGlyphPen(None)
    corners = [
        (width / 2 + r * sin(i * pi / 5), height + r * cos(i * pi / 5))
        for i, r in enumerate([radius, 0.42 * radius] * 5)
    ]
    pen.moveTo(tuple(map(round, corners[0])))
    for corner in corners[1:]:
        pen.lineTo(tuple(map(round, corner)))
    pen.closePath()
    return pen.glyph()


def upright_theta(font, roman):
    """Give an italic the theta of formulas, which is the roman one, slanted."""
    theta = roman["glyf"]["theta"]
    coordinates = theta.coordinates
    coordinates.transform(((1, 0), (tan(pi * 11 / 180), 1)))
    theta.recalcBounds(roman["glyf"])
    font["glyf"]["theta"], font["hmtx"]["theta"] = theta, roman["hmtx"]["theta"]


def make(file, family, face):
    font = TTFont(file, recalcTimestamp=False)
    if face == "It":
        upright_theta(font, TTFont(file.with_stem(file.stem.replace("It", "Regular"))))
    options = subset.Options(
        hinting=False, layout_features=FEATURES, name_IDs=[0, 1, 2, 4, 6, 13, 14]
    )
    chosen = subset.Subsetter(options)
    chosen.populate(unicodes=[*LETTERS, *SIGNS])
    chosen.subset(font)
    for code, (radius, height, width) in STARS.items():
        name = f"uni{code:04X}"
        font.setGlyphOrder([*font.getGlyphOrder(), name])
        font["glyf"][name] = star(radius, height, width)
        font["hmtx"][name] = (width, round(width / 2 - radius))
        for table in font["cmap"].tables:
            if table.isUnicode():
                table.cmap[code] = name
    if face == "Semibold":
        font["OS/2"].usWeightClass = 700  # it is the bold of its family
    style = {"Regular": "Regular", "It": "Italic", "Semibold": "Bold"}[face]
    words = {1: family, 2: style, 4: f"{family} {style}", 6: f"{family} {style}".replace(" ", "-")}
    for record in list(font["name"].names):
        if record.nameID in words:
            record.string = words[record.nameID]
    return font


def greek(file):
    """The Greek letters of an italic, for labels in which a sans nu looks like a v."""
    font = TTFont(file, recalcTimestamp=False)
    chosen = subset.Subsetter(subset.Options(hinting=False, layout_features=[]))
    chosen.populate(unicodes=GREEK)
    chosen.subset(font)
    font.flavor = "woff2"
    font.save(file.with_name("slr-greek.woff2"))


def main(folder):
    for kind, (package, stem) in FAMILIES.items():
        for face in FACES:
            font = make(
                folder / package / "package/TTF" / f"{stem}-{face}.ttf", f"Slr {kind}", face
            )
            if kind == "Sans":  # matplotlib reads no woff2
                font.save(ROOT / "slrbook/picture" / f"slr-sans-{face.lower()}.ttf")
            font.flavor = "woff2"
            font.save(ROOT / "slrbook/static" / f"slr-{kind.lower()}-{face.lower()}.woff2")
    greek(ROOT / "slrbook/static/slr-serif-it.woff2")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
