// The laboratory: medians and bands of many runs, their ends in words, and a second set of runs to compare with.
const {
  makeRandom,
  isHeld,
  ON_M,
  plane,
  text,
  line,
  curve,
  thinned,
  axes,
  apart,
  root,
  clamp,
  written,
  tenTo,
  count,
} = slr;
const SIZE = { width: 340, height: 230, left: 56, right: 12, top: 30, bottom: 42, xs: [0, 1] };
const { states: STATES, presets: PRESETS, most: MOST } = SPEC.constants;

const three = (x) => x.toFixed(3);
const rowsTo = (job, steps) => job.rows.filter(({ t }) => t <= steps);

// The last row at or before a part of the steps.
function rowAt(rows, place) {
  let found = rows[0];
  for (const row of rows) if (row.t <= place + 0.5) found = row;
  return found;
}

// Median and band of one quantity, in the panel `p`; the lot kept beside is dotted and has no band.
function lines(p, rows, steps, quantity, up, kind, kept) {
  const at = (row, i) => [p.X(row.t / steps), up(row.bands[quantity][i])];
  const edge = (i) => rows.map((row) => at(row, i));
  if (rows.length < 2) return "";
  if (kept) return curve(edge(1), `dots ${kind}`);
  const round = [...thinned(edge(0)), ...thinned(edge(2)).reverse()]
    .map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`)
    .join("L");
  const band = rows[0].all.length > 1 ? `<path d="M${round}Z" class="band wide ${kind}"/>` : "";
  return band + curve(edge(1), kind);
}

const OWN = { start: 2 }; // a hand on a start asks for that start
const PAPER = Object.fromEntries(SPEC.controls.map((c) => [c.name, c.paper]));
const settingOf = (values) =>
  PRESETS.findIndex(
    ([, preset]) =>
      !isHeld(values) && Object.entries(preset).every(([name, value]) => values[name] === value),
  );

// What is said of the lot kept beside: of its last row that is in the picture.
function sayKept({ rows, values }, steps, beside) {
  const seen = rowAt(rows, steps);
  return say(values, seen, endsOf(seen, values), beside);
}

const explorer = {
  panels: [0, 1, 2, 3].map((i) =>
    plane({
      ...SIZE,
      right: i < 3 ? 12 : 74,
      ys: [
        [0, 1],
        [0, 1.02],
        [0, 1.5],
        [0, 1],
      ][i],
    }),
  ),
  names: ["risk", "overlaps", "distance to M", "schedule"],
  slow: true,
  also: {
    kappa0: OWN,
    nu0: OWN,
    theta0: OWN,
    eta0: OWN,
    rho0: OWN,
    until: ({ decay }) => ({ decay: decay || 1e-4 }), // what is held must fall before
    noise: ({ batch }) => ({ batch: batch || 1 }), // PGD does not know the noise of the label
  },
  first: 0,
  inView: 2, // the files are under More
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
        imports: slr.importing("slrlib.experiments", "PAPER, run"),
        experiment: `PAPER["${paper}"]`,
      };
    let parts = 100;
    while (steps % parts) parts--;
    const own = start === 2 && {
      runs: runsOf(values),
      seed: batch ? seed : 0,
      start: five(placed(values)),
    };
    return slr.experimentOf("laboratory", {
      ...values,
      start: undefined,
      every: steps / parts,
      onM: start === 0,
      ...own,
    });
  },

  // Back to the beginning: no lot is beside, and no file was written.
  reset(memo) {
    memo.kept = memo.saved = null;
  },

  // Stop where the runs are or go on to twice the steps, keep a lot beside the next, write files.
  actions: [
    ({ steps }, { job }) => {
      const last = job ? (job.rows[job.rows.length - 1]?.t ?? 0) : steps;
      return { steps: last < steps ? Math.max(100, last) : Math.min(2 * steps, MOST) };
    },
    (values, memo) => {
      memo.kept = memo.kept || !memo.job ? null : { rows: rowsTo(memo.job, values.steps), values };
    },
    (values, memo) => {
      if (!memo.job) return;
      saved("laboratory.csv", "text/csv", tableOf(rowsTo(memo.job, values.steps)));
      memo.saved = { CSV: JSON.stringify(values) };
    },
    (values, memo) => {
      saved("laboratory.svg", "image/svg+xml", pictureOf(memo.el));
      memo.saved = { SVG: JSON.stringify(values) };
    },
    (values, memo) => {
      pixelsOf(pictureOf(memo.el)).then((pixels) => {
        saved("laboratory.png", "image/png", pixels);
        memo.saved = { PNG: JSON.stringify(values) };
        memo.refresh();
      });
    },
  ],

  // The hand over a picture reads it where it is; the slider "read at" does so from the keyboard.
  attach({ model, el, refresh, memo }) {
    Object.assign(memo, { model, el, refresh });
    const panels = el.querySelector(".slr-panels");
    const read = (event) => {
      memo.woken = true;
      const svg = event.target.closest?.("svg");
      const box = svg?.getBoundingClientRect();
      const panel = explorer.panels[[...panels.querySelectorAll("svg")].indexOf(svg)];
      const place = panel?.x(((event.clientX - box.left) / box.width) * SIZE.width);
      const hover = place >= 0 && place <= 1 ? place : undefined;
      if (hover !== memo.hover) refresh((memo.hover = hover));
    };
    panels.addEventListener("pointermove", read);
    panels.addEventListener("pointerleave", read);
    return () => memo.job?.close();
  },

  *work(values, memo = {}) {
    yield* followed(values, memo);
    memo.woken = true;
    const sent = `${values.steps} ${memo.job.key}`;
    if (!memo.model || memo.sent === sent) return; // else Python hears of all rows
    const rows = rowsTo(memo.job, values.steps).map(({ t, lam, oracle, all }) => [
      t,
      lam,
      oracle,
      all,
    ]);
    memo.model.set("rows", { of: values, rows });
    memo.model.save_changes();
    memo.sent = sent;
  },

  draw(values, job, memo) {
    const { steps, at } = values;
    const rows = job ? rowsTo(job, steps) : [];
    const [p, q, r, s] = explorer.panels;
    const last = rows[rows.length - 1];
    const ended = last && last.t === steps;
    const place = memo.hover ?? at / 100;
    const row = last && rowAt(rows, ended || memo.hover !== undefined ? place * steps : last.t);
    const lots = [
      [rows, false],
      ...(memo.kept && rows.length ? [[memo.kept.rows.filter(({ t }) => t <= steps), true]] : []),
    ];
    const everything = lots.flatMap(([lot]) => lot);
    const risks = everything
      .flatMap(({ bands, oracle }) => [bands[0][0], bands[0][2], oracle])
      .map((x) => Math.max(x, 1e-9));
    const [low, high] = risks.length
      ? [Math.floor(Math.log10(Math.min(...risks))), Math.ceil(Math.log10(Math.max(...risks)))]
      : [-1, 1];
    const height = (x) => (Math.log10(Math.max(x, 1e-9)) - low) / Math.max(1, high - low);
    const powers = Array.from({ length: Math.max(1, high - low) + 1 }, (_, i) => low + i).filter(
      (_, i, all) => i % Math.ceil(all.length / 5) === 0,
    );
    const ups = [
      (x) => p.Y(height(x)),
      (x) => q.Y(clamp(x, 0, 1)),
      (x) => q.Y(clamp(x, 0, 1)),
      (x) => r.Y(clamp(x, 0, 1.5)),
    ];

    const time = {
      xlabel: row && memo.hover !== undefined ? `at step ${count(row.t)}` : "steps",
      xticks: [0, 0.5, 1],
    };
    const named = (show) => (v, axis) => (axis === "x" ? count(v * steps) : show(v));
    const power = (v) =>
      ((x) => (x < -2 || x > 2 ? tenTo(x) : String(10 ** x)))(
        low + Math.round(v * Math.max(1, high - low)),
      );
    const panels = [
      axes(p, {
        ...time,
        ylabel: "excess risk",
        yticks: powers.map((x) => (x - low) / Math.max(1, high - low)),
        show: named(power),
      }),
      axes(q, { ...time, ylabel: "overlaps", yticks: [0, 0.5, 1], show: named(String) }),
      axes(r, { ...time, ylabel: "distance to M", yticks: [0, 0.5, 1, 1.5], show: named(String) }),
      "",
    ];
    const levels = levelsOf(values, memo);
    const [schedule, level] = scheduleOf(s, values, levels, { ...time, ylabel: "λ" }, named);
    panels[3] = schedule;
    for (const [lot, kept] of lots.filter(([lot]) => lot.length)) {
      panels[0] += curve(
        lot.map((x) => [p.X(x.t / steps), ups[0](x.oracle)]),
        "dash oracle",
      );
      [
        [0, 0, "other"],
        [1, 1, "k"],
        [1, 2, "v"],
        [2, 3, "swapped"],
      ].forEach(([panel, quantity, kind]) => {
        panels[panel] += lines(
          explorer.panels[panel],
          lot,
          steps,
          quantity,
          ups[quantity],
          kind,
          kept,
        );
      });
      panels[3] += curve(
        lot.map((x) => [s.X(x.t / steps), level(x.lam)]),
        kept ? "dots saddle" : "saddle",
      );
    }
    if (row) {
      const [risk, kappa, nu, distance] = row.bands.map(([, middle], i) =>
        [written, three, three, apartFrom][i](middle),
      );
      const words = [
        [["", `excess risk ${risk}`, "middle", 0.5]],
        [
          ["k", `|κ| ${kappa}`, "start", 0],
          ["v", `|ν| ${nu}`, "end", 1],
        ],
        [["", `distance to M ${distance}`, "middle", 0.5]],
        [["saddle", `λ ${written(row.lam)}`, "middle", 0.5]],
      ];
      panels.forEach((_, i) => {
        const panel = explorer.panels[i],
          x = panel.X(row.t / steps);
        panels[i] += line(x, SIZE.top, x, SIZE.height - SIZE.bottom, "grid");
        for (const [kind, said, anchor, side] of words[i])
          panels[i] += text(panel.X(side), 18, said, { anchor, kind });
      });
    }
    const seen = last && rowAt(rows, ended ? (at / 100) * steps : last.t);
    const ends = seen && endsOf(seen, values);
    const beside =
      seen && memo.kept
        ? ` Dotted, for comparison: ${sayKept(memo.kept, steps, whoOf(values, seen))}`
        : "";
    const file = (kind) =>
      memo.saved?.[kind] === JSON.stringify(values) ? `${kind} saved` : `save ${kind}`;
    return {
      panels,
      labels: [
        `Median excess risk of the runs against the steps, with a band for 95% of them, and that of the teacher.`,
        `Medians of the overlaps |κ| and |ν| against the steps, with their bands.`,
        `Median distance of the runs to the invariant manifold M against the steps, with its band.`,
        `λ against the steps, on a logarithmic axis, ${levels.length ? `with the levels ${levels.map(([name, lam]) => `${name} = ${written(lam)}`).join(" and ")}` : "below all levels"}.`,
      ],
      actions: [
        job && !ended
          ? "stop"
          : steps < MOST
            ? `continue to ${count(Math.min(2 * steps, MOST))} steps`
            : "no more steps",
        memo.kept ? "stop comparing" : "compare with these runs",
        file("CSV"),
        file("SVG"),
        file("PNG"),
      ],
      reading: seen ? `${say(values, seen, ends)}${beside}` : "",
      running: `Running, step ${count(last ? last.t : 0)} of ${count(steps)}.`,
      figures: seen && {
        step: seen.t,
        lam: seen.lam,
        oracle: seen.oracle,
        ends: Object.fromEntries(ends.map(([name, ...rest]) => [name, rest])),
        median_risk: seen.bands[0][1],
        risk: seen.bands[0],
        kappa: seen.bands[1],
        nu: seen.bands[2],
        distance: seen.bands[3],
        runs: seen.all,
        levels: Object.fromEntries(levels),
      },
    };
  },
};
