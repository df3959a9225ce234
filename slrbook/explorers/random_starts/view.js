// Random starts: the path of each run in the plane of nu and eta, and each start by its end.
const { runs: RUNS, step: STEP, longest: LONGEST, flowSteps: FLOW } = SPEC.constants;
const KINDS = [
  ["softmax", softmaxStep],
  ["erf", erfStep],
  ["linear", linearStep],
];
const OUTCOMES = [
  // indexed by number: name and color
  ["undecided", "other"],
  ["teacher", "oracle"],
  ["swapped", "swapped"],
];
const REACH = 2.2; // range of starts near the saddle, in the right panel
const SIZE = { width: 340, height: 340, left: 50, right: 14, top: 30, bottom: 44 };
const EVERY = 5; // tenths of a time unit between two points of a path

// Starts in the coordinates of the limit: (X, V, Theta, H) = sqrt(d/2) (kappa, nu, theta, eta).
const scaled = ([kappa, eta, , theta, nu], d) =>
  [kappa, nu, theta, eta].map((x) => x * Math.sqrt(d / 2));

function predicted(start, { a, gamma }) {
  let s = start;
  for (let i = 0; i < FLOW; i++) s = flow(s[0], s[1], s[2], s[3], a, gamma);
  return Math.abs(s[1]) > Math.abs(s[3]) ? 1 : 2;
}

// The growing components of a start along (kappa, nu) and along (theta, eta).
function leans(start, { kind, a }) {
  const slope = KINDS[kind][0] === "linear" ? a : (2 * a) / Math.sqrt(Math.PI);
  return [lean(start[0], start[1], slope), lean(start[2], start[3], slope)];
}

function tally(runs) {
  const [undecided, teacher, swapped] = OUTCOMES.map(
    (_, i) => runs.filter(({ end }) => end === i).length,
  );
  return { undecided, teacher, swapped };
}

const missed = ({ end, guess }) => guess > 0 && end > 0 && guess !== end;

function say({ kind }, { undecided, teacher, swapped }, runs) {
  const often = { 0: "Never: ", [RUNS]: "Always: " }[teacher] ?? "";
  const more =
    {
      erf: ` The limit flow (d → ∞) predicts ${runs.filter(({ end, guess }) => guess === end).length} of the ${RUNS} outcomes.`,
      linear: swapped
        ? " The others end swapped, because exchanging k and v does not change the output."
        : "",
    }[KINDS[kind][0]] ?? "";
  const rest = undecided ? ` ${undecided} ${undecided > 1 ? "are" : "is"} undecided.` : more;
  return `${often}${teacher} of ${RUNS} starts recover the teacher.${rest}`;
}

const explorer = {
  panels: [
    plane({ ...SIZE, xs: [-1, 1], ys: [-1, 1] }),
    plane({ ...SIZE, xs: [0, REACH], ys: [0, REACH] }),
  ],
  names: ["the runs", "the starts"],
  slow: true,
  python: ({ kind }) => ({ name: KINDS[kind][0], runs: RUNS }),
  first: 0,
  actions: [
    ({ kind }) => ({ kind: kind ? 0 : 1 }),
    ({ seed }) => ({ seed: (seed + 1) % 1_000_000 }),
  ],

  *work(values) {
    const { kind, a, d, gamma, seed } = values;
    const move = KINDS[kind][1];
    const runs = startsAt(seed, d, RUNS).map((frame) => {
      const start = scaled(frame, d);
      const path = [[frame[4], frame[1]]];
      return { frame, start, path, at: leans(start, values), guess: 0, end: 0 };
    });
    yield { runs };
    if (KINDS[kind][0] === "erf")
      for (const run of runs) {
        run.guess = predicted(run.start, values);
        yield;
      }
    const every = Math.max(1, Math.round((0.1 * d) / STEP));
    const rounds = Math.round((LONGEST * d) / STEP / every);
    for (let i = 1; i <= rounds && runs.some(({ end }) => !end); i++) {
      for (const run of runs) {
        if (run.end) continue;
        let f = run.frame;
        for (let t = 0; t < every; t++)
          f = move(f[0], f[1], f[2], f[3], f[4], f[5], f[6], a, d, gamma);
        run.frame = f;
        run.end = ending(f[0], f[4], f[1]);
        if (run.end || i % EVERY === 0) run.path.push([f[4], f[1]]);
        yield;
      }
      yield { runs };
    }
  },

  draw(values, result, memo) {
    const [p, q] = explorer.panels;
    const { kind, d } = values;
    const runs = result ? result.runs : [];
    const ends = tally(runs);
    let course = square(p, "v·v* (correct)", "k·v* (wrong)");
    const drawn = memo.still ? runs.filter((_, i) => i % 5 === 0) : runs;
    for (const { path, end } of drawn) course += graph(p, path, `stream ${OUTCOMES[end][1]}`);
    for (const { path, end } of runs) {
      const [nu, eta] = path[path.length - 1];
      if (!end) course += marker("dot", p.X(nu), p.Y(eta), 3, "other");
    }
    course += corners(p);
    const told = (put, x, kind, words) =>
      words.forEach((line, i) => {
        course += put(x, p.top + 24 + 17 * i, line, `${i ? "" : "strong "}on ${kind}`);
      });
    if (runs.length) {
      told(textTo, p.end - 10, "oracle", [`★ ${ends.teacher} recover`, "the teacher"]);
      const swapped = [`◆ ${ends.swapped} swapped:`, "k and v", "exchange roles"];
      told(textFrom, p.left + 10, "swapped", swapped);
    }
    course += overLeft(p, `${memo.still ? "some of " : ""}${RUNS} runs from random starts`);

    let cloud = axes(q, {
      xlabel: "component toward the teacher",
      ylabel: "component toward the swapped pair",
      xticks: [0, 1, 2],
      yticks: [0, 1, 2],
    });
    if (kind) cloud += line(q.X(0), q.Y(0), q.X(REACH), q.Y(REACH), "dash"); // not softmax
    const mark = (shape, { at: [x, y] }, size, kind) =>
      marker(shape, q.X(clamp(x, 0, REACH)), q.Y(clamp(y, 0, REACH)), size, kind);
    for (const run of runs)
      cloud += mark(run.end === 2 ? "diamond" : "dot", run, 3.6, OUTCOMES[run.end][1]);
    for (const run of runs.filter(missed)) cloud += mark("ring", run, 6, "text");
    cloud += overLeft(q, "starts by outcome");
    if (runs.some(missed)) cloud += overRight(q, "◯ predicted wrongly");

    const reading = result ? say(values, ends, runs) : "";
    const right = runs.filter(({ guess, end }) => guess && guess === end).length;
    return {
      panels: [course, cloud],
      labels: [
        `Runs of ${KINDS[kind][0]} attention in the plane of v·v* and k·v*, from starts near the middle: ${ends.teacher} recover the teacher, v·v* = 1 or −1, and ${ends.swapped} end swapped, k·v* = 1 or −1: k and v exchange roles.`,
        `The ${RUNS} starts by their components toward the teacher and toward the swapped pair, each in the color of its outcome.${kind === 1 ? ` Rings mark those for which the prediction for d → ∞ is wrong: ${runs.filter(missed).length}.` : ""}`,
      ],
      actions: [`run the same starts with ${kind ? "softmax" : "erf"}`, `draw ${RUNS} new starts`],
      reading,
      running: `Running in dimension ${count(d)}: ${ends.teacher} runs have recovered the teacher, ${ends.swapped} are swapped.`,
      figures: result && {
        ...ends,
        predicted: kind === 1 ? right : null,
        ends: runs.map(({ end }) => end),
        guesses: runs.map(({ guess }) => guess),
      },
    };
  },
};
