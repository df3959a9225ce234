"""The explorers against their budgets: input to paint, first paint after load, size of the scripts.

Prints; asserts nothing. Needs a Chromium that Playwright can start.
"""

import sys
import tempfile
from pathlib import Path
from statistics import median

import jax

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "helpers"))
import browsing

from slrbook import static
from slrbook.explorers import EXPLORERS

INPUT_BUDGET, PAINT_BUDGET, SIZE_BUDGET = 16, 300, 250_000  # milliseconds, milliseconds, bytes
PAGE = "<!doctype html><meta charset=utf-8><title>bench</title>{}<body>{}</body>"

# The work that one input makes: its handler, then the frame that draws it, to the end of layout
# and paint. The wait for that frame to begin belongs to the screen and is left out.
INPUTS = """async () => {
  const slider = document.querySelector('.slr-explorer input[type=range]');
  const [low, high] = [+slider.min, +slider.max], times = [];
  const afterFrame = () => new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(performance.now());
    port2.postMessage(0);
  });
  for (let i = 0; i < 60; i++) {
    await new Promise(requestAnimationFrame);
    let end;
    const began = new Promise((resolve) => requestAnimationFrame(() => {
      end = afterFrame();
      resolve(performance.now());
    }));
    const start = performance.now();
    slider.value = low + ((high - low) * (7 + (i * 13) % 50)) / 64;
    slider.dispatchEvent(new Event('input', { bubbles: true }));
    const handled = performance.now();
    times.push(handled - start + -(await began) + (await end));
  }
  return times;
}"""
FIRST = "() => performance.getEntriesByName('first-contentful-paint')[0].startTime"


def main():
    jax.config.update("jax_enable_x64", True)
    chromium = browsing.find_chromium()
    if not chromium.works:
        print(f"not run: {chromium.why_not}")
        return
    with browsing.launched(chromium.executable) as browser, tempfile.TemporaryDirectory() as home:
        for explorer in EXPLORERS:
            html = explorer().static_html()
            file = Path(home) / "page.html"
            file.write_text(PAGE.format(static.inline(), html), "utf-8")
            page = browser.new_page()
            page.goto(file.as_uri())
            page.wait_for_timeout(300)
            first = page.evaluate(FIRST)
            times = page.evaluate(INPUTS)
            page.close()
            size = len(explorer.program().encode())
            print(
                f"{explorer.stem():<16} input to paint {median(times):5.1f} ms"
                f" (slowest {max(times):.1f}; budget {INPUT_BUDGET}),"
                f" first paint {first:5.0f} ms (budget {PAINT_BUDGET}),"
                f" {size:,} bytes of scripts (budget {SIZE_BUDGET:,})"
            )


if __name__ == "__main__":
    main()
