// The runs drawn by the tour, computed on demand and kept in `memo`.
const LAM = 0.2; // of the single run; the other runs on M use that of the landscape
const ALPHA = 4e-3;
const START = [0.05, 0.03]; // kappa and nu of the single run
const ORDERED = [
  [-0.7, 0.3],
  [-0.45, 0.55],
];
const RUNS = { lam: 0.05, seed: 1, many: 30, steps: 4000, alpha: 0.005 }; // from random starts
const SQUARE = [-0.9, -0.54, -0.18, 0.18, 0.54, 0.9]; // starts on M

// Rows at steps that grow like a power, so that the beginning, where most happens, is slow.
function* followed(start, move, { steps, rows, power }) {
  const run = { at: [0], rows: [start] };
  let now = start;
  for (let i = 1, t = 0; i <= rows; i++) {
    const until = Math.max(t + 1, Math.round(steps * (i / rows) ** power));
    for (; t < until; t++) {
      now = move(now);
      if (t % 40 === 0) yield;
    }
    run.at.push(t);
    run.rows.push(now);
  }
  return run;
}

const onM = (lam) => (pair) => slide(...pair, lam, ALPHA);
const onSpheres = (step) => (pair) => step(...pair, RUNS.lam, RUNS.alpha);
const MANY = { steps: RUNS.steps, rows: 75, power: 1.3 };
const BOTH = { steps: 8000, rows: 80, power: 2 };

// The computations for each scene; the first three scenes need none.
const JOBS = {
  3: function* (found) {
    found.one = yield* followed(START, onM(LAM), { steps: 20_000, rows: 200, power: 2 });
  },
  4: function* (found) {
    found.pair = [];
    for (const start of ORDERED) found.pair.push(yield* followed(start, onM(0.1), BOTH));
    found.many = [];
    for (const kappa of SQUARE)
      for (const nu of SQUARE)
        if (kappa !== -nu) found.many.push(yield* followed([kappa, nu], onM(0.1), BOTH));
  },
  5: function* (found) {
    const starts = startsOf(RUNS.seed, TASK.d, RUNS.many, false);
    for (const [name, step] of [
      ["erf", erfStep],
      ["softmax", softmaxStep],
    ]) {
      found[name] = [];
      for (const start of starts) found[name].push(yield* followed(start, onSpheres(step), MANY));
    }
  },
};

// A run that has not started.
const resting = (start) => ({ at: [0, 0], rows: [start, start] });

// The row at a fraction of the path, interpolated, and the index of the nearest row.
function reached(run, part) {
  const place = clamp(part, 0, 1) * (run.rows.length - 1);
  const i = Math.min(Math.floor(place), run.rows.length - 2);
  const row = run.rows[i].map((x, j) => x + (place - i) * (run.rows[i + 1][j] - x));
  return { row, i: Math.max(1, Math.round(place)), step: run.at[Math.round(place)] };
}

// The path of a run up to this fraction; its points are computed once.
function trail(run, part, p, [x, y], kind) {
  run.points ||= run.rows.map((row) => `${px(p.X(row[x]))},${px(p.Y(row[y]))}`);
  const { row, i } = reached(run, part);
  const [a, b] = [p.X(row[x]), p.Y(row[y])];
  const passed = run.points.slice(0, Math.max(1, Math.floor(part * (run.rows.length - 1)) + 1));
  const course = `M${passed.join("L")}L${px(a)},${px(b)}`;
  return `<path d="${course}" class="line stream ${kind}"/>${marker("dot", a, b, 4, kind)}`;
}
