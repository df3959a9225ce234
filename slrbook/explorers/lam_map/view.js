// The map of lambda: three regions of lambda against d, and a schedule that falls through them.
const STEPS = 120000; // of the run in the paper
const DS = [20, 1e6];
const BOX = { width: 340, height: 340, left: 56, right: 12, top: 30, bottom: 44 };
const XS = DS.map(Math.log10);
const REGIONS = [
  // from top to bottom: name, color
  ["teacher: not a minimum", "tilted"],
  ["teacher: lower risk", "oracle"],
  ["swapped: lower risk", "swapped"],
];
const log10 = Math.log10;

// The lines at one d.
function lines({ d, L, gamma }) {
  const unit = d ** -0.5;
  return {
    sw: root((lam) => determinant(lam, d, L, gamma), 0.1 * unit, 20),
    c: highestStable(d, L, gamma),
    eq: root((lam) => swapped(lam, d, 2, gamma) - oracle(lam, d, 2, gamma), 0.3 * unit, 20),
    best: lowest((lam) => oracle(lam, d, L, gamma)),
  };
}

const keep = { key: "", columns: [] }; // the lines depend on L and gamma

const regionOf = (lam, at) => (lam >= at.c ? 0 : lam >= at.eq ? 1 : 2);

function say(values, lam, at) {
  const { d, L, gamma, t, also } = values;
  const where = `at step ${count(t)}, λ = ${written(lam)}`;
  const [right, wrong] = [oracle(lam, d, L, gamma), swapped(lam, d, L, gamma)];
  const digits = [3, 4, 5, 6, 7, 8].find((n) => written(right, n) !== written(wrong, n)) ?? 8; // until they differ
  const risks = `the teacher has risk ${written(right, digits)}, the swapped pair ${written(wrong, digits)}`;
  const answer = [
    `No: ${where}, the teacher is not a local minimum; k tilts toward v* and v toward k*.`,
    lam >= at.sw
      ? `Yes: ${where}, the swapped pair is not a local minimum.`
      : `Yes: ${where}, ${risks}.`,
    `No: ${where}, ${risks}.`,
  ][regionOf(lam, at)];
  return also ? `${answer} The teacher has its lowest risk at λ = ${written(at.best)}.` : answer;
}

const lamAt = ({ lam0, decay }, t) => lam0 / (1 + decay * t);

const explorer = {
  panels: [
    plane({ ...BOX, xs: XS, ys: [-3.2, 0.7] }),
    plane({ ...BOX, xs: [0, STEPS], ys: [-3, 1] }),
  ],
  names: ["the map", "the schedule"],
  pace: 60,
  first: 0,
  next: ({ t }) => (t < STEPS ? { t: Math.min(STEPS, t + 2000) } : { playing: 0 }),
  actions: [player("t", STEPS)],

  *work(values) {
    const key = [values.L, values.gamma].join();
    if (keep.key === key) return;
    const columns = [];
    for (const x of evenly(...XS, 36)) {
      columns.push([x, lines({ ...values, d: 10 ** x })]);
      yield;
    }
    Object.assign(keep, { key, columns });
  },

  draw(values) {
    const { d, L, gamma, lam0, t, also } = values;
    const at = lines(values);
    const lam = lamAt(values, t);
    const end = lamAt(values, STEPS);
    const here = regionOf(lam, at);
    const ys = [Math.min(-3.2, log10(end) - 0.1), 0.7];
    const [p, q] = [
      plane({ ...BOX, xs: XS, ys }),
      plane({ ...BOX, right: 112, xs: [0, STEPS], ys }),
    ];
    const within = (lam) => clamp(log10(lam), ...ys);
    const power = (v) => written(10 ** v);
    const yticks = [-4, -3, -2, -1, 0].filter((y) => y > ys[0]);

    const edges = (p, { c, eq }) => [p.top, p.Y(within(c)), p.Y(within(Math.min(eq, c))), p.foot];
    const sides = keep.columns.map(([place, there]) => [p.X(place), edges(p, there)]);
    const x = p.X(log10(d));
    let map = "";
    REGIONS.forEach(([name, color], i) => {
      if (!sides.length) return;
      const [edge, foot] = [i, i + 1].map((j) => sides.map(([X, heights]) => [X, heights[j]]));
      map += area(edge, foot, `region ${color}`);
      if (i) map += curve(edge, i > 1 ? "dash text" : "stream text");
      // The label stands where its region is tallest, away from the run.
      const half = 3.8 * name.length;
      const rooms = sides
        .filter(
          ([X]) => X > p.left + half + 4 && X < p.end - half - 4 && Math.abs(X - x) > half + 10,
        )
        .map(([X]) => {
          const near = sides.filter(([other]) => Math.abs(other - X) <= half + 8);
          const [tops, feet] = [i, i + 1].map((j) => near.map(([, heights]) => heights[j]));
          return [X, Math.max(...tops), Math.min(...feet)];
        });
      const [X, top, low] = rooms.reduce((a, b) => (b[2] - b[1] > a[2] - a[1] ? b : a), [0, 0, 0]);
      if (low - top > 16)
        map += text(X, (top + low) / 2 + 4, name, { kind: `strong on ${color}` });
    });
    map += axes(p, {
      xlabel: "d, dimension",
      ylabel: "λ",
      xticks: [2, 3, 4, 5, 6],
      yticks,
      show: (v, axis) => (axis === "x" ? tenTo(v) : power(v)),
    });
    if (also)
      map += graphInside(
        p,
        keep.columns.map(([place, there]) => [place, log10(there.best)]),
        "dots text",
      );
    map += line(x, p.Y(within(lam0)), x, p.Y(within(end)), "thick");
    map += marker("dot", x, p.Y(within(lam)), 7, REGIONS[here][1]);
    map += overLeft(p, `● λ at step ${count(t)}`, REGIONS[here][1]);
    map += also ? overRight(p, "dotted: best λ") : overRight(p, "▬ all steps", "strong");

    const levels = edges(q, at);
    let time = REGIONS.map(([, color], i) =>
      rectangle(q.left, levels[i], q.end - q.left, levels[i + 1] - levels[i], `region ${color}`),
    ).join("");
    time += axes(q, {
      xlabel: "t, step",
      ylabel: "λ",
      xticks: [0, STEPS / 2, STEPS],
      yticks,
      show: (v, axis) => (axis === "x" ? count(v) : power(v)),
    });
    const named = [["c", "λ_c"], ["eq", "equal risk"], ...(also ? [["best", "best λ"]] : [])]
      .filter(([key]) => log10(at[key]) > ys[0] && log10(at[key]) < ys[1])
      .sort(([a], [b]) => at[b] - at[a]);
    const ends = named.map(([key, name]) => [
      q.Y(log10(at[key])),
      `${name} ${written(at[key], 2)}`,
      { c: "stream", eq: "dash" }[key] ?? "dots",
    ]);
    for (const [y, , kind] of ends) time += line(q.left, y, q.end, y, kind);
    const words = ends.map(([y, words]) => [y, words, ""]);
    time += atRight(q, words);
    const track = evenly(0, 1, 80).map((part) => STEPS * part ** 2);
    time +=
      graph(q, track, "path", (s) => [s, within(lamAt(values, s))]) +
      marker("dot", q.X(t), q.Y(within(lam)), 7, REGIONS[here][1]);
    time += overLeft(q, `the schedule at d = ${count(d)}`);

    const reading = say(values, lam, at);
    const listed = named
      .map(([key, name]) => `${name.replace("_", "")} ${written(at[key])}`)
      .join(", ");
    return {
      panels: [map, time],
      labels: [
        `Regions of λ against d on logarithmic axes, for L = ${L}, γ = ${written(gamma)}: from above, ${REGIONS.map(([name]) => name).join(", ")}. At d = ${count(d)} the schedule goes from λ = ${written(lam0)} to ${written(end)}.`,
        `λ against the steps of the schedule, and the borders of the regions at d = ${count(d)}: ${listed}.`,
      ],
      actions: [values.playing ? "pause" : "play: λ decreases through the regions"],
      reading,
      running: `${reading} The map is being computed.`,
      figures: {
        regime: REGIONS[here][0],
        lam,
        ...at,
        oracle: oracle(lam, d, L, gamma),
        swapped: swapped(lam, d, L, gamma),
      },
    };
  },
};
