// The map of lambda: the lines that divide lambda against d, and a schedule that crosses them.
const { plane, text, line, curve, marker, axes, root, lowest, apart, written, count } = slr;
const STEPS = 120000; // of the paper's run
const DS = [20, 1e6];
const BOX = { width: 340, height: 340, left: 60, right: 12, top: 30, bottom: 44 };
const XS = DS.map(Math.log10);
const LINES = {
  // name at this d, colour and line, name on the map
  sw: ["λsw", "swapped"],
  c: ["λc", "tilted"],
  edge: ["α·h = 2:", "saddle dash"],
  slow: ["plateau", "v"],
  eq: ["equal", "swapped dash", "equal risks"],
  best: ["lowest", "oracle", "lowest risk"],
  clip: ["θ = 1:", "swapped dots"],
};
const KEYS = Object.keys(LINES);
const log10 = Math.log10;

// Steps in which 1 - kappa falls by a factor e, near the pair.
const patience = (lam, { d, gamma, alpha }) => -0.5 / Math.log1p(alpha * slope(lam, d, gamma));
const jump = (lam, { d, L, gamma, alpha }) => alpha * d * sharpness(lam, d, L, gamma);

// Every line at one d.
function lines(values) {
  const { d, L, gamma } = values;
  const unit = d ** -0.5;
  return {
    sw: root((lam) => determinant(lam, d, L, gamma), 0.1 * unit, 20),
    c: highestStable(d, L, gamma),
    edge: root((lam) => jump(lam, values) - 2, 0.001 * unit, 20),
    slow: root((lam) => 1 / patience(lam, values) - 1 / STEPS, 0.1 * unit, 20, true),
    eq: root((lam) => swapped(lam, d, 2, gamma) - oracle(lam, d, 2, gamma), 0.3 * unit, 20),
    best: lowest((lam) => oracle(lam, d, L, gamma), log10(unit) - 1.5, log10(unit) + 1.5),
    clip: root((lam) => theta(lam, d, gamma) - 1, 0.1 * unit, 20),
  };
}

const keep = { key: "", columns: [] }; // the lines move with L, gamma and alpha only

// What lam does at these lines: its name, and why.
function regime(lam, at, values) {
  const { d, L, gamma } = values;
  if (lam >= at.c) {
    return [
      "tilted",
      `The teacher is not a local minimum; k and v tilt towards each other’s target${lam < at.sw ? ", or swap" : ""}.`,
    ];
  }
  if (jump(lam, values) > 2) {
    return [
      "edge of stability",
      `The teacher is a local minimum, but α·h = ${jump(lam, values) < 1000 ? written(jump(lam, values)) : count(jump(lam, values))} > 2: steps overshoot it.`,
    ];
  }
  if (lam > at.slow) {
    const wait = patience(lam, values);
    const steps = wait < 1e9 ? `takes ${count(wait)} steps` : "takes over 10⁹ steps";
    return ["on the plateau", `Near the teacher, 1 − κ ${steps} to fall by a factor e.`];
  }
  const both = [oracle(lam, d, L, gamma), swapped(lam, d, L, gamma)];
  const digits = [3, 4, 5, 6, 7, 8].find((n) => written(both[0], n) !== written(both[1], n)) ?? 8; // until they differ
  const risks = `risk ${written(both[0], digits)} at the teacher, ${written(both[1], digits)} swapped`;
  if (lam >= at.sw) return ["in the basin of the pair", "The swapped pair is not a local minimum."];
  if (lam >= at.eq) return ["either basin", `There are two local minima: ${risks}.`];
  return ["swapped is lower", `The swapped pair predicts better: ${risks}.`];
}

const lamAt = ({ lam0, decay }, t) => lam0 / (1 + decay * t);

// The step at which the schedule crosses its next line, or nothing.
function next({ lam0, decay, t }, at) {
  const steps = KEYS.filter((key) => key !== "best" && at[key] < lam0)
    .map((key) => 1 + Math.ceil((lam0 / at[key] - 1) / decay))
    .filter((step) => step > t && step <= STEPS);
  return steps.length ? Math.min(...steps) : undefined;
}

// The part of a line inside the panel, cut where it leaves.
function cut(points, p) {
  const [low, high] = p.ys;
  const pieces = [[]];
  points.forEach(([x, y], i) => {
    const inside = y >= low && y <= high;
    const [x0, y0] = i ? points[i - 1] : [x, y];
    const before = y0 >= low && y0 <= high;
    if (inside !== before && Number.isFinite(y - y0)) {
      const edge = (inside ? y0 : y) > high ? high : low;
      pieces[pieces.length - 1].push([x0 + ((edge - y0) / (y - y0)) * (x - x0), edge]);
    }
    if (inside) pieces[pieces.length - 1].push([x, y]);
    else pieces.push([]);
  });
  return pieces.map((piece) => piece.map(([x, y]) => [p.X(x), p.Y(y)]));
}

const explorer = {
  panels: [
    plane({ ...BOX, right: 84, xs: XS, ys: [-3.2, 0.7] }),
    plane({ ...BOX, right: 128, xs: [0, STEPS], ys: [-3, 1] }),
  ],
  names: ["the map", "the schedule"],

  first: 0,
  actions: [(values) => ({ t: next(values, lines(values)) ?? values.t })],

  *work(values) {
    const key = [values.L, values.gamma, values.alpha].join();
    if (keep.key === key) return;
    for (const last of [9, 36]) {
      const columns = [];
      for (let i = 0; i <= last; i++) {
        const x = XS[0] + ((XS[1] - XS[0]) * i) / last;
        columns.push([x, lines({ ...values, d: 10 ** x })]);
        yield;
      }
      keep.columns = columns;
      yield;
    }
    keep.key = key;
  },

  draw(values) {
    const { d, L, gamma, lam0, t } = values;
    const at = lines(values);
    const lam = lamAt(values, t);
    const end = lamAt(values, STEPS);
    const [name, why] = regime(lam, at, values);
    const p = plane({ ...BOX, right: 84, xs: XS, ys: [Math.min(-3.2, log10(end) - 0.1), 0.7] });
    const power = { "-4": "0.0001", "-3": "0.001", "-2": "0.01", "-1": "0.1", 0: "1", 1: "10" };
    let map = axes(p, {
      xlabel: "d, dimension",
      ylabel: "λ",
      xticks: [2, 3, 4, 5, 6],
      yticks: [-4, -3, -2, -1, 0].filter((y) => y > p.ys[0]),
      show: (v, axis) => (axis === "x" ? `10${"⁰¹²³⁴⁵⁶"[v]}` : power[v]),
    });
    const x = p.X(log10(d));
    map += line(x, p.top, x, p.height - p.bottom, "grid");
    for (const key of KEYS) {
      const points = keep.columns.map(([place, there]) => [place, log10(there[key])]);
      for (const piece of cut(points, p)) map += curve(piece, LINES[key][1]);
    }
    // Each line has its name where it leaves the map, at the right, else at the last place inside.
    const last = keep.columns.length ? keep.columns[keep.columns.length - 1][1] : {};
    const named = KEYS.filter((key) => last[key] > 0).sort((a, b) => last[b] - last[a]);
    const leave = named.map((key) => p.Y(Math.min(Math.max(log10(last[key]), p.ys[0]), p.ys[1])));
    apart(leave, p.top, p.height - p.bottom).forEach((y, i) => {
      const key = named[i];
      const edge = p.width - p.right;
      const under = log10(last[key]) < p.ys[0];
      map +=
        (under ? "" : line(edge, leave[i], edge + 8, y, LINES[key][1].split(" ")[0])) +
        text(
          edge + 11,
          y + 4,
          `${LINES[key][2] || LINES[key][0].replace(/:$/, "")}${under ? " ↓" : ""}`,
          { anchor: "start" },
        );
    });
    // What lam does between the lines, in words that keep off the lines and the schedule.
    const best = {};
    for (const room of roomsOf(p, values)) {
      const [name, X, y, half, near] = room;
      const off =
        Math.abs(X - x) > half + 8 || y < p.Y(log10(lam0)) - 14 || y > p.Y(log10(end)) + 14;
      if (off && !(best[name]?.[4] >= near)) best[name] = room;
    }
    for (const [name, X, y] of Object.values(best))
      map += text(X, y + 4, name, { kind: "hint on" });
    map += line(x, p.Y(log10(lam0)), x, p.Y(log10(end)), "thick");
    map += marker("dot", x, p.Y(log10(lam)), 6, "text");
    map += text(p.left, 18, "● λ at this step of the schedule", {
      anchor: "start",
      kind: "hint",
    });

    const levels = KEYS.map((key) => log10(at[key])).filter((y) => y > -3.2 && y < 0.7);
    const q = plane({
      ...BOX,
      right: 128,
      xs: [0, STEPS],
      ys: [Math.min(...levels, log10(end)) - 0.12, Math.max(...levels, log10(lam0)) + 0.12],
    });
    let time = axes(q, {
      xlabel: "t, step",
      ylabel: "λ",
      xticks: [0, STEPS / 2, STEPS],
      yticks: [-4, -3, -2, -1, 0].filter((y) => y > q.ys[0] && y < q.ys[1]),
      show: (v, axis) => (axis === "x" ? count(v) : power[v]),
      gap: 12,
    });
    const shownKeys = KEYS.filter((key) => log10(at[key]) > q.ys[0] && log10(at[key]) < q.ys[1]);
    shownKeys.sort((a, b) => at[b] - at[a]);
    const right = q.width - q.right;
    const heights = apart(
      shownKeys.map((key) => q.Y(log10(at[key]))),
      q.top,
      q.height - q.bottom,
    );
    shownKeys.forEach((key, i) => {
      const y = q.Y(log10(at[key]));
      const [words, kind] = LINES[key];
      time +=
        line(q.left, y, right, y, kind) +
        line(right, y, right + 10, heights[i], kind.split(" ")[0]);
      time += text(right + 14, heights[i] + 4, `${words} ${written(at[key])}`, { anchor: "start" });
    });
    const track = Array.from({ length: 81 }, (_, i) => (STEPS * i * i) / 6400).map((s) => [
      q.X(s),
      q.Y(log10(lamAt(values, s))),
    ]);
    time += curve(track, "path") + marker("dot", q.X(t), q.Y(log10(lam)), 6, "text");
    time += text(q.left, 18, `the schedule at d = ${count(d)}`, { anchor: "start", kind: "hint" });

    const reading = `Step ${count(t)}, λ = ${written(lam)}: ${name}. ${why}`;
    const listed = shownKeys.map((key) => `${LINES[key][0]} ${written(at[key])}`).join(", ");
    return {
      panels: [map, time],
      labels: [
        `Lines of λ against d on logarithmic axes, for L = ${L}, γ = ${written(gamma)}. At d = ${count(d)} the schedule goes from λ = ${written(lam0)} to ${written(end)}.`,
        `λ against the steps of the schedule, and the lines at d = ${count(d)}: ${listed}.`,
      ],
      actions: [
        ((t) => (t ? `go to step ${count(t)}, the next line` : "no further line"))(
          next(values, at),
        ),
      ],
      reading,
      running: `${reading} The lines of the map are being computed.`,
      figures: {
        regime: name,
        lam,
        ...at,
        patience: patience(lam, values),
        jump: jump(lam, values),
        oracle: oracle(lam, d, L, gamma),
        swapped: swapped(lam, d, L, gamma),
      },
    };
  },
};
