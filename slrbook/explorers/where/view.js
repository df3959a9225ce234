// Where does it look: rows of weights, one a predictor, and what each of them predicts.
const WIDTH = 340;
const HEIGHT = 350;
const BOX = { width: WIDTH, height: HEIGHT, left: 64, right: 46, top: 30, bottom: 40 };
const REACH = 3.2; // the predictions shown go from -REACH to REACH
const RULES = ["argmax", "softmax", "erf", "linear"];
const NEGATIVE = ["erf", "linear"]; // their weights may be negative

// The rows of the rules that are shown: name, where its zero lies, and the height of a weight of one.
function rowsOf(values) {
  const shown = RULES.filter((name) => values[`show_${name}`] ?? 1);
  const parts = shown.map((name) => (NEGATIVE.includes(name) ? 2.4 : 1.5));
  const unit = Math.min(80, (HEIGHT - BOX.bottom - BOX.top - 6) / sum(parts));
  let at = BOX.top + 6;
  return shown.map((name, i) => {
    const row = [name, at + 1.3 * unit, unit];
    at += parts[i] * unit;
    return row;
  });
}
const brief = (value) =>
  Math.abs(value) < 100
    ? fixed(value, Math.abs(value) < 10 ? 2 : 1)
    : count(value).replace("-", "−");
const LARGE = 0.5; // a weight of whatever sign that is named

// Who gives the informative token a large weight, and what argmax and erf choose instead.
function largest(weights, place, rows) {
  const asked = RULES.slice(0, 3).filter((name) => rows.some(([shown]) => shown === name));
  const seen = (name) =>
    weights[name].flatMap((weight, l) => (Math.abs(weight) > LARGE ? [l] : []));
  const at = asked.includes("argmax") ? seen("argmax")[0] : place;
  const strays = asked.includes("erf") ? seen("erf").filter((l) => l !== place) : [];
  const names = asked.filter((name) => weights[name][place] > LARGE);
  const subject =
    names.length > 1
      ? `${names.slice(0, -1).join(", ")} and ${names.at(-1)} give`
      : `${names[0] ? `only ${names[0]}` : "no predictor"} gives`;
  const besides =
    strays.length > 1
      ? `${strays.length} other tokens`
      : strays.map((l) => `token ${l + 1}`).join("");
  const erf =
    besides &&
    `; erf ${names.includes("erf") ? "also " : ""}gives a weight of size above ${LARGE} to ${besides}`;
  const wrong = at === place ? "" : `argmax selects token ${at + 1}, which is wrong; `;
  return `${wrong}${subject} a weight above ${LARGE} to token ${place + 1}, the informative one${erf}`;
}

// One sequence in law. The draws do not depend on the sliders, so that the same tokens move.
function sequence({ seed, d, L, gamma }) {
  const random = makeRandom(seed);
  const place = random.below(L);
  const xi = SPEC.constants.noise * random.normal();
  const tokens = Array.from({ length: L }, (_, l) =>
    token(random.normal(), random.normal(), 0, l === place ? 1 : 0, gamma, d),
  );
  const values = tokens.map((parts) => parts[1]);
  return { place, scores: tokens.map((parts) => parts[0]), values, label: values[place] + xi };
}

// The weights of the four predictors, from the scores.
function weightsOf(scores, lam) {
  const highest = Math.max(...scores);
  return {
    argmax: scores.map((_, l) => (l === scores.indexOf(highest) ? 1 : 0)),
    softmax: softmaxOf(scores, lam, tilt),
    erf: scores.map((score) => erfWeight(score, lam)),
    linear: scores.map((score) => linearWeight(score, lam)),
  };
}

function drawWeights(weights, place, p, rows) {
  const step = p.X(1) - p.X(0);
  const tall = HEIGHT - p.bottom - p.top;
  let svg = rectangle(p.X(place) - step / 2, p.top, step, tall, "band informative");
  for (const [name, zero, unit] of rows) {
    svg += line(p.left, zero, WIDTH - p.right, zero, "axis");
    svg += textTo(p.left - 8, zero + 4, name);
    svg += line(p.left, zero - unit, WIDTH - p.right, zero - unit, "grid");
    svg += textTo(p.left - 8, zero - unit + 4, "1");
    weights[name].forEach((weight, l) => {
      const cut = clamp(weight, NEGATIVE.includes(name) ? -1 : 0, 1.1);
      const kind = l === place ? "informative" : "other";
      svg += bar(p.X(l), 0.66 * step, zero, zero - unit * cut, `bar ${kind}`);
    });
    // What is cut is told, the informative token first, as far as the words keep apart.
    const taken = [];
    const tell = { places: [[0, -4, "middle"]], kind: "strong on", must: false };
    const cut = weights[name].map((_, l) => l).filter((l) => weights[name][l] > 1.1);
    cut.sort((a, b) => (b === place) - (a === place) || weights[name][b] - weights[name][a]);
    for (const l of cut)
      svg += beside(taken, p.X(l), zero - unit * 1.1, written(weights[name][l], 2), tell);
    svg += textFrom(WIDTH - p.right + 6, zero + 4, brief(sum(weights[name])));
  }
  const every = Math.ceil(weights.erf.length / 12);
  weights.erf.forEach((_, l) => {
    if (l % every === 0) svg += text(p.X(l), HEIGHT - p.bottom + 14, l + 1);
  });
  svg += text((p.left + WIDTH - p.right) / 2, HEIGHT - 5, "token", { kind: "name" });
  svg += overLeft(p, "weight of each token", "");
  return svg + textTo(WIDTH - 4, 18, "total");
}

function drawPredictions(predictions, label, p, rows) {
  const Y = p.X(clamp(label, -REACH, REACH));
  let svg = line(p.left, p.Y(0), WIDTH - p.right, p.Y(0), "axis");
  for (const tick of [-3, -2, -1, 0, 1, 2, 3]) {
    svg += line(p.X(tick), p.Y(0), p.X(tick), p.Y(0) + 4, "axis");
    svg += text(p.X(tick), p.Y(0) + 14, String(tick).replace("-", "−"));
  }
  svg += line(Y, p.top - 4, Y, p.Y(0), "dash");
  for (const [name, y] of rows) {
    const value = predictions[name];
    const x = p.X(clamp(value, -REACH, REACH));
    svg += textTo(p.left - 8, y + 4, name);
    svg += line(p.left, y, WIDTH - p.right, y, "grid");
    if (Math.abs(x - Y) > 8) svg += line(Y, y, x, y, "error");
    if (Math.abs(value) > REACH)
      svg += arrow(x - 16 * Math.sign(value), y, x + 4 * Math.sign(value), y, "v");
    else svg += marker("dot", x, y, 5.5, "v");
    svg += textTo(WIDTH - 2, y + 4, brief(value));
  }
  svg += text((p.left + WIDTH - p.right) / 2, HEIGHT - 5, "prediction of the label", {
    kind: "name",
  });
  return svg + text(clamp(Y, p.left + 30, WIDTH - 60), 18, `label Y = ${fixed(label)}`);
}

const another = (lam) => (lam < 0.1 ? 0.5 : 0.02);

const explorer = {
  panels: [plane(BOX), plane({ ...BOX, xs: [-REACH, REACH] })],
  names: ["weights", "predictions"],
  python(given) {
    const { scores, values } = sequence(given);
    return { scores: listed(scores), reads: listed(values) };
  },
  first: 0,
  actions: [({ lam }) => ({ lam: another(lam) }), ({ seed }) => ({ seed: (seed + 1) % 10000 })],

  draw(values) {
    const { place, scores, values: reads, label } = sequence(values);
    const weights = weightsOf(scores, values.lam);
    const p = plane({ ...BOX, xs: [-0.6, values.L - 0.4], ys: [0, 1] });
    const rows = rowsOf(values);
    const predictions = {};
    for (const name of RULES)
      predictions[name] = sum(weights[name].map((weight, l) => weight * reads[l]));
    const said = (of) => rows.map(([name]) => `${name} ${fixed(of(name))}`).join(", ");
    return {
      panels: [
        drawWeights(weights, place, p, rows),
        drawPredictions(predictions, label, explorer.panels[1], rows),
      ],
      labels: [
        `The weights of ${values.L} tokens under ${rows.length} predictors. Token ${place + 1} is informative; its weights: ${said((name) => weights[name][place])}.`,
        `The label is ${fixed(label)}; the predictions are ${said((name) => predictions[name])}.`,
      ],
      actions: [`set λ = ${another(values.lam)}`, "sample another sequence"],
      reading: `A larger λ concentrates the softmax weights and saturates the erf weights; at λ = ${written(values.lam)}, ${largest(weights, place, rows)}.`,
      figures: {
        informative: place + 1,
        label,
        scores,
        values: reads,
        ...predictions,
        total_erf: sum(weights.erf),
        total_linear: sum(weights.linear),
        weight_softmax: weights.softmax[place],
        weight_erf: weights.erf[place],
      },
    };
  },
};
