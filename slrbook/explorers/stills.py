"""The still pictures of the explorers at the paper's values, stored in the explorers' folders.

``python -m slrbook.explorers.stills`` draws them again by running the same JavaScript in V8. If
names of explorer folders are given, it draws only these.
"""

import json
import re
import sys

from slrbook.explorers.drawn import evaluated, png

_MAKE = """
slr.drawing.detail = 0.7;
const picture = explorer.slow && !memo.stored ? null : run(values, memo);
const pixels = picture?.heat && { ...picture.heat, rgba: [...picture.heat.rgba] };
JSON.stringify(picture && {
  html: slr.frameMarkup(SPEC, explorer, values, picture), heat: pixels,
  reading: picture.reading, figures: picture.figures,
});
"""


def make(explorer, values: dict | None = None) -> dict:
    """Draw the still picture of an explorer class at ``values``.

    Without ``values``, draw the picture at the paper's values, which is stored. At other values,
    refuse to draw a picture that takes seconds.
    """
    paper = {name: control.paper for name, control in explorer.controls().items()}
    memo = {"still": True, "stored": values is None}
    still = evaluated(explorer.program(), values or paper, memo, _MAKE)
    heat = still.pop("heat", None)
    # The folded row, the points to drag and the other options of a menu are not visible.
    folded = r"(?<=<summary>More</summary>)<div.*?</div>(?=</details>)"
    handle = r'<button type="button" class="slr-point".*?</button>'
    others = r'<option value="\d+">.*?</option>'
    still["html"] = re.sub(f"{folded}|{handle}|{others}", "", still["html"], flags=re.DOTALL)
    if found := re.search(r"NaN|undefined", still["html"]):
        raise ValueError(f"the picture must contain numbers only, got {found[0]}")
    if heat:
        canvas = '<canvas class="slr-heat"(.*?) hidden></canvas>'
        image = rf'<img class="slr-heat" alt="" src="{png(heat)}"\1>'
        still["html"] = re.sub(canvas, image, still["html"], count=1, flags=re.DOTALL)
    return still


def main(folders=()):
    import jax

    from slrbook.explorers import EXPLORERS

    jax.config.update("jax_enable_x64", True)
    if unknown := set(folders) - {explorer.stem() for explorer in EXPLORERS}:
        sys.exit(f"no explorer is named {', '.join(sorted(unknown))}")
    for explorer in EXPLORERS:
        if folders and explorer.stem() not in folders:
            continue
        text = json.dumps(make(explorer), indent=1, sort_keys=True, ensure_ascii=False)
        file = explorer.folder() / explorer.drawn_in
        file.write_text(text + "\n", "utf-8")
        print(f"{explorer.stem()}: {len(text)} characters")


if __name__ == "__main__":
    main(sys.argv[1:])
