// Drawing: pure functions from numbers to SVG text, shared by pages, tests and still pictures.
const drawing = { detail: 0.25 }; // tolerance for simplifying a line, in units of the picture
const px = (number) => String(+number.toFixed(1));
const escapeText = (words) =>
  String(words).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");

// A panel with its margins and ranges, and the right and lower ends of its axes; X and Y map data
// to the picture, x and y are their inverses.
function plane(box) {
  const { width, height, left, right, top, bottom, xs = [0, 1], ys = [0, 1] } = box;
  const w = width - left - right;
  const h = height - top - bottom;
  return {
    ...box,
    xs,
    ys,
    end: width - right,
    foot: height - bottom,
    X: (x) => left + ((x - xs[0]) / (xs[1] - xs[0])) * w,
    Y: (y) => top + ((ys[1] - y) / (ys[1] - ys[0])) * h,
    x: (X) => xs[0] + ((X - left) / w) * (xs[1] - xs[0]),
    y: (Y) => ys[1] - ((Y - top) / h) * (ys[1] - ys[0]),
  };
}

// A marker within text has its color; λ_c has a true subscript.
const MARKS = { "★": "oracle", "◆": "swapped", "✕": "saddle", "■": "maximum" };
const inked = (words) =>
  escapeText(words)
    .replace(/[★◆✕■]/g, (mark) => `<tspan class="${MARKS[mark]}">${mark}</tspan>`)
    .replace(/λ_(c|sw)( ?)/g, 'λ<tspan class="sub" dy="3">$1</tspan><tspan dy="-3">$2</tspan>');

function text(x, y, words, { anchor = "middle", kind = "", turn = 0 } = {}) {
  const turned = turn ? ` transform="rotate(${turn} ${px(x)} ${px(y)})"` : "";
  const name = kind ? ` class="${kind}"` : "";
  return `<text x="${px(x)}" y="${px(y)}" text-anchor="${anchor}"${name}${turned}>${inked(words)}</text>`;
}

// Text that begins or ends at a point.
const textFrom = (x, y, words, kind = "") => text(x, y, words, { anchor: "start", kind });
const textTo = (x, y, words, kind = "") => text(x, y, words, { anchor: "end", kind });

// Text in the line above a panel, at its left or right end.
const overLeft = (p, words, kind = "hint") => textFrom(p.left, 18, words, kind);
const overRight = (p, words, kind = "hint") => textTo(p.end, 18, words, kind);

function line(x1, y1, x2, y2, kind) {
  return `<path d="M${px(x1)},${px(y1)}L${px(x2)},${px(y2)}" class="line ${kind}"/>`;
}

// A legend entry: a piece of the line, and text.
const legend = (x, y, length, kind, words, gap = 6) =>
  line(x, y - 4, x + length, y - 4, kind) + textFrom(x + length + gap, y, words);

// Remove the points whose omission moves the line by less than the tolerance.
function thinned(points) {
  const keep = [points[0]];
  const walk = (a, b) => {
    const [[x1, y1], [x2, y2]] = [points[a], points[b]];
    const length = Math.hypot(x2 - x1, y2 - y1);
    let [far, worst] = [0, drawing.detail];
    for (let i = a + 1; i < b; i++) {
      const [dx, dy] = [points[i][0] - x1, points[i][1] - y1];
      const off = length ? Math.abs(dx * (y2 - y1) - dy * (x2 - x1)) / length : Math.hypot(dx, dy);
      if (off > worst) [far, worst] = [i, off];
    }
    if (far) walk(a, far), walk(far, b);
    else keep.push(points[b]);
  };
  walk(0, points.length - 1);
  return keep;
}

const trace = (points) =>
  `M${thinned(points)
    .map(([x, y]) => `${px(x)},${px(y)}`)
    .join("L")}`;

// A path is drawn over a wider line in the background color, so that it stands out at crossings.
function curve(points, kind) {
  if (points.length < 2) return "";
  const course = trace(points);
  const under = /\bpath\b/.test(kind) ? `<path d="${course}" class="under"/>` : "";
  return `${under}<path d="${course}" class="line ${kind}"/>`;
}

// The same for points of the plane, or for the points that `at` computes from rows of numbers.
function graph(p, rows, kind, at = (row) => row) {
  const places = rows.map(at).map(([x, y]) => [p.X(x), p.Y(y)]);
  return curve(places, kind);
}

// A graph, restricted to the range of the vertical axis.
function graphInside(p, points, kind) {
  const [low, high] = p.ys;
  const near = (i) =>
    points.slice(Math.max(i - 1, 0), i + 2).some(([, y]) => y >= low && y <= high);
  let [svg, piece] = ["", []];
  points.forEach(([x, y], i) => {
    if (near(i)) piece.push([x, Math.min(Math.max(y, low), high)]);
    if (near(i) && i < points.length - 1) return;
    svg += graph(p, piece, kind);
    piece = [];
  });
  return svg;
}

// The area between two lines.
const area = (top, foot, kind) =>
  `<path d="${trace([...top, ...foot.toReversed()])}Z" class="${kind}"/>`;

function rectangle(x, y, width, height, kind) {
  return `<rect x="${px(x)}" y="${px(y)}" width="${px(width)}" height="${px(height)}" class="${kind}"/>`;
}

// A bar from the height `from` to the height `to`, in picture units; at least a hairline thick.
function bar(x, width, from, to, kind) {
  const top = Math.min(from, to) - (to === from ? 0.4 : 0);
  return rectangle(x - width / 2, top, width, Math.max(Math.abs(to - from), 0.8), kind);
}

function arrow(x1, y1, x2, y2, kind) {
  const angle = Math.atan2(y2 - y1, x2 - x1);
  const barb = (turn) =>
    `${px(x2 - 5 * Math.cos(angle + turn))},${px(y2 - 5 * Math.sin(angle + turn))}`;
  const head = `M${barb(0.5)}L${px(x2)},${px(y2)}L${barb(-0.5)}`;
  return `<path d="M${px(x1)},${px(y1)}L${px(x2)},${px(y2)}${head}" class="line ${kind}"/>`;
}

// The markers of the book: star, cross, square, diamond, triangle, dot, ring.
function marker(shape, x, y, size, kind) {
  const at = (radius, turn) =>
    `${px(x + radius * Math.sin(turn))},${px(y - radius * Math.cos(turn))}`;
  const polygon = (count, turn, radius) =>
    Array.from({ length: count }, (_, i) => at(radius(i), turn + (2 * Math.PI * i) / count)).join(
      "L",
    );
  const closed = (path) => `<path d="M${path}Z" class="mark ${kind}"/>`;
  if (shape === "star") return closed(polygon(10, 0, (i) => (i % 2 ? 0.45 : 1) * 1.25 * size));
  if (shape === "square") return closed(polygon(4, Math.PI / 4, () => size * 1.2));
  if (shape === "diamond") return closed(polygon(4, 0, () => size * 1.2));
  if (shape === "triangle") return closed(polygon(3, 0, () => size * 1.2));
  if (shape === "cross") {
    const step = px(2 * size);
    const start = `M${px(x - size)},${px(y - size)}`;
    return `<path d="${start}l${step},${step}m0,-${step}l-${step},${step}" class="line thick ${kind}"/>`;
  }
  const role = shape === "ring" ? "ring" : "mark";
  return `<circle cx="${px(x)}" cy="${px(y)}" r="${px(size)}" class="${role} ${kind}"/>`;
}

// Small arrows on an n by n grid in the direction of `move`, which maps a point to a step.
function stream(p, n, move) {
  const middles = (from, to) =>
    Array.from({ length: n }, (_, i) => from + ((2 * i + 1) / (2 * n)) * (to - from));
  let path = "";
  for (const a of middles(...p.xs)) {
    for (const b of middles(...p.ys)) {
      const [dx, dy] = move(a, b);
      const [x, y] = [dx, -dy].map((part) => (6 * part) / Math.hypot(dx, dy));
      const back = [-x - 0.7 * y, -y + 0.7 * x];
      const over = [-x + 0.7 * y, -y - 0.7 * x];
      const course = [2 * x, 2 * y, ...back, ...back.map((part) => -part), ...over];
      path += `M${[p.X(a) - x, p.Y(b) - y].map(px)}l${course.map(px)}`;
    }
  }
  return `<path d="${path}" class="line stream"/>`;
}

// Frame, tick labels, and the names of the axes; `gap` separates the labels of the vertical axis
// from a marker on it.
function axes(p, given) {
  const { xlabel = "", ylabel = "", xticks = [], yticks = [], gap = 7 } = given;
  const { show = (value, _axis) => minus(value) } = given;
  const [low, high] = [p.foot, p.end];
  let svg = rectangle(p.left, p.top, high - p.left, low - p.top, "frame");
  // The right end of the last label below the axis, or of a label at the foot of the vertical axis.
  const foot = yticks.some((y) => low - p.Y(y) < 10);
  let taken = foot ? p.left - gap - 2 : Number.NEGATIVE_INFINITY;
  for (const x of [...xticks].sort((a, b) => p.X(a) - p.X(b))) {
    const words = String(show(x, "x"));
    const half = 3.8 * words.length; // so that the last label stays in the picture
    const at = Math.min(p.X(x), p.width - half);
    svg += line(p.X(x), low, p.X(x), low + 4, "axis");
    if (at - half < taken) continue; // if labels are too close, keep the first
    svg += text(at, low + 18, words);
    taken = at + half + 3;
  }
  let last = Number.NEGATIVE_INFINITY;
  for (const y of [...yticks].sort((a, b) => p.Y(a) - p.Y(b))) {
    svg += line(p.left - 4, p.Y(y), p.left, p.Y(y), "axis");
    if (p.Y(y) - last < 16) continue;
    svg += textTo(p.left - gap, p.Y(y) + 4, show(y, "y"));
    last = p.Y(y);
  }
  svg += text((p.left + high) / 2, p.height - 6, xlabel, { kind: "name" });
  const middle = (p.top + low) / 2;
  return svg + (ylabel ? text(13, middle, ylabel, { kind: "name", turn: -90 }) : "");
}

// Heights in their order, at least one line of text apart.
const APART = 17.5; // line spacing in picture units
function apart(heights, low, high) {
  const out = [];
  heights.forEach((y, i) => out.push(i ? Math.max(y, out[i - 1] + APART) : Math.max(y, low)));
  for (let i = out.length, most = high; i--; most = out[i] - APART) out[i] = Math.min(out[i], most);
  return out;
}

// Labels at the right ends of lines, without overlap: [height, text, kind] each.
function atRight(p, ends) {
  const sorted = ends.toSorted(([a], [b]) => a - b);
  const wanted = sorted.map(([y]) => y);
  const heights = apart(wanted, p.top + 4, p.foot);
  return sorted
    .map(([at, words, kind], i) => {
      const lead = line(p.end + 1, at, p.end + 8, heights[i], "lead");
      return lead + textFrom(p.end + 10, heights[i] + 4, words, kind);
    })
    .join("");
}

// The square around a marker, which labels must avoid.
const around = (x, y, size) => [x - size, y - size, x + size, y + size];

/** @type {[number, number, string][]} */
const PLACES = [
  [9, -5, "start"],
  [9, 14, "start"],
  [-9, -5, "end"],
  [-9, 14, "end"],
  [0, -12, "middle"],
  [0, 21, "middle"],
  [14, 28, "start"],
  [-14, 28, "end"],
  [14, -20, "start"],
  [-14, -20, "end"],
  [0, 36, "middle"],
  [0, -28, "middle"],
];

// A label next to a point, at the first position free of earlier labels; or an empty string.
function beside(taken, x, y, words, given) {
  const { kind = "", places = PLACES, within = [0, 0, 1e4, 1e4], must = true } = given;
  const [width, height] = [(/strong/.test(kind) ? 8.6 : 7.6) * words.length, 14];
  const boxAt = ([dx, dy, anchor]) => {
    const left = x + dx - (anchor === "start" ? 0 : anchor === "end" ? width : width / 2);
    return [left, y + dy - 11, left + width, y + dy - 11 + height];
  };
  const free = (place) => {
    const [left, top, right, low] = boxAt(place);
    const apart = taken.every((b) => left >= b[2] || right <= b[0] || top >= b[3] || low <= b[1]);
    const [x1, y1, x2, y2] = within;
    return apart && left >= x1 && top >= y1 && right <= x2 && low <= y2;
  };
  const place = places.find(free) || (must && places[0]);
  if (!place) return "";
  taken.push(boxAt(place));
  return text(x + place[0], y + place[1], words, { anchor: place[2], kind });
}
