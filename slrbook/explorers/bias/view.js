// A threshold: the weight over the scores, and the risk against the threshold.
const { max, log10, exp, abs, round } = Math;
const BOX = { width: 340, height: 300, left: 44, right: 12, top: 28, bottom: 44 };
const LOW = -8; // the exponent of the lowest risk shown
const HIGH = 1.3;
const NAMES = ["jax.scipy.special.erf", "jax.nn.sigmoid"];
const WEIGHT = [erfWeight, logisticWeight];
const RISK = [erfRisk, logisticRisk];
const short = (value) => (abs(value) < 1e-99 ? "0" : written(value, 2));

// The lowest risk of erf without a threshold.
function bestErf(d, L, gamma) {
  const risk = (lam) => unbiased(lam, d, L, gamma);
  return risk(lowest(risk));
}

const riskAt = (values, tau) =>
  RISK[values.shape](values.lam, tau, values.d, values.L, values.gamma);

// The range from the other tokens' scores to those of the informative token, and the threshold.
function scores({ d, gamma, tau }) {
  const signal = Math.sqrt(d / 2);
  return { signal, xs: [-4, max(signal + 4 * gamma, tau + 1)] };
}

function drawWeights(values) {
  const { shape, lam, tau, gamma } = values;
  const { signal, xs } = scores(values);
  const p = plane({ ...BOX, xs, ys: [shape ? -0.04 : -1.1, 1.1] });
  const zero = p.Y(0);
  let svg = "";
  for (const [kind, edge, middle, spread] of [
    ["other", "other", 0, 1],
    ["informative", "oracle", signal, gamma],
  ]) {
    const density = (s) => 0.8 * exp(-(((s - middle) / spread) ** 2) / 2);
    const support = evenly(max(xs[0], middle - 4 * spread), middle + 4 * spread, 48);
    const bell = support.map((s) => [p.X(s), p.Y(density(s))]);
    const foot = [bell[0], bell[48]].map(([x]) => [x, zero]);
    svg += area(bell, foot, `band ${kind}`) + curve(bell, `stream ${edge}`);
  }
  const ticks = [0, round(signal)].filter((s) => s <= xs[1]);
  svg += axes(p, {
    xlabel: "score X·k* of a token",
    ylabel: "weight",
    xticks: ticks,
    yticks: shape ? [0, 1] : [-1, 0, 1],
  });
  svg += line(p.left, zero, p.end, zero, "grid");
  svg += line(p.X(tau), p.top, p.X(tau), p.foot, "dash");
  const right = p.X(tau) > p.width / 2; // the label stands where there is room
  const beside = right ? textTo : textFrom;
  svg += beside(p.X(tau) + (right ? -5 : 5), p.foot - 8, "threshold τ");
  svg += graph(p, evenly(...xs, 160), "path k", (s) => [s, WEIGHT[shape](s, lam, tau)]);
  return svg + overLeft(p, "gray: other tokens; green: informative");
}

function drawRisks(values, levels, risks) {
  const { shape, tau, d, L, gamma } = values;
  const { xs } = scores(values);
  const p = plane({ ...BOX, left: 60, right: 100, xs, ys: [LOW, HIGH] });
  const up = (risk) => p.Y(clamp(log10(max(risk, 1e-300)), LOW, HIGH));
  const logs = (risks) => risks.map(([x, risk]) => [x, log10(max(risk, 1e-300))]);
  let svg = axes(p, {
    xlabel: "threshold τ",
    ylabel: "excess risk",
    xticks: [0, round(Math.sqrt(d / 2))],
    yticks: [-6, -4, -2, 0],
    show: (v, axis) => (axis === "x" ? v : tenTo(v)),
  });
  // The limit of logistic weights for large λ.
  const limit = shape ? risks.map(([x]) => [x, steepest(x, d, L, gamma)]) : [];
  svg += graphInside(p, logs(limit), "dots other") + graphInside(p, logs(risks), "path k");
  // Each curve is labeled at its right end.
  const named = [
    [up(levels.best), "τ = 0, best λ", "oracle"],
    [up(levels.floor), "τ = 0, bound", "tilted"],
  ];
  for (const [y, , kind] of named) svg += line(p.left, y, p.end, y, `dash ${kind}`);
  svg += atRight(p, named);
  svg += marker("dot", p.X(tau), up(levels.risk), 5, "text");
  return (
    svg + overLeft(p, shape ? "blue: logistic; dotted: a step function" : "blue: erf with this λ")
  );
}

function compared({ risk, best }) {
  const lowest = "the lowest risk of erf there without a threshold";
  if (short(best) === short(risk)) return `the same as ${lowest}`; // do not repeat a number
  return `${risk < best ? "below" : "above"} ${lowest} (${short(best)})`;
}

// One change at a time: a threshold halfway to the informative score, then other weights.
const halfway = ({ d }) => round(Math.sqrt(d / 2) / 2);
const next = (values) =>
  values.tau && !values.shape
    ? [{ shape: 1, lam: 0.5 }, "take logistic weights, λ = 0.5"]
    : [{ tau: halfway(values) }, `move the threshold to τ = ${halfway(values)}`];

const explorer = {
  panels: ["weights", "risk"].map(() => plane({ ...BOX, xs: [-4, 20] })),
  names: ["weights", "risk"],
  python: ({ shape }) => ({ activation: NAMES[shape] }),
  first: 0,
  actions: [(values) => next(values)[0]],

  draw(values, _, memo) {
    const { shape, lam, tau, d, L, gamma } = values;
    const risks = evenly(...scores(values).xs, 120).map((x) => [x, riskAt(values, x)]);
    const levels = {
      risk: riskAt(values, tau),
      best: kept(memo, "best", [d, L, gamma], () => bestErf(d, L, gamma)),
      floor: floor(d, L, gamma),
    };
    const weights = `${shape ? "Logistic" : "Erf"} weights, λ = ${short(lam)}, τ = ${minus(+tau.toFixed(1))}`;
    const name = shape ? "logistic" : "erf";
    const verdict = levels.risk < levels.best ? "Yes" : "No";
    const reading = `${verdict}: with this threshold, ${name} attention has excess risk ${short(levels.risk)} at the teacher, ${compared(levels)}.`;
    return {
      panels: [drawWeights(values), drawRisks(values, levels, risks)],
      labels: [
        `The weight of a token against its score, over the distributions of the scores of the other tokens, near 0, and of the informative token, near ${short(Math.sqrt(d / 2))}. ${weights}.`,
        `Excess risk of the teacher against the threshold, logarithmic; here ${short(levels.risk)}. Erf with τ = 0 has ${short(levels.best)} at its best λ; its lower bound is ${short(levels.floor)}.`,
      ],
      actions: [next(values)[1]],
      reading,
      figures: {
        excess_risk: levels.risk,
        best_erf: levels.best,
        floor: levels.floor,
        at_threshold: steepest(tau, d, L, gamma),
        without: riskAt(values, 0),
      },
    };
  },
};
