// The descent: the path of every run in the plane of nu and eta, and its risk against the steps.
const decade = (n) => (n > 3 ? tenTo(n) : count(10 ** n)); // 10⁴ leaves room for 10⁵ next to it
const RUNS = 30;
const SIZE = { width: 340, height: 340, left: 50, right: 14, top: 30, bottom: 44 };
const RISKS = [0.04, 40]; // range of the risk axis
const NAMES = Object.keys(ENDS);

// A frame is k = (kappa, eta, a, 0) and v = (theta, nu, b, c): seven numbers in this order.
function starts({ seed, d, kappa0, eta0, theta0, nu0 }) {
  const filled = (x, y, ...more) => {
    const size = Math.max(1, Math.hypot(x, y));
    return [x / size, y / size, ...more, Math.sqrt(Math.max(0, 1 - x * x - y * y))];
  };
  if (!seed) return [[...filled(kappa0, eta0), ...filled(theta0, nu0, 0)]];
  return startsOf(seed, d, RUNS, false);
}

const lamAt = ({ lam0, decay }, t) => lam0 / (1 + decay * t);
const riskOf = (f, lam, { d, L, gamma }) => risk(...fiveOf(f), lam, d, L, gamma);
const oracleRisk = (lam, values) => riskOf([1, 0, 0, 0, 1, 0, 0], lam, values);

const OWN = { seed: 0 }; // moving a start selects that start
const endOf = ([kappa, eta, , , nu], lam, { d, L, gamma }) =>
  SPEC.constants.states[ending(kappa, nu, eta, lam, d, L, gamma)];

function advance(run, lam, { alpha, d, L, gamma }) {
  const f = run.frame;
  if (run.onM) [f[0], f[4]] = slide(f[0], f[4], lam, alpha, d, gamma);
  else {
    run.frame = step(f[0], f[1], f[2], f[3], f[4], f[5], f[6], lam, alpha, d, L, gamma);
    const [, , ...off] = fiveOf(f);
    run.onM = off.every((x) => Math.abs(x) < ON_M);
  }
}

// Rows at steps that are evenly spaced on the log axis.
const rowSteps = (steps) => [
  ...new Set([0, ...evenly(0, 1, 140).map((part) => Math.round(steps ** part))]),
];

function say({ runs, groups, t }) {
  if (runs.length < 2) {
    const [{ end }] = runs;
    return `${{ [NAMES[0]]: "Yes: your run has", swapped: "No: your run is" }[end] ?? "Not yet: your run is"} ${end} after ${count(t)} steps.`;
  }
  const [right, wrong] = [0, 1].map((i) => groups.find(([name]) => name === NAMES[i]));
  const ratio = right && wrong && wrong[2] / right[2];
  const how = Math.abs(ratio - 1) < 0.02 ? "equally well" : ratio < 1 ? "better" : "worse";
  const price = ratio ? ` The swapped runs do not identify (k*, v*) but predict ${how}.` : "";
  const share = (right?.[1] ?? 0) / RUNS;
  const answer = share === 1 ? "Yes" : share > 0.5 ? "Mostly" : share ? "Not always" : "No";
  return `${answer}: ${right?.[1] ?? 0} of ${RUNS} runs have recovered the teacher.${price}`;
}

// Name, count and median risk of each kind of end.
function grouped(result) {
  result.groups = NAMES.flatMap((name) => {
    const risks = result.runs
      .filter((run) => run.end === name)
      .map((run) => run.risk)
      .sort((a, b) => a - b);
    return risks.length ? [[name, risks.length, risks[risks.length >> 1]]] : [];
  });
  return result;
}

const explorer = {
  panels: [
    plane({ ...SIZE, xs: [-1, 1], ys: [-1, 1] }),
    plane({ ...SIZE, xs: [0, 1], ys: RISKS.map(Math.log10) }),
  ],
  names: ["ν and η", "risk"],
  points: [{ panel: 0, x: "nu0", y: "eta0", step: 0.01, says: ["nu of v", "eta of k"], also: OWN }],
  also: { nu0: OWN, eta0: OWN, kappa0: OWN, theta0: OWN },
  slow: true,
  python(values) {
    const start = values.seed ? undefined : fiveOf(starts(values)[0]);
    return experimentOf("descent", { ...values, start });
  },
  first: 0,
  actions: [({ seed }) => ({ seed: (seed % 999_999) + 1 })],

  *work(values) {
    const { steps } = values;
    const result = { t: 0, runs: starts(values).map((frame) => ({ frame, path: [] })) };
    for (const until of rowSteps(steps)) {
      for (const run of result.runs) {
        for (let t = result.t; t < until; t++) {
          advance(run, lamAt(values, t), values);
          if (t % 500 === 499) yield;
        }
        run.risk = riskOf(run.frame, lamAt(values, until), values);
        run.path.push([until, run.frame[4], run.frame[1], run.risk]);
        run.end = endOf(run.frame, lamAt(values, until), values);
      }
      result.t = until;
      result.oracle = oracleRisk(lamAt(values, until), values);
      yield grouped(result);
    }
  },

  draw(values, result, memo) {
    const [p, q] = explorer.panels;
    const runs = result ? result.runs : [];
    const T = Math.log10(values.steps);
    const across = (t) => q.X(Math.log10(Math.max(t, 1)) / T);
    const up = (risk) => q.Y(Math.log10(clamp(risk, ...RISKS)));

    let race = square(p, "v·v* (correct)", "k·v* (wrong)") + corners(p);
    for (const [i, words] of ["swapped: k and v", "exchange roles"].entries())
      race += textFrom(p.X(0) + 14, p.Y(-1) - 24 + 17 * i, words, "on swapped");
    const drawn = `${memo.still ? "some of the " : ""}${RUNS} runs; drag the ring for your own`;
    race += overLeft(p, values.seed ? drawn : "drag the ring");
    let time = axes(q, {
      xlabel: "steps of descent",
      ylabel: "excess risk",
      xticks: [0, 1, 2, 3, 4, 5].filter((x) => x <= T).map((x) => x / T),
      yticks: [-1, 0, 1],
      show: (v, axis) => (axis === "x" ? decade(Math.round(v * T)) : String(10 ** v)),
    });
    time += overRight(q, "dashed: the teacher at the λ of each step", "oracle");
    const lowest = (t) => oracleRisk(lamAt(values, t), values);
    const oracle = rowSteps(values.steps).map((t) => [across(t), up(lowest(t))]);
    time += curve(oracle, "dash oracle");

    const thin = runs.length > 1 ? " stream" : "";
    for (const name of result ? NAMES : []) {
      const [kind] = ENDS[name];
      runs
        .filter((run) => run.end === name)
        .forEach(({ path }, i) => {
          if (memo.still && name === NAMES[0] && i > 1) return; // stills show only some
          const [t, nu, eta, risk] = path[path.length - 1];
          race +=
            graph(p, path, kind + thin, (row) => [row[1], row[2]]) +
            marker("dot", p.X(nu), p.Y(eta), 3.5, kind);
          const course = path.map((row) => [across(row[0]), up(row[3])]);
          time += curve(course, kind + thin) + marker("dot", across(t), up(risk), 3.5, kind);
        });
    }
    const groups = result ? result.groups : [];
    const top = q.foot - 4 - 18 * groups.length; // where the risks are still high
    groups.forEach(([name, number, risk], i) => {
      const y = top + 18 * i + 14;
      const [kind, shape] = ENDS[name];
      time +=
        marker(shape, q.left + 14, y - 4, 5, kind) +
        textFrom(q.left + 26, y, `${number} ${name}: ${risk.toFixed(4)}`, "on");
    });

    const reading = result ? say(result) : "";
    return {
      panels: [race, time],
      labels: [
        "The plane of ν and η. Runs start near the middle; the teacher is recovered at ν 1 or −1, and swapped at η 1 or −1.",
        "Excess risk of each run against the steps, on logarithmic axes, and that of the teacher.",
      ],
      actions: ["run 30 new random starts"],
      reading,
      running: `Running, step ${count(result ? result.t : 0)} of ${count(values.steps)}.`,
      figures: result && {
        groups: result.groups,
        oracle: result.oracle,
        step: result.t,
        ends: runs.map((run) => run.end),
        frames: runs.map((run) => run.frame.slice(0, 7)),
      },
    };
  },
};
