// The landscape: the square of (kappa, nu) with its risk, and the distance to the saddle.
const { states: STATES, divides: DIVIDES } = SPEC.constants;
const stateOf = ({ kappa, nu }) => STATES[ending(kappa, nu)];
const { cos, acos, hypot, abs, min, max, log10 } = Math;
const SIGNS = [-1, 1];
const SIZE = { width: 340, height: 340, left: 46, right: 12, top: 30, bottom: 44 };
const short = (number) => written(number, 2);
const settingOf = ({ lam, d, gamma }) => [lam, d, gamma];
const sure = (values) => min(values.alpha, rates(...settingOf(values))[2]);

const arrows = (p, [lam, d, gamma], n) =>
  stream(p, n, (kappa, nu) => {
    const [phi, psi] = step(acos(kappa), acos(nu), lam, 1e-4, d, gamma);
    return [cos(phi) - kappa, cos(psi) - nu];
  });

// How the run ended, in a short phrase.
function verdict({ kappa, nu, t, locked }) {
  if (locked >= 0)
    return [
      "recovered the teacher",
      `${locked ? "Descent recovers" : "The start is already at"} the teacher${locked ? " at" : ","} ${kappa > 0 ? "(1, 1)" : "(−1, −1)"}${locked ? ` after ${inSteps(locked)}` : ""}`,
    ];
  const word = stateOf({ kappa, nu });
  return [
    word,
    `Descent ${word === "undecided" ? "has not converged" : `is ${word}`} after ${count(t)} steps: κ = ${fixed(kappa)}, ν = ${fixed(nu)}`,
  ];
}

const explorer = {
  panels: [-1, 0].map((from) => plane({ ...SIZE, xs: [from, 1], ys: [from, 1] })),
  names: ["the square", "distance to the saddle"],
  heatPanel: 0,
  python: (values) =>
    experimentOf("on M", { ...values, alpha: sure(values), start: [values.kappa0, values.nu0] }),
  points: [{ panel: 0, x: "kappa0", y: "nu0", step: 0.02, says: ["kappa of k", "nu of v"] }],
  first: 0,
  actions: DIVIDES
    ? [(values) => onto(values, 0), (values) => onto(values, 1e-6)]
    : [() => ({ kappa0: 0, nu0: 0 }), () => ({ kappa0: 0, nu0: -0.01 })],

  *work(values) {
    const { kappa0, nu0, lam, steps, d, gamma } = values;
    const alpha = sure(values);
    let [phi, psi] = [acos(kappa0), acos(nu0)];
    const run = { path: [], locked: -1, closest: 2, gap: -1 };
    for (let t = 0; t <= steps; t++) {
      const [kappa, nu] = [cos(phi), cos(psi)];
      const far = hypot(kappa, nu);
      run.closest = min(run.closest, far);
      if (run.locked < 0 && stateOf({ kappa, nu }) === "recovered the teacher") run.locked = t;
      if (t % Math.round(steps / 400) === 0 || t === steps)
        run.path.push([t / steps, kappa, nu, log10(far)]);
      Object.assign(run, { t, kappa, nu });
      [phi, psi] = step(phi, psi, lam, alpha, d, gamma);
      if (t % 200 === 199) yield run;
    }
    if (DIVIDES) yield* divided(values, alpha);
    yield Object.assign(run, DIVIDES && nearest(values));
  },

  draw(values, run, memo) {
    const [p, q] = explorer.panels;
    const [setting, alpha] = [settingOf(values), sure(values)];
    const { still } = memo;
    const ground = kept(memo, "ground", setting, () => arrows(p, setting, still ? 4 : 10));
    const heat = kept(memo, "heat", setting, () =>
      shading((kappa, nu) => risk(kappa, nu, ...setting), still ? 14 : 56),
    );
    const { path, closest, gap } = run || {
      path: [[0, values.kappa0, values.nu0, 0]],
      closest: 1,
      gap: -1,
    };
    const [word, ending] = run ? verdict(run) : ["", ""];

    let plan = ground;
    const known = divide.key === `${setting} ${alpha}`;
    for (const s of known ? SIGNS : [])
      plan += graph(p, divide.points, "thick saddle", ([x, y]) => [s * x, s * y]);
    if (known) {
      const [a, b] = divide.points.find(([kappa]) => kappa > 0.25) ?? [1, -1];
      const far = a > 0.5;
      const beside = far ? textFrom : textTo;
      plan += beside(p.X(-a) + (far ? 6 : -6), p.Y(-b) + 18, "dividing line", "saddle on");
    }
    plan += runOnM(p, path, word === "recovered the teacher");

    // Distances from 2 down to the power of ten below the smallest.
    const low = max(-16, min(-2, Math.floor(log10(closest))));
    const height = (power) => (max(power, low) - low) / (0.4 - low);
    const powers = [0, Math.ceil(low / 2), low].map(height);
    const power = (v) => minus(Math.round(low + v * (0.4 - low)));
    const name = "distance to the saddle (log10)";
    let time = axesOfSteps(q, values.steps, name, powers, power);
    time += graph(q, path, "path", ([t, , , power]) => [t, height(power)]);

    const on = gap >= 0 && gap < 1e-12;
    let reading = ending && `${ending}.`;
    const after = ending && `${ending[0].toLowerCase()}${ending.slice(1)}.`;
    if (gap >= 0 && !on)
      reading = `Only from the dividing line. This start lies ${run.above ? "above" : "below"} it, at distance ${short(gap)}: ${after}`;
    if (on)
      reading = `Only from the dividing line. This start is on it, but its numbers are rounded: ${after}`;
    if (run && values.kappa0 * values.nu0 === -1)
      reading = `Descent stays at the maximum (${minus(values.kappa0)}, ${minus(values.nu0)}), ${DIVIDES ? "an end of the dividing line, " : ""}because the gradient is zero there.`;
    if (alpha < values.alpha) reading += ` The step size is reduced to ${short(alpha)}.`;
    return {
      panels: [plan, time],
      labels: [
        `Risk over κ and ν: lowest in the corners (1, 1) and (−1, −1), a saddle in the middle. ${reading}`,
        `Distance to the saddle against the steps of descent; its minimum is ${short(closest)}.`,
      ],
      heat,
      actions: DIVIDES
        ? ["start on the dividing line", "start 10⁻⁶ beyond it"]
        : ["start at the saddle", "start near the saddle"],
      reading,
      running: `Running, step ${count(run ? run.t : 0)} of ${count(values.steps)}.`,
      figures: run && {
        regime: word,
        kappa: run.kappa,
        nu: run.nu,
        locks_on_after: run.locked,
        closest,
        gap,
        excess_risk: risk(run.kappa, run.nu, ...setting),
      },
    };
  },
};
