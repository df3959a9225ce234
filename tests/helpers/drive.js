// Brings one state of all explorers of a page after another, and says what was seen and what is wrong.
async ([hashes, ground]) => {
  const explorers = [...document.querySelectorAll('.slr-explorer')];
  const frame = () => new Promise(requestAnimationFrame);
  const numbers = (color) => color.match(/[\d.]+/g).map(Number);
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
    const line = /\bline\b|\bring\b/.test(kind);
    const [r, g, b] = numbers(line ? style.stroke : style.fill);
    const part = style.opacity * (line ? style.strokeOpacity : style.fillOpacity);
    const on = [r, g, b].map((x, i) => part * x + (1 - part) * ground[i]);
    seen.set(kind, contrast(on, ground) < 3);
    return seen.get(kind);
  };
  const wrong = (explorer) => {
    const found = [];
    if (innerWidth < 500 && explorer.offsetHeight > 800) found.push(`taller than 800: ${explorer.offsetHeight}`);
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
    // A browser passes over an address that follows too many others too soon; then once more.
    const before = location.hash;
    for (let arrived = false; !arrived; ) {
      const changed = new Promise((done) => {
        addEventListener('hashchange', () => done((arrived = true)), { once: true });
        setTimeout(done, 2000);
      });
      location.hash = hash;
      await changed;
      if (location.hash === before) continue; // passed over
      if (!arrived) dispatchEvent(new HashChangeEvent('hashchange'));
    }
    const since = performance.now();
    do {
      await frame();
      const busy = explorers.filter((e) => e.ariaBusy === 'true').map((e) => e.dataset.name);
      if (performance.now() - since > 600000) throw new Error(`still busy: ${busy} at ${hash}`);
      if (!busy.length) break;
    } while (true);
    rows.push(explorers.map((e) => [e.querySelector('.slr-reading').textContent, wrong(e)]));
  }
  return rows;
}
