// The laboratory: counts of outcomes, one quantity by outcome, a second set of runs for comparison.
const SIZE = { width: 340, height: 300, left: 52, right: 112, top: 30, bottom: 44, xs: [0, 1] };
const { states: STATES, presets: PRESETS, most: MOST, shows: SHOWS } = SPEC.constants;
const [RISK, OVERLAPS, DISTANCE, SCHEDULE] = SHOWS.keys();

const rowsTo = (job, steps) => job.rows.filter(({ t }) => t <= steps);

// The last row up to a fraction of the steps.
function rowAt(rows, place) {
  let found = rows[0];
  for (const row of rows) if (row.t <= place + 0.5) found = row;
  return found;
}

// Counts of each outcome as stacked areas; runs that have not converged are left blank.
function drawCounts(p, rows, row, values, kept) {
  const { steps } = values;
  const across = ({ t }) => p.X(t / steps);
  const share = (row, { values }, ...names) =>
    outcomesOf(row, values).filter((name) => names.includes(name)).length / row.all.length;
  const names = OUTCOMES.map(([name]) => name);
  const ends = [];
  let svg = "";
  OUTCOMES.forEach(([name, kind, words], i) => {
    const [top, foot] = [i + 1, i].map((last) =>
      rows.map((row) => [across(row), p.Y(share(row, { values }, ...names.slice(0, last)))]),
    );
    if (i < CONVERGED && top.some(([, y], j) => y !== foot[j][1]))
      svg += area(top, foot, `region ${kind}`) + curve(top, kind);
    const hits = share(row, { values }, name);
    const middle = share(row, { values }, ...names.slice(0, i)) + hits / 2;
    if (hits) ends.push([p.Y(middle), `${Math.round(hits * row.all.length)} ${words}`, kind]);
  });
  // For the runs kept for comparison, dotted: the fraction that has recovered the teacher.
  if (kept) {
    const height = (row) => p.Y(share(row, kept, STATES[1]));
    const recovered = rowsTo(kept, steps).map((row) => [across(row), height(row)]);
    svg += curve(recovered, "dots oracle");
  }
  if (values.details && row.all.length > 1) {
    // the 95% interval of the fraction that has recovered the teacher
    const n = row.all.length;
    const interval = wilson(Math.round(n * share(row, { values }, STATES[1])), n);
    const x = p.end - 5;
    const [low, high] = interval.map(p.Y);
    svg += line(x, low, x, high, "thick text");
  }
  return svg + atRight(p, ends);
}

const OWN = { start: 2 }; // moving a start selects that start
const PAPER = Object.fromEntries(SPEC.controls.map((c) => [c.name, c.paper]));
const isFirst = (values) => SPEC.controls.every(({ name, paper }) => values[name] === paper);
const settingOf = (values) =>
  PRESETS.findIndex(
    ([, preset]) =>
      !isHeld(values) && Object.entries(preset).every(([name, value]) => values[name] === value),
  );

// File formats: the type, and the function that produces the content.
const FILES = {
  CSV: ["text/csv", ({ steps }, { job }) => job && tableOf(rowsTo(job, steps))],
  SVG: ["image/svg+xml", (_, { el }) => pictureOf(el)],
};

const explorer = {
  panels: [0, 1].map(() => plane({ ...SIZE, ys: [0, 1] })),
  names: ["outcomes", "by outcome"],
  slow: true,
  also: {
    kappa0: OWN,
    nu0: OWN,
    theta0: OWN,
    eta0: OWN,
    rho0: OWN,
    until: ({ decay }) => ({ decay: decay || 1e-4 }), // a held schedule must decrease first
    noise: ({ batch }) => ({ batch: batch || 1 }), // PGD does not depend on the label noise
  },
  first: 0,
  inView: 2, // the files are in the fold "More"
  menu: {
    words: "preset",
    options: ["custom", ...PRESETS.map(([words]) => words)],
    chosen: (values) => settingOf(values) + 1,
    choose: (i) => (i ? { ...PAPER, ...PRESETS[i - 1][1] } : {}),
  },
  python(values) {
    const { steps, start, batch, seed } = values;
    const [, , paper] = PRESETS[settingOf(values)] ?? [];
    if (paper && !seed)
      return {
        imports: importing("slrlib.experiments", "PAPER, run"),
        experiment: `PAPER["${paper}"]`,
      };
    let parts = 100;
    while (steps % parts) parts--;
    const own = start === 2 && {
      runs: runsOf(values),
      seed: batch ? seed : 0,
      start: fiveOf(placed(values)),
    };
    return experimentOf("laboratory", {
      ...values,
      start: undefined,
      every: steps / parts,
      onM: start === 0,
      ...own,
    });
  },

  // Restore the initial state, without runs to compare with and without a saved file.
  reset(memo) {
    memo.kept = memo.saved = null;
  },

  // Start the selected run, stop the runs at their current step or continue to twice the steps,
  // keep a set of runs for comparison, save files.
  actions: [
    (values, { job }) => {
      if (isFirst(values)) return SPEC.steps[0].state;
      const { steps } = values;
      const last = job ? (job.rows[job.rows.length - 1]?.t ?? 0) : steps;
      return { steps: last < steps ? Math.max(100, last) : Math.min(2 * steps, MOST) };
    },
    (values, memo) => {
      memo.kept = memo.kept || !memo.job ? null : { rows: rowsTo(memo.job, values.steps), values };
    },
    ...Object.entries(FILES).map(([kind, [type, made]]) => (values, memo) => {
      const content = made(values, memo);
      if (!content) return;
      saved(`laboratory.${kind.toLowerCase()}`, type, content);
      memo.saved = { [kind]: JSON.stringify(values) };
    }),
  ],

  attach({ el, memo }) {
    memo.el = el;
    return () => memo.job?.close();
  },

  *work(values, memo = {}) {
    yield* followed(values, memo);
    memo.woken = true;
  },

  draw(values, job, memo) {
    const { steps, at, shown } = values;
    const rows = job ? rowsTo(job, steps) : [];
    const [p, q] = explorer.panels;
    const last = rows[rows.length - 1];
    const ended = last && last.t === steps;
    const row = last && rowAt(rows, ended ? (at / 100) * steps : last.t);
    const time = { xlabel: "steps", xticks: [0, 0.5, 1] };
    const sized = (show) => (v, axis) => (axis === "x" ? count(v * steps) : show(v));
    const all = last ? last.all.length : runsOf(values);
    const panels = [
      axes(p, {
        ...time,
        ylabel: "number of runs",
        yticks: all > 1 ? [0, 0.5, 1] : [0, 1],
        show: sized((v) => +(v * all).toFixed(1)),
      }) + overLeft(p, "runs by outcome; blank: not converged"),
      overLeft(q, HINTS[shown]),
    ];
    const levels = levelsOf(values, memo);
    if (row) {
      panels[0] += drawCounts(p, rows, row, values, memo.kept);
      panels[1] +=
        shown === SCHEDULE
          ? drawSchedule(q, values, rows, row, levels, memo.kept, time, sized)
          : drawQuantity(q, values, rows, row, memo.kept, time, sized);
      for (const i of [0, 1]) {
        const x = q.X(row.t / steps);
        panels[i] += line(x, SIZE.top, x, SIZE.height - SIZE.bottom, "grid");
      }
    }
    const ends = row && endsOf(row, values);
    const beside = row && memo.kept ? ` Dotted, for comparison: ${sayKept(memo.kept, steps)}` : "";
    const file = (kind) =>
      memo.saved?.[kind] === JSON.stringify(values) ? `${kind} saved` : `save ${kind}`;
    return {
      panels,
      labels: [
        `The number of runs by outcome against the steps${row ? `; at step ${count(row.t)}: ${ends.map(([name, hits]) => `${hits} ${name}`).join(", ")}` : ""}.`,
        shown === SCHEDULE
          ? `λ against the steps, on a logarithmic axis, ${levels.length ? `with the levels ${levels.map(([name, lam]) => `${name} = ${written(lam)}`).join(" and ")}` : "below all levels"}.`
          : `Medians of the ${SHOWS[shown]} against the steps, one line for each outcome, with a band for 95% of its runs.`,
      ],
      actions: [
        isFirst(values)
          ? `set λ = ${SPEC.steps[0].state.lam0}`
          : job && !ended
            ? "stop"
            : steps < MOST
              ? `continue to ${count(Math.min(2 * steps, MOST))} steps`
              : "step limit reached",
        memo.kept ? "stop comparing" : "keep these runs for comparison",
        ...Object.keys(FILES).map(file),
      ],
      reading: row
        ? `${say(row, ends)}${values.details ? details(values, row, ends) : ""}${beside}`
        : "",
      running: `Running, step ${count(last ? last.t : 0)} of ${count(steps)}.`,
      figures: row && {
        step: row.t,
        lam: row.lam,
        oracle: row.oracle,
        ends: Object.fromEntries(ends.map(([name, ...rest]) => [name, rest])),
        median_risk: row.bands[0][1],
        kappa: row.bands[1],
        nu: row.bands[2],
        distance: row.bands[3],
        runs: row.all,
        levels: Object.fromEntries(levels),
      },
    };
  },
};

const HINTS = [
  "medians; dashed: the teacher",
  "medians of |κ| and |ν|",
  "medians of √(θ² + η² + ρ²)",
  "λ at each step",
];
// The quantities measured for each run, with their colors; by default the color of the outcome.
const KAPPA = ["|κ|", 1, "k"];
const NU = ["|ν|", 2, "v"];
const MEASURED = [[["", 0, ""]], [KAPPA, NU], [["", 3, ""]]];

// Medians of a quantity by outcome, with bands; for the comparison the total median, dotted.
function drawQuantity(frame, values, rows, row, kept, time, sized) {
  const { steps, shown } = values;
  const outcomes = outcomesOf(rows[rows.length - 1], values);
  const groups = OUTCOMES.filter(([name]) => outcomes.includes(name));
  const drawn = groups.flatMap(([name, kind, , sign], i) => {
    const mine = (all) => all.filter((_, run) => outcomes[run] === name);
    return MEASURED[shown].map(([symbol, quantity, own]) => ({
      kind: own || kind,
      dash: own && i ? " dash" : "",
      symbol: `${sign} ${symbol}`.trim(),
      points: rows.map(({ t, all }) => [t / steps, ...band(mine(all).map(QUANTITIES[quantity]))]),
    }));
  });
  const before = kept ? rowsTo(kept, steps) : [];
  const risks = shown === RISK ? [...rows, ...before] : [];
  const every = [
    ...drawn.flatMap(({ points }) => points.flatMap(([, ...edges]) => edges)),
    ...risks.flatMap(({ bands, oracle }) => [bands[0][1], oracle]),
  ];
  const log = shown === RISK;
  let [low, high] = [0, 1];
  if (shown === DISTANCE) high = Math.max(1, Math.ceil(10 * Math.max(...every)) / 10);
  if (log) low = Math.floor(Math.log10(Math.max(Math.min(...every), 1e-9)));
  if (log) high = Math.ceil(Math.log10(Math.max(...every, 1e-8)));
  const p = plane({ ...frame, ys: [low, high] });
  const up = (x) => p.Y(clamp(log ? Math.log10(Math.max(x, 1e-9)) : x, low, high));
  const decades = evenly(low, high, high - low);
  const power = (x) => (x < -2 || x > 2 ? tenTo(x) : String(10 ** x));
  let svg = axes(p, {
    ...time,
    ylabel: SHOWS[shown],
    yticks: log ? decades.filter((_, i) => i % Math.ceil(decades.length / 5) === 0) : [0, 0.5, 1],
    show: sized(log ? power : String),
  });
  const ends = [];
  const edge = (points, i) => points.map((point) => [p.X(point[0]), up(point[i])]);
  for (const { kind, dash, symbol, points } of drawn) {
    if (outcomes.length > 1) svg += area(edge(points, 1), edge(points, 3), `band ${kind}`);
    svg += curve(edge(points, 2), kind + dash);
    const [, , median] = points[rows.indexOf(row)];
    const value = SAYS[shown](median);
    ends.push([up(points[points.length - 1][2]), `${symbol} ${value}`, kind]);
  }
  if (shown === RISK) {
    const teacher = rows.map(({ t, oracle }) => [p.X(t / steps), up(oracle)]);
    svg += curve(teacher, "dash oracle");
    ends.push([teacher[teacher.length - 1][1], `teacher ${written(row.oracle)}`, "oracle"]);
  }
  for (const [, quantity, own] of before.length ? MEASURED[shown] : [])
    svg += curve(
      before.map(({ t, bands }) => [p.X(t / steps), up(bands[quantity][1])]),
      `dots ${own || "other"}`,
    );
  return svg + atRight(p, ends);
}
