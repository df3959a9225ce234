"""Make docs/puzzle.png, the moving picture of the README: ``python tools/readme_picture.py``.

It shows the puzzle of the built book for starts on a circle, and needs Chromium and Pillow.
"""

import io
import math
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from slrbook.explorers.drawn import browser

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "_build" / "html" / "book" / "intro.html"
STARTS, RADIUS, FIRST = 16, 0.4, 2.4  # the first start is at the upper left
COLORS = 255  # keeps the file below 500 kB


def main():
    frames = []
    with sync_playwright() as play:
        page = play.chromium.launch(executable_path=browser()).new_page()
        page.set_viewport_size({"width": 1280, "height": 1000})
        for i in range(STARTS):
            angle = FIRST + 2 * math.pi * i / STARTS
            kappa, nu = RADIUS * math.cos(angle), RADIUS * math.sin(angle)
            page.goto("about:blank")
            page.goto(f"{PAGE.as_uri()}#puzzle:kappa0={kappa:.2f}&nu0={nu:.2f}")
            puzzle = page.locator(".slr-explorer[data-name=puzzle]")
            puzzle.locator(".slr-more").wait_for()
            puzzle.scroll_into_view_if_needed()
            page.wait_for_timeout(1500)  # until the picture of the script stands there
            frames.append(Image.open(io.BytesIO(puzzle.screenshot())).convert("RGB"))
    height = min(frame.height for frame in frames)
    frames = [frame.crop((0, 0, frame.width, height)) for frame in frames]
    # This method keeps the colors of small marks.
    palette = frames[0].quantize(COLORS, method=Image.Quantize.MAXCOVERAGE)
    first, *others = [frame.quantize(palette=palette, dither=0) for frame in frames]
    file = ROOT / "docs" / "puzzle.png"
    first.save(file, save_all=True, append_images=others, duration=700, loop=0, optimize=True)


if __name__ == "__main__":
    main()
