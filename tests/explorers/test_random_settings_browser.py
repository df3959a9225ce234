"""All explorers through random settings on one page: what is said, and that it can be read."""

import json
import re

import pytest
from browsing import served
from explored import page_of, quiet
from js import Engine
from settings import address, settings

from slrbook.explorers import EXPLORERS

pytestmark = pytest.mark.browser

# Brings one state of all explorers after another, and says what was seen and what was wrong.
DRIVE = """async ([hashes, ground]) => {
  const explorers = [...document.querySelectorAll('.slr-explorer')];
  const frame = () => new Promise(requestAnimationFrame);
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const part = (x) => ((x /= 255) <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  const contrast = (a, b) => {
    const [x, y] = [a, b].map(light).sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
  };
  const seen = new Map();
  const faint = (mark) => {
    const kind = mark.getAttribute('class');
    if (seen.has(kind)) return seen.get(kind);
    const style = getComputedStyle(mark);
    const line = /\\bline\\b|\\bring\\b/.test(kind);
    const [r, g, b] = numbers(line ? style.stroke : style.fill);
    const part = style.opacity * (line ? style.strokeOpacity : style.fillOpacity);
    const on = [r, g, b].map((x, i) => part * x + (1 - part) * ground[i]);
    seen.set(kind, contrast(on, ground) < 3);
    return seen.get(kind);
  };
  const wrong = (explorer) => {
    const found = [];
    for (const svg of explorer.querySelectorAll('.slr-panel svg')) {
      const frame = svg.getBoundingClientRect();
      const scale = frame.width / svg.viewBox.baseVal.width;
      const words = [...svg.querySelectorAll('text')].filter((t) => t.textContent.trim());
      const boxes = words.map((t) => t.getBoundingClientRect());
      boxes.forEach((a, i) => {
        if (a.left < frame.left - 3 || a.right > frame.right + 3 || a.top < frame.top - 3 || a.bottom > frame.bottom + 3)
          found.push(`outside: ${words[i].textContent}`);
        boxes.slice(0, i).forEach((b, j) => {
          const [x, y] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
          if (x > 1.5 * scale && y > 4 * scale) found.push(`over each other: ${words[i].textContent} | ${words[j].textContent}`);
        });
      });
      for (const mark of svg.querySelectorAll('.mark, .ring, .bar, .line:not(.grid):not(.axis)')) {
        const box = mark.getBoundingClientRect();
        const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
        if (x < frame.left - 1 || x > frame.right + 1 || y < frame.top - 1 || y > frame.bottom + 1)
          found.push(`mark outside: ${mark.getAttribute('class')}`);
        if (faint(mark)) found.push(`faint: ${mark.getAttribute('class')}`);
        if (/NaN|Infinity/.test(mark.outerHTML)) found.push('not a number');
      }
    }
    return found;
  };
  const rows = [];
  for (const hash of hashes) {
    const changed = new Promise((done) => addEventListener('hashchange', done, { once: true }));
    location.hash = hash;
    await changed;
    do await frame(); while (explorers.some((e) => e.ariaBusy === 'true'));
    rows.push(explorers.map((e) => [e.querySelector('.slr-reading').textContent, wrong(e)]));
  }
  return rows;
}"""
GROUNDS = {"light": [255, 255, 255], "dark": [18, 18, 18]}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("settings")
    for theme in GROUNDS:
        text = page_of(*(explorer() for explorer in EXPLORERS), theme=theme)
        (folder / f"{theme}.html").write_text(text, "utf-8")
    (folder / "favicon.ico").write_bytes(b"")
    with served(folder) as where:
        yield where


def readings(explorer, drawn):
    """What the view says of each setting when it is asked alone, without a page; or nothing where a
    lam that is rounded otherwise lets it say something else (a run at the edge of stability)."""
    nudged = [
        values | {name: values[name] * (1 - 1e-8) for name in ("lam", "lam0") if name in values}
        for values in drawn
    ]
    pairs = zip(asked(explorer, drawn), asked(explorer, nudged), strict=True)
    return [one if one == other else None for one, other in pairs]


def asked(explorer, drawn):
    text = f"""JSON.stringify({json.dumps(drawn)}.map((given) => {{
      const values = {{...Object.fromEntries(SPEC.controls.map(c => [c.name, c.paper])), ...given}};
      let result;
      for (const next of explorer.work ? explorer.work(values) : []) if (next) result = next;
      return explorer.draw(values, result, {{}}).reading;
    }}))"""
    return json.loads(Engine(explorer.program()).value(text))


@pytest.mark.parametrize(
    "theme, width, count, seed",
    [("light", 1280, 200, 0), ("dark", 390, 25, 1), ("dark", 1280, 10, 2), ("light", 390, 10, 3)],
)
def test_at_any_setting_an_explorer_says_what_is_so_and_can_be_read(
    open_page, place, theme, width, count, seed
):
    page = open_page(f"{place}{theme}.html", width=width)
    drawn = {explorer: settings(explorer, count, seed) for explorer in EXPLORERS}
    hashes = [
        ";".join(address(explorer, drawn[explorer][i]) for explorer in EXPLORERS)
        for i in range(count)
    ]
    rows = page.evaluate(DRIVE, [hashes, GROUNDS[theme]])
    wrong = {
        f"{explorer.stem()} {found} at {drawn[explorer][i]}"
        for i, row in enumerate(rows)
        for explorer, (_, all_found) in zip(EXPLORERS, row, strict=True)
        for found in all_found
    }
    assert sorted(wrong) == []
    for number, explorer in enumerate(EXPLORERS):
        said = [row[number][0] for row in rows]
        alone = readings(explorer, drawn[explorer])
        assert [(a, b) for a, b in zip(said, alone, strict=True) if b and a != b] == []
        assert sum(map(bool, alone)) > 0.6 * count, explorer.stem()
        assert not any(re.search(r"NaN|undefined|Infinity", words) for words in said)
        assert len(set(said)) > 0.2 * count, explorer.stem()
    quiet(page)
