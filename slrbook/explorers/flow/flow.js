// One sequence and its way through the layer, for this explorer and the tour.
const TASK = SPEC.constants;
const FLOW = { width: 340, height: 330, left: 10, right: 10, top: 50, bottom: 14 };
const REACH = 3; // range of the values and of the output

// The tokens of one sequence, with the distribution of the task: components along k* and v* as in
// find_token, and along two more directions, which contain the remaining parts of k and v.
function sequenceOf(seed) {
  const { d, L, gamma, noise } = TASK;
  const random = makeRandom(seed);
  const place = random.below(L);
  const seen = (l, along) => token(0, along, 0, l === place ? 1 : 0, gamma, d)[1];
  const tokens = Array.from({ length: L }, (_, l) => {
    const draws = [random.normal(), random.normal(), random.chi2(d - 2)];
    const [s, t, length] = token(...draws, l === place ? 1 : 0, gamma, d);
    return { s, t, length };
  });
  tokens.forEach((one, l) => {
    one.u = seen(l, random.normal());
    one.w = seen(l, random.normal());
  });
  return { place, tokens, label: tokens[place].t + noise * random.normal() };
}

// The output of a pair with these overlaps.
function layerOf({ place, tokens, label }, { lam, kappa, nu, rule }) {
  const scores = tokens.map(({ s, u }) => turned(s, u, kappa));
  const values = tokens.map(({ t, w }) => turned(t, w, nu));
  const weights = rule
    ? softmaxOf(scores, lam, tilt)
    : scores.map((score) => erfWeight(score, lam));
  const output = sum(weights.map((weight, l) => weight * values[l]));
  return { place, label, scores, values, weights, output };
}

const kindOf = (l, place) => (l === place ? "informative" : "other");
const rowOf = (l) => FLOW.top + 13 + 26 * l;
const MIDDLE = (rowOf(0) + rowOf(9)) / 2;

// A horizontal bar that starts at its axis.
const sideways = (zero, y, length, kind) =>
  rectangle(zero + Math.min(0, length), y - 6, Math.max(Math.abs(length), 0.8), 12, `bar ${kind}`);
const heading = (x, words, anchor = "middle") => text(x, 36, words, { anchor, kind: "hint" });
// The axis of a column of bars, with ticks at zero and at one more value.
const scale = (zero, unit, value) =>
  line(zero + unit * value, rowOf(0) - 12, zero + unit * value, rowOf(9) + 12, "grid") +
  text(zero, FLOW.height - 4, 0) +
  text(zero + unit * value, FLOW.height - 4, value);
const stripes = (zero) => line(zero, rowOf(0) - 12, zero, rowOf(9) + 12, "axis");
const hop = (from, to, y, part, kind) =>
  part > 0 && part < 1 ? marker("dot", from + part * (to - from), y, 3, kind) : "";

// Tokens, scores, weights. Each stage of `grown` goes from 0 to 1.
function drawWeighing({ place, scores, weights }, { rule, lam }, grown) {
  const [SCORE, WEIGHT, UNIT] = [92, 236, 58];
  const after = (weight) => WEIGHT + UNIT * Math.max(weight, 0) + 5;
  let svg = textFrom(4, 16, "k determines where to look", "k strong");
  svg += heading(4, "token", "start");
  if (grown.scores > 0) svg += heading(128, "score X·k") + stripes(SCORE) + scale(SCORE, 5.4, 10);
  if (grown.weights > 0)
    svg +=
      heading(268, rule ? "softmax weight" : "weight erf(λ X·k)") +
      stripes(WEIGHT) +
      scale(WEIGHT, UNIT, 1);
  scores.forEach((score, l) => {
    const [y, kind, own] = [rowOf(l), kindOf(l, place), l === place];
    svg += textTo(16, y + 4, l + 1, own ? "strong" : "");
    svg += marker("dot", 30, y, 4, kind);
    if (own) svg += marker("ring", 30, y, 8, kind);
    if (grown.scores > 0) {
      svg += line(41, y, 41 + (SCORE - 26 - 41) * Math.min(1, 2 * grown.scores), y, "grid");
      svg += sideways(SCORE, y, 5.4 * clamp(score, -4.5, 19) * grown.scores, kind);
      svg += hop(41, SCORE, y, grown.scores, kind);
    }
    if (grown.weights > 0) {
      const from = SCORE + 5.4 * Math.max(score, 0) + 4;
      svg += line(from, y, from + (WEIGHT - from - 4) * Math.min(1, 2 * grown.weights), y, "grid");
      svg += sideways(WEIGHT, y, UNIT * weights[l] * grown.weights, kind);
      svg += hop(from, WEIGHT, y, grown.weights, kind);
      if (grown.weights === 1 && (own || Math.abs(weights[l]) > 0.3))
        svg += textFrom(after(weights[l]), y + 4, fixed(weights[l]), own ? "strong" : "");
    }
  });
  return svg;
}

// Values, their weighted sum, and the output next to the label.
function drawSumming({ place, values, weights, output, label }, grown) {
  const [VALUE, UNIT, SUM, SCALE] = [66, 16, 206, 254];
  const Y = (y) => MIDDLE - (118 * clamp(y, -REACH, REACH)) / REACH;
  let svg = textFrom(4, 16, "v determines what to read", "v strong");
  if (grown.values > 0) svg += heading(VALUE, "value X·v") + stripes(VALUE) + scale(VALUE, UNIT, 2);
  values.forEach((value, l) => {
    const [y, kind] = [rowOf(l), kindOf(l, place)];
    if (grown.flow > 0) {
      const [x1, x2] = [118, SUM - 13];
      const width =
        Math.max(0.7, 13 * Math.min(Math.abs(weights[l]), 1)) * Math.min(1, 3 * grown.flow);
      const bend = `M${px(x1)},${px(y)}C${px(x1 + 45)},${px(y)} ${px(x2 - 40)},${px(MIDDLE)} ${px(x2)},${px(MIDDLE)}`;
      svg += `<path d="${bend}" class="line ${kind}" style="stroke-width:${px(width)}"/>`;
    }
    if (grown.values > 0)
      svg += sideways(VALUE, y, UNIT * clamp(value, -REACH, REACH) * grown.values, kind);
  });
  // Contributions move to the sum; their widths are their weights.
  if (grown.flow > 0 && grown.flow < 1)
    values.forEach((_, l) => {
      const [a, y] = [clamp(1.4 * grown.flow - 0.04 * l, 0, 1), rowOf(l)];
      if (a <= 0 || a >= 1) return;
      const b = 1 - a;
      const [x1, x2] = [118, SUM - 13];
      const x = b ** 3 * x1 + 3 * b * b * a * (x1 + 45) + 3 * b * a * a * (x2 - 40) + a ** 3 * x2;
      const at = (b ** 3 + 3 * b * b * a) * y + (3 * b * a * a + a ** 3) * MIDDLE;
      svg += marker("dot", x, at, 3 + 5 * Math.min(Math.abs(weights[l]), 1), kindOf(l, place));
    });
  if (grown.flow > 0) {
    svg += marker("ring", SUM, MIDDLE, 13, "text") + text(SUM, MIDDLE + 5, "Σ", { kind: "strong" });
    svg += heading(SUM - 40, "weight × value");
  }
  if (grown.output > 0) {
    const [here, there] = [Y(output * grown.output), Y(label)];
    svg += heading(SCALE + 8, "output", "start");
    svg += line(SCALE, Y(REACH), SCALE, Y(-REACH), "axis");
    for (const tick of [-REACH, 0, REACH])
      svg +=
        line(SCALE - 4, Y(tick), SCALE, Y(tick), "axis") +
        (tick ? textTo(SCALE - 7, Y(tick) + 4, minus(tick)) : "");
    svg += line(SCALE - 8, there, SCALE + 8, there, "thick informative");
    svg += line(SUM + 13, MIDDLE, SCALE, here, "v") + marker("dot", SCALE, here, 6, "v");
    const said = [
      [here + 4, `sum ${grown.output < 1 ? "" : fixed(output)}`, "v strong on"],
      [there + 4, `label ${fixed(label)}`, "on"],
    ].sort(([a], [b]) => a - b);
    const heights = said.map(([y]) => y);
    apart(heights, FLOW.top + 10, FLOW.height - 12).forEach((y, i) => {
      svg += textFrom(SCALE + 12, y, said[i][1], said[i][2]);
    });
  }
  return svg;
}

const labelsOf = ({ place, scores, weights, output, label }) => [
  `Ten tokens, their scores along k and their weights. Token ${place + 1} is informative: score ${fixed(scores[place], 1)}, weight ${fixed(weights[place])}.`,
  `The values of the tokens along v and their sum with these weights: the output is ${fixed(output)}, the label is ${fixed(label)}.`,
];
