// The puzzle: the square of (kappa, nu) with its risk, and both overlaps against the steps.
const { locked: PAST, states: STATES } = SPEC.constants;
const stateOf = ({ kappa, nu }) => STATES[ending(kappa, nu)];
const SIZE = { width: 340, height: 340, left: 46, right: 12, top: 30, bottom: 44 };
const settingOf = ({ lam, d, gamma }) => [lam, d, gamma];

// The flow from other starts: short runs from a ring.
function streams(lam, d, gamma) {
  const [p] = explorer.panels;
  let svg = "";
  const alpha = 0.04 / (1 + 10 * lam); // below the stability limit of descent on M
  for (let k = 0; k < 14; k++) {
    const angle = ((k + 0.5) * Math.PI) / 7;
    let [kappa, nu] = [0.8 * Math.cos(angle), 0.8 * Math.sin(angle)];
    const points = [];
    for (let t = 0; t < 600; t++) {
      if (t % 4 === 0) points.push([p.X(kappa), p.Y(nu)]);
      [kappa, nu] = step(kappa, nu, lam, alpha, d, gamma);
    }
    svg += marker("dot", ...points[0], 1.6, "stream") + curve(points, "stream");
  }
  return svg;
}

// How the run ended, in one sentence.
function say(word, run, { lam, alpha, d, gamma }) {
  const [kappa, nu] = [run.kappa, run.nu];
  const after = `after ${count(run.t)} steps`;
  const both = `κ = ${fixed(kappa)}, ν = ${fixed(nu)}`;
  if (run.locked >= 0) {
    const corner = kappa > 0 ? "(1, 1)" : "(−1, −1)";
    const mirror = kappa > 0 ? "" : " This is the same solution up to sign.";
    if (!run.locked) return `Yes: the start is already at the teacher, ${corner}.${mirror}`;
    const ahead = Math.sign(run.kappaPast - run.nuPast);
    const order = ["κ converges before ν", "κ and ν converge together", "ν converges before κ"];
    return `Yes: descent recovers the teacher at ${corner} after ${inSteps(run.locked)}; ${order[ahead + 1]}.${mirror}`;
  }
  if (word === "at a maximum" || word === "at the saddle")
    return `No: ${after} descent is ${word}, ${both}, where the gradient is zero.`;
  if (word === "on the plateau") {
    const ahead = step(kappa, nu, lam, alpha, d, gamma)[0] - kappa; // the change in the next step
    return `Not yet: ${after} descent is on the plateau, ν = ${fixed(nu)}, and κ = ${fixed(kappa)} is ${ahead ? `still ${ahead > 0 ? "rising" : "falling"}` : "constant up to rounding"}.`;
  }
  return `Not yet: ${after} ${both}.`;
}

const explorer = {
  python: (values) => experimentOf("on M", { ...values, start: [values.kappa0, values.nu0] }),
  panels: [
    plane({ ...SIZE, xs: [-1, 1], ys: [-1, 1] }),
    plane({ ...SIZE, xs: [0, 1], ys: [-1, 1] }),
  ],
  names: ["the square", "over time"],
  first: 0,
  actions: [({ kappa0 }) => ({ kappa0: kappa0 > -0.5 ? -0.5 : 0.5 })],
  heatPanel: 0,
  points: [{ panel: 0, x: "kappa0", y: "nu0", step: 0.02, says: ["kappa of k", "nu of v"] }],

  *work({ kappa0, nu0, lam, alpha, steps, d, gamma }) {
    const run = {
      kappa: kappa0,
      nu: nu0,
      t: 0,
      steps,
      path: [[0, kappa0, nu0]],
      locked: -1,
      kappaPast: -1,
      nuPast: -1,
    };
    const every = Math.max(1, Math.round(steps / 400));
    for (;;) {
      // From when on it stays above 0.95: a start in a wrong corner returns first.
      if (Math.abs(run.kappa) < PAST) run.kappaPast = -1;
      else if (run.kappaPast < 0) run.kappaPast = run.t;
      if (Math.abs(run.nu) < PAST) run.nuPast = -1;
      else if (run.nuPast < 0) run.nuPast = run.t;
      if (run.locked < 0 && stateOf(run) === "recovered the teacher") run.locked = run.t;
      if (run.t === steps) return run;
      [run.kappa, run.nu] = step(run.kappa, run.nu, lam, alpha, d, gamma);
      run.t++;
      if (run.t % every === 0 || run.t === steps) run.path.push([run.t, run.kappa, run.nu]);
      if (run.t % 1000 === 0) yield run;
    }
  },

  draw(values, run, memo) {
    const [p, q] = explorer.panels;
    const path = run ? run.path : [[0, values.kappa0, values.nu0]];
    const end = path[path.length - 1];
    const word = run && (run.locked >= 0 ? "recovered the teacher" : stateOf(run));
    const reading = run ? say(word, run, values) : "";

    const setting = settingOf(values);
    const heat = kept(memo, "heat", setting, () =>
      shading((kappa, nu) => risk(kappa, nu, ...setting), memo.still ? 18 : 56),
    );
    const plan =
      kept(memo, "streams", setting, () => streams(...setting)) +
      runOnM(p, path, word === "recovered the teacher");

    const T = values.steps;
    let time = axesOfSteps(q, T, "alignment", [-1, 0, 1], minus);
    time += line(q.left, q.Y(0), q.end, q.Y(0), "grid");
    for (const [column, kind, past] of [
      [1, "k long", "kappaPast"],
      [2, "v", "nuPast"],
    ]) {
      time += graph(q, path, kind, (row) => [row[0] / T, row[column]]);
      const [X, Y] = [q.X(run?.[past] / T), q.Y(PAST * Math.sign(end[column]))];
      if (run?.[past] >= 0) time += marker("dot", X, Y, 4, kind.split(" ")[0]);
    }
    time += legend(q.left + 4, 18, 20, "v", "ν = v·v*");
    time += legend(q.left + 146, 18, 20, "k long", "κ = k·k*");

    const from = `from κ ${fixed(values.kappa0)}, ν ${fixed(values.nu0)}`;
    return {
      panels: [plan, time],
      labels: [
        `The square of the overlaps κ and ν, shaded by risk: lowest in the corners (1, 1) and (−1, −1), a saddle in the middle. The path of descent ${from} ends at κ ${fixed(end[1])}, ν ${fixed(end[2])}.`,
        `Both overlaps against the steps of descent. ${reading}`,
      ],
      heat,
      actions: [
        values.kappa0 > -0.5
          ? "start k on the wrong side, κ = −0.5"
          : "start k on the right side, κ = 0.5",
      ],
      reading,
      running: `Running, step ${count(run ? run.t : 0)} of ${count(T)}.`,
      figures: run && {
        regime: word,
        kappa: run.kappa,
        nu: run.nu,
        locks_on_after: run.locked,
        kappa_past: run.kappaPast,
        nu_past: run.nuPast,
        excess_risk: risk(run.kappa, run.nu, ...setting),
      },
    };
  },
};
