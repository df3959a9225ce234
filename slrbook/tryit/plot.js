// The plot of a reader's code: converts lists of numbers to SVG text, and describes them.
const KINDS = ["k", "v dash", "oracle", "swapped", "other"];

// From 3 to 6 round numbers within a range.
function ticks(low, high) {
  const power = 10 ** Math.floor(Math.log10(high - low));
  const step =
    [0.2, 0.5, 1, 2, 5].map((part) => part * power).find((each) => (high - low) / each <= 5.01) ||
    power;
  const first = Math.ceil(low / step - 1e-9);
  return Array.from(
    { length: Math.floor(high / step + 1e-9) - first + 1 },
    (_, i) => (first + i) * step,
  );
}

const brief = (x) => String(+x.toPrecision(4)).replace("e+", "e").replaceAll("-", "−");

function range(values) {
  const [low, high] = values.reduce(
    ([a, b], x) => [Math.min(a, x), Math.max(b, x)],
    [Infinity, -Infinity],
  );
  const room = high > low ? 0 : Math.abs(low) / 2 || 1;
  return [low - room, high + room];
}

function pictured(all) {
  const lots = all.slice(0, 12);
  const log = lots.every((lot) => lot.log);
  const up = (y) => (log ? Math.log10(y) : y);
  const named = lots.filter(({ name }) => name);
  const [xs, ys] = [
    range(lots.flatMap((lot) => lot.xs)),
    range(lots.flatMap((lot) => lot.ys.map(up))),
  ];
  const height = 250 + 17 * named.length;
  const p = plane({
    width: 440,
    height,
    left: 66,
    right: 16,
    top: 10 + 17 * named.length,
    bottom: 44,
    xs,
    ys,
  });
  const show = (x, axis) => brief(log && axis === "y" ? 10 ** x : x);
  const [xlabel, ylabel] = ["xlabel", "ylabel"].map(
    (side) => lots.map((lot) => lot[side]).find(Boolean) || "",
  );
  let svg = axes(p, { xlabel, ylabel, xticks: ticks(...xs), yticks: ticks(...ys), show });
  lots.forEach((lot, i) => {
    const kind = KINDS[i % KINDS.length];
    svg += curve(
      lot.xs.map((x, j) => [p.X(x), p.Y(up(lot.ys[j]))]),
      kind,
    );
    const row = named.indexOf(lot);
    if (row < 0) return;
    const y = 12 + 17 * row;
    svg += legend(p.left, y, 24, kind, lot.name.slice(0, 50), 7);
  });
  const words = lots.map(({ name, ys: heights }) => {
    const [first, last] = [heights[0], heights[heights.length - 1]].map(brief);
    return `${name || "a curve"} from ${first} to ${last}`;
  });
  const [from, to] = xs.map(brief);
  const label = `A plot for ${xlabel || "x"} from ${from} to ${to}: ${words.join("; ")}.`;
  return `<svg viewBox="0 0 440 ${height}" role="img" aria-label="${escapeText(label)}">${svg}</svg>`;
}
