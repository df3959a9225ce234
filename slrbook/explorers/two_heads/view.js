// Two heads: the overlaps of both with two locations, and how descent on the exact risk moves them.
const { plane, text, line, curve, marker, axes, beside, around, listed, written, count } = slr;
const { hypot, log10, max, min, abs, sqrt } = Math;
const DISC = {
  width: 250,
  height: 262,
  left: 20,
  right: 20,
  top: 36,
  bottom: 16,
  xs: [-1, 1],
  ys: [-1, 1],
};
const CHART = { ...DISC, left: 34, right: 18, top: 24, bottom: 40 };
const NAMES = ["k1", "k2", "v1", "v2"];
const SPOTS = "k11 k12 k21 k22 v11 v12 v21 v22".split(" ");
const DRAWS = SPEC.constants.rests.length - SPEC.constants.minima.length;
// The eight overlaps of the discs.
const shownOf = (heads) => heads.flatMap((row, h) => (h < 2 ? row.slice(0, 2) : row.slice(2, 4)));

// And the eight that cross them: where v lies along k1*, k2*, and k along v1*, v2*.
const crossOf = (heads) => [
  ...heads.slice(2).flatMap((row) => row.slice(0, 2)),
  ...heads.slice(0, 2).flatMap((row) => row.slice(2, 4)),
];

// The minimum found at this lam that is nearest, with heads, locations and signs as they lie best.
function nearest(seen, lam) {
  let best = { far: Infinity };
  for (const [at, value, , ...place] of SPEC.constants.minima) {
    for (let n = abs(at / lam - 1) < 0.01 ? 64 : 0; n--; ) {
      const bit = (k) => (n >> k) & 1;
      const image = place.map((_, i) => {
        const [h, l] = [((i >> 1) & 1) ^ bit(0), (i & 1) ^ bit(1)];
        return place[(i & 4) | (h << 1) | l] * (bit(2 + h) ^ bit(4 + l) ? -1e-3 : 1e-3);
      });
      const far = hypot(...image.map((x, i) => x - seen[i]));
      if (far < best.far) best = { far, value, image };
    }
  }
  return best;
}

const explorer = {
  panels: [plane(DISC), plane(DISC), plane(CHART)],
  names: ["k₁ and k₂", "v₁ and v₂", "risk"],
  points: [0, 1, 2, 3].map((h) => ({
    panel: h >> 1,
    x: SPOTS[2 * h],
    y: SPOTS[2 * h + 1],
    step: 0.02,
    round: true,
    name: `start of ${NAMES[h][0]} of head ${NAMES[h][1]}`,
    says: [1, 2].map((l) => `along ${NAMES[h][0]} star ${l}`),
  })),

  python(values, figures) {
    const q = products(placed(values));
    const { start, end } = figures || { start: q, end: q };
    return { start: listed(start), end: listed(end) };
  },
  first: 1,
  actions: [
    ({ rest }) => ({ rest: (rest + 1) % DRAWS }),
    ({ rest }) => {
      const next = max(rest + 1, DRAWS) % SPEC.constants.rests.length || DRAWS;
      const [lam, , shared, ...place] = SPEC.constants.minima[next - DRAWS];
      return {
        rest: next,
        lam,
        shared,
        ...Object.fromEntries(SPOTS.map((name, i) => [name, place[i] / 1000])),
      };
    },
  ],

  *work(values) {
    const { lam, steps } = values;
    let heads = placed(values);
    let value = cost(products(heads), lam);
    let [alpha, down, speed] = [0.003, slope(heads, lam), heads.map(() => NOUGHTS)];
    const run = { path: [] };
    for (let t = 0; ; t++) {
      const q = products(heads);
      if (t % 20 === 0 || t === steps)
        run.path.push([t, value, noise(q, lam), ...shownOf(heads), ...crossOf(heads)]);
      Object.assign(run, { q, t });
      if (t === steps) return yield run;
      yield run; // a step costs as much as a frame can spare
      // A step that climbs is not taken; the next one is shorter and starts from rest.
      const push = speed.map((row, h) =>
        plus(
          row.map((x) => 0.9 * x),
          down[h],
          -alpha,
        ),
      );
      const next = heads.map((row, h) => unit(plus(row, push[h], 1)));
      const reached = cost(products(next), lam);
      if (reached > value) {
        alpha *= 0.6;
        speed = heads.map(() => NOUGHTS);
        continue;
      }
      speed = next.map((row, h) => plus(row, heads[h], -1));
      [heads, value, alpha] = [next, reached, 1.1 * alpha];
      down = slope(heads, lam);
    }
  },

  draw(values, run) {
    const { lam, steps } = values;
    const heads = placed(values);
    const q0 = products(heads);
    const { path, q: q1 } = run || {
      path: [[0, cost(q0, lam), noise(q0, lam), ...shownOf(heads), ...crossOf(heads)]],
      q: q0,
    };
    const [first, last] = [path[0], path[path.length - 1]];
    const separated = cost(SEPARATED, lam);
    const near = nearest(last.slice(3, 11), lam);

    const discs = [0, 4].map((from, panel) => {
      const p = explorer.panels[panel];
      const kind = "kv"[panel];
      const [left, low, right, high] = [p.X(-1), p.Y(-1), p.X(1), p.Y(1)];
      const [x0, y0] = [p.X(0), p.Y(0)];
      let svg = `<circle cx="${x0}" cy="${y0}" r="${right - x0}" class="frame"/>`;
      svg += line(left, y0, right, y0, "grid") + line(x0, low, x0, high, "grid");
      svg +=
        text(p.width - 1, y0 + 34, `${kind}₁*`, { anchor: "end" }) +
        text(x0 + 34, high - 3, `${kind}₂*`);
      const [taken, within] = [[], [0, p.top - 16, p.width, p.height]];
      taken.push(
        [p.width - 28, y0 + 20, p.width, y0 + 40],
        [x0 + 18, high - 18, x0 + 50, high + 2],
      );
      const other = "vk"[panel];
      const placed = []; // what is named: its place, its name and kind of letters
      const drawn = (shape, x, y, size, kind) => {
        taken.push(around(x, y, size));
        return marker(shape, x, y, size, kind);
      };
      for (const h of [0, 1]) svg += drawn("star", p.X(1 - h), p.Y(h), 13, "oracle"); // its rays reach round a start
      for (const h of [0, 1]) {
        const at = 11 + from + 2 * h; // the other direction of the head, thin
        const track = path.map((row) => [p.X(row[at]), p.Y(row[at + 1])]);
        const [x, y] = track[track.length - 1];
        svg += curve(track, `stream ${other}`) + drawn("ring", x, y, 3.5, other);
        if (Math.hypot(last[at], last[at + 1]) > 0.3) placed.push([x, y, other + "₁₂"[h], "on"]);
      }
      for (const h of [0, 1]) {
        const at = 3 + from + 2 * h;
        const track = path.map((row) => [p.X(row[at]), p.Y(row[at + 1])]);
        const [x, y] = track[track.length - 1];
        if (near.image)
          svg += drawn("triangle", p.X(near.image[at - 3]), p.Y(near.image[at - 2]), 7, "tilted");
        svg += curve(track, `path ${kind}`) + drawn("dot", x, y, 4, kind);
        taken.push(around(track[0][0], track[0][1], 8)); // the start to drag
        placed.unshift([x, y, kind + "₁₂"[h], "strong on"]);
      }
      for (const [x, y, name, letters] of placed)
        svg += beside(taken, x, y, name, { within, kind: letters });
      return (
        svg +
        text(4, 14, panel ? "drag v₁ and v₂" : "drag k₁ and k₂", {
          anchor: "start",
          kind: "strong",
        })
      );
    });

    const q = plane({
      ...CHART,
      xs: [0, steps || 1],
      ys: [-2, log10(max(3, 1.3 * first[1], 1.9 * separated))],
    });
    const Y = (value) => q.Y(max(log10(max(value, 1e-9)), q.ys[0]));
    let time = axes(q, {
      xlabel: "steps of descent",
      xticks: steps ? [0, steps] : [0],
      yticks: [-2, -1, 0, 1].filter((y) => y < q.ys[1]),
      show: (v, axis) => (axis === "x" ? count(v) : written(10 ** v)),
    });
    const right = q.width - q.right;
    time +=
      line(q.left, Y(1), right, Y(1), "grid") +
      line(q.left, Y(separated), right, Y(separated), "dash oracle");
    time += text(right - 3, Y(separated) - 5, `★ ${written(separated)}`, { anchor: "end" });
    if (near.image) {
      time += line(q.left, Y(near.value), right, Y(near.value), "dash tilted");
      time += text(q.left + 5, q.height - q.bottom - 6, `▲ ${written(near.value)}`, {
        anchor: "start",
      });
    }
    [
      ["other", 2],
      ["path", 1],
    ].forEach(([kind, column]) => {
      time +=
        curve(
          path.map((row) => [q.X(row[0]), Y(row[column])]),
          kind,
        ) + marker("dot", q.X(last[0]), Y(last[column]), 4, kind);
    });
    time +=
      text(4, 14, "excess risk", { anchor: "start", kind: "hint" }) +
      text(right, 14, "from other tokens", { anchor: "end", kind: "other" });

    const [largest, crossed] = [0, 4].map((i) => max(...q1.slice(i, i + 4).map(abs)));
    const [from, to] = [first, last].map(
      (row) => `${written(row[1])}, ${written(max(row[2], 0))} of it from the other tokens`,
    );
    const still = first[1] - last[1] < 1e-4;
    const stands =
      !steps || still ? `${still && steps ? "descent stays at" : "these have"}` : "descent reaches";
    const lower = last[1] < separated - 1e-4;
    let reading = `${lower ? "Because separated" : "Separated"} heads ★ have excess risk ${written(separated)}${separated > 1 ? ", more than always predicting 0" : ""}${lower ? "" : " here"}; ${stands} ${written(last[1])}.`;
    if (near.far < 0.1) reading += " This is a local minimum ▲.";
    return {
      panels: [...discs, time],
      labels: [
        `Overlaps of k1 and k2 with k1* and k2*: from the start, ${shownOf(heads)
          .slice(0, 4)
          .map((x) => written(x))}, descent leads to ${last.slice(3, 7).map((x) => written(x))}.`,
        `Overlaps of v1 and v2 with v1* and v2*: from the start, ${shownOf(heads)
          .slice(4)
          .map((x) =>
            written(x),
          )}, descent leads to ${last.slice(7, 11).map((x) => written(x))}; k1 and k2 end there at ${last.slice(15).map((x) => written(x))}.`,
        `Excess risk against the steps of descent: from ${from} to ${to}; separated heads ${written(separated)}.`,
      ],
      actions: ["sample the other overlaps again", "start at a minimum"],
      reading,
      running: `Running, step ${count(run ? run.t : 0)} of ${count(steps)}.`,
      figures: run && {
        excess_risk: [first[1], last[1]],
        noise: [first[2], last[2]],
        separated,
        largest,
        crossed,
        start: q0,
        end: q1,
        minimum: near.value ?? null,
        far: near.image ? near.far : null,
      },
    };
  },
};
