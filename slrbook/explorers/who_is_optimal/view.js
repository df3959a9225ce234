// Who is optimal: excess risks against lam, and all of them side by side at the chosen lam.
const TABLE = SPEC.constants;
const BOX = { width: 340, height: 330, left: 54, right: 12, top: 30, bottom: 44 };
const LAMS = [-3, Math.log10(2)];
const RULES = [
  // key, name, color and line
  ["erf", "erf", "oracle"],
  ["linear_attention", "linear att.", "swapped dash"],
  ["softmax", "softmax", "saddle"], // on demand
  ["bayes", "Bayes", "text dots"],
];
const STEPS = 48; // steps of the trapezoidal rule
const FLOOR = -300; // lower bound for the logarithm of a sum
const log10 = Math.log10;

// Format a risk given by its logarithm; the page cannot represent numbers below the floor.
function risk(log) {
  if (log === FLOOR) return `less than ${tenTo(FLOOR)}`;
  return log < FLOOR ? `≈ ${tenTo(Math.round(log))}` : written(10 ** log, log < -3 ? 2 : 3);
}

function softmax(lam, { d, L, gamma }) {
  const [low, high] = softmaxEnds(lam, d, gamma);
  let total = 0;
  for (let i = 0; i <= STEPS; i++)
    total += softmaxPart(low + (i / STEPS) * (high - low), lam, d, L, gamma);
  return ((high - low) / STEPS) * total;
}

// log10 of the excess Bayes risk: the overlap of the distributions, corrected by the table.
function bayes({ d, L, gamma }) {
  const places = Object.entries({ d, L, gamma }).map(([axis, value]) => [
    ...placeAmong(TABLE[axis], value, Math.log),
    TABLE[axis].length,
  ]);
  let rest = 0;
  for (let corner = 0; corner < 8; corner++) {
    // of the table cell that contains the task
    let [at, share] = [0, TABLE.unit];
    places.forEach(([i, part, length], axis) => {
      const up = (corner >> axis) & 1;
      at = at * length + i + up;
      share *= up ? part : 1 - part;
    });
    if (share) rest += share * TABLE.values[at];
  }
  return (logOverlap(d, gamma) + Math.log(L - 1) - Math.log(d) / 2 + rest) / Math.LN10;
}

// Everything that does not depend on lam.
const scene = (values, memo) =>
  kept(memo, "scene", [values.d, values.L, values.gamma, values.show_softmax], () =>
    sceneOf(values),
  );
function sceneOf(values) {
  const { d, L, gamma } = values;
  const place = log10(lowest((lam) => oracle(lam, d, L, gamma)));
  const [lamLinear, linearBest] = linearAttentionBest(d, L, gamma);
  const xs = evenly(...LAMS, 39);
  xs.push(...[place, log10(lamLinear)].filter((x) => x > LAMS[0] && x < LAMS[1]));
  xs.sort((a, b) => a - b);
  const best = { erf: oracle(10 ** place, d, L, gamma), linear_attention: linearBest };
  const bottom = Math.floor(log10(Math.min(best.erf, linearBest)) - 0.7);
  let under = false; // softmax only decreases: values below the frame are invisible
  const softmaxAt = (x) => {
    const value = under ? bottom - 9 : Math.max(log10(softmax(10 ** x, values)), FLOOR);
    under ||= value < bottom - 1;
    return value;
  };
  const flat = bayes(values);
  const curves = {
    erf: xs.map((x) => log10(oracle(10 ** x, d, L, gamma))),
    linear_attention: xs.map((x) => log10(linearAttention(10 ** x, d, L, gamma))),
    softmax: values.show_softmax ? xs.map(softmaxAt) : [],
    bayes: xs.map(() => flat),
  };
  const stars = { erf: place, linear_attention: log10(lamLinear) };
  return { stars, best, flat, xs, curves, bottom };
}

const ASKED = SPEC.steps[0].state;
const isFirst = ({ d, L }) => d === 400 && L === 10;

const explorer = {
  panels: [
    plane({ ...BOX, right: 92, xs: LAMS, ys: [-3, 1] }),
    plane({ ...BOX, left: 88, right: 84, xs: [-3, 1], ys: [0, 1] }),
  ],
  names: ["against λ", "at this λ"],
  first: 0,
  actions: [
    (values, memo) =>
      isFirst(values) ? ASKED : { lam: +(10 ** scene(values, memo).stars.erf).toPrecision(3) },
  ],

  draw(values, _, memo) {
    const { lam, d, L, gamma } = values;
    const now = scene(values, memo);
    const { best, flat, bottom } = now;
    const x = log10(lam);
    const here = {
      erf: log10(oracle(lam, d, L, gamma)),
      linear_attention: log10(linearAttention(lam, d, L, gamma)),
      softmax: Math.max(log10(softmax(lam, values)), FLOOR),
      bayes: flat,
    };
    const seen = RULES.filter(([key]) => key !== "softmax" || values.show_softmax);
    const top = 1;
    const p = plane({ ...BOX, right: 92, xs: LAMS, ys: [bottom, top] });
    const powers = evenly(bottom, top, top - bottom).filter((y) => top - bottom < 6 || !(y % 2));
    const power = (y) => (Math.abs(y) < 3 ? String(+(10 ** y).toPrecision(1)) : tenTo(y));
    let curves = axes(p, {
      xlabel: "λ, inverse temperature",
      ylabel: "excess risk",
      xticks: [-3, -2, -1, 0],
      yticks: powers,
      show: power,
    });
    curves += line(p.X(x), p.top, p.X(x), p.foot, "grid strong");
    seen.forEach(([key, , kind]) => {
      const points = now.xs.map((at, i) => [at, now.curves[key][i]]);
      curves += graphInside(p, points, kind);
      if (here[key] >= bottom && here[key] <= top)
        curves += marker("dot", p.X(x), p.Y(here[key]), 4.5, kind.split(" ")[0]);
      const at = now.stars[key];
      if (at > LAMS[0] && at < LAMS[1])
        curves += marker("star", p.X(at), p.Y(log10(best[key])), 6, kind.split(" ")[0]);
    });
    // Each curve is labeled at its right end.
    const ends = seen.map(([key, name, kind]) => {
      const end = now.curves[key].at(-1);
      const out = end > top ? " ↑" : end < bottom ? " ↓" : "";
      return [p.Y(clamp(end, bottom, top)), name + out, kind.split(" ")[0]];
    });
    curves += atRight(p, ends);
    curves += overLeft(p, "dots: this λ; stars: best λ");

    const q = plane({ ...BOX, left: 88, right: 84, xs: [bottom, top], ys: [0, 1] });
    const order = [...seen].sort((a, b) => here[a[0]] - here[b[0]]);
    let rank = axes(q, { xlabel: "excess risk at this λ", xticks: powers, show: power });
    order.forEach(([key, name, kind], i) => {
      const y = q.Y(1 - (i + 0.6) / 4.2);
      const color = kind.split(" ")[0];
      rank += line(q.left, y, q.end, y, "grid") + textTo(q.left - 8, y + 4, name);
      const value = risk(here[key]).replace("less than", "<");
      rank += textFrom(q.end + 8, y + 4, value);
      if (key in best) rank += marker("star", q.X(log10(best[key])), y, 5, color);
      if (here[key] < bottom || here[key] > top) {
        const [edge, sign] = here[key] < bottom ? [q.left + 9, "←"] : [q.end - 9, "→"];
        rank += text(edge, y + 4, sign, { kind: "strong" });
      } else rank += marker("dot", q.X(here[key]), y, 5, color);
    });
    rank += overLeft(q, `at λ = ${written(lam)}`);

    const [winner, loser] =
      best.erf < best.linear_attention ? ["erf", "linear"] : ["linear", "erf"];
    const [first, second] = [Math.min, Math.max].map((f) =>
      log10(f(best.erf, best.linear_attention)),
    );
    const powers10 = Math.round(first - flat);
    const far = powers10 > 1 ? `${count(powers10)} orders of magnitude lower` : "lower";
    const tie = risk(first) === risk(second);
    const match = tie
      ? `At their best λ, erf and linear attention have the same risk: ${risk(first)}`
      : `With each at its best λ, ${winner} attention (${risk(first)}) has a lower risk than ${loser} attention (${risk(second)})`;
    const [soft, least] = [risk(here.softmax), risk(first)]; // displayed alike, they count as equal
    const than = soft === least ? "equal to" : here.softmax < first ? "lower than" : "higher than";
    const softmaxHere = values.show_softmax
      ? ` Softmax attention has excess risk ${soft} at this λ, ${than} ${tie ? "theirs" : `that of ${winner} attention at its best λ`}.`
      : "";
    const reading = `${match}. The excess risk of the Bayes predictor is ${far} than both.${softmaxHere}`;
    const listed = order.map(([key, name]) => `${name} ${risk(here[key])}`).join(", ");
    return {
      panels: [curves, rank],
      labels: [
        `Excess risk against λ, for d = ${count(d)}, L = ${L}, γ = ${written(gamma)}. Erf attention has its lowest risk at λ = ${written(10 ** now.stars.erf)}.`,
        `Excess risks at λ = ${written(lam)}, lowest first: ${listed}.`,
      ],
      actions: [
        isFirst(values)
          ? `set d = ${ASKED.d} and L = ${ASKED.L}`
          : "set λ to the best value for erf attention",
      ],
      reading,
      figures: {
        winner: winner === "erf" ? "erf" : "linear attention",
        best_lam: 10 ** now.stars.erf,
        best_erf: best.erf,
        best_linear_attention: best.linear_attention,
        erf: 10 ** here.erf,
        linear_attention: 10 ** here.linear_attention,
        softmax: 10 ** here.softmax,
        null: gamma ** 2,
        log10_bayes: flat,
        bayes_error: TABLE.error,
        order: order.map(([key]) => key),
      },
    };
  },
};
