// Where does it look: a row of weights for each predictor, and the predictions.
const WIDTH = 340;
const HEIGHT = 350;
const BOX = { width: WIDTH, height: HEIGHT, left: 64, right: 46, top: 30, bottom: 40 };
const REACH = 3.2; // predictions are shown from -REACH to REACH
// Each rule that maps scores to weights, with the height of its zero: erf is also negative.
const UNIT = (HEIGHT - BOX.bottom - BOX.top - 6) / 3.9; // height of a weight of one
const ROWS = [
  ["softmax", BOX.top + 6 + 1.3 * UNIT],
  ["erf", BOX.top + 6 + 2.8 * UNIT],
];
const LARGE = 0.5; // larger absolute weights are mentioned

// Which predictors give the informative token a large weight, and to which other tokens erf does.
function largest(weights, place) {
  const names = ROWS.map(([name]) => name).filter((name) => weights[name][place] > LARGE);
  const strays = weights.erf.flatMap((weight, l) =>
    l !== place && Math.abs(weight) > LARGE ? [l] : [],
  );
  const subject = ["no predictor gives", `only ${names[0]} gives`, "softmax and erf give"];
  const besides = strays.length > 1 ? `${strays.length} other tokens` : `token ${strays[0] + 1}`;
  const also = names.includes("erf") ? "also " : "";
  const erf = strays.length
    ? `; erf ${also}gives a weight of size above ${LARGE} to ${besides}`
    : "";
  return `${subject[names.length]} a weight above ${LARGE} to token ${place + 1}, the informative one${erf}`;
}

// One random sequence. The samples do not depend on the sliders, so the same tokens move.
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

const weightsOf = (scores, lam) => ({
  softmax: softmaxOf(scores, lam, tilt),
  erf: scores.map((score) => erfWeight(score, lam)),
});

function drawWeights(weights, place, p) {
  const step = p.X(1) - p.X(0);
  const tall = HEIGHT - p.bottom - p.top;
  let svg = rectangle(p.X(place) - step / 2, p.top, step, tall, "band informative");
  for (const [name, zero] of ROWS) {
    svg += line(p.left, zero, WIDTH - p.right, zero, "axis");
    svg += textTo(p.left - 8, zero + 4, name);
    svg += line(p.left, zero - UNIT, WIDTH - p.right, zero - UNIT, "grid");
    svg += textTo(p.left - 8, zero - UNIT + 4, "1");
    weights[name].forEach((weight, l) => {
      const kind = l === place ? "informative" : "other";
      svg += bar(p.X(l), 0.66 * step, zero, zero - UNIT * weight, `bar ${kind}`);
    });
    svg += textFrom(WIDTH - p.right + 6, zero + 4, fixed(sum(weights[name])));
  }
  const every = Math.ceil(weights.erf.length / 12);
  weights.erf.forEach((_, l) => {
    if (l % every === 0) svg += text(p.X(l), HEIGHT - p.bottom + 14, l + 1);
  });
  svg += text((p.left + WIDTH - p.right) / 2, HEIGHT - 5, "token", { kind: "name" });
  svg += overLeft(p, "weight of each token", "");
  return svg + textTo(WIDTH - 4, 18, "total");
}

function drawPredictions(predictions, label, p) {
  const Y = p.X(clamp(label, -REACH, REACH));
  let svg = line(p.left, p.Y(0), WIDTH - p.right, p.Y(0), "axis");
  for (const tick of [-3, -2, -1, 0, 1, 2, 3]) {
    svg += line(p.X(tick), p.Y(0), p.X(tick), p.Y(0) + 4, "axis");
    svg += text(p.X(tick), p.Y(0) + 14, String(tick).replace("-", "−"));
  }
  svg += line(Y, p.top - 4, Y, p.Y(0), "dash");
  for (const [name, y] of ROWS) {
    const value = predictions[name];
    const x = p.X(clamp(value, -REACH, REACH));
    svg += textTo(p.left - 8, y + 4, name);
    svg += line(p.left, y, WIDTH - p.right, y, "grid");
    if (Math.abs(x - Y) > 8) svg += line(Y, y, x, y, "error");
    svg += marker("dot", x, y, 5.5, "v");
    svg += textTo(WIDTH - 2, y + 4, fixed(value));
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
    const predictions = {};
    for (const [name] of ROWS)
      predictions[name] = sum(weights[name].map((weight, l) => weight * reads[l]));
    const said = (of) => ROWS.map(([name]) => `${name} ${fixed(of(name))}`).join(", ");
    return {
      panels: [
        drawWeights(weights, place, p),
        drawPredictions(predictions, label, explorer.panels[1]),
      ],
      labels: [
        `The weights of ${values.L} tokens under two predictors. Token ${place + 1} is informative; its weights: ${said((name) => weights[name][place])}.`,
        `The label is ${fixed(label)}; the predictions are ${said((name) => predictions[name])}.`,
      ],
      actions: [`set λ = ${another(values.lam)}`, "sample another sequence"],
      reading: `A larger λ concentrates the softmax weights and saturates the erf weights; at λ = ${written(values.lam)}, ${largest(weights, place)}.`,
      figures: {
        informative: place + 1,
        label,
        scores,
        values: reads,
        ...predictions,
        total_erf: sum(weights.erf),
        weight_softmax: weights.softmax[place],
        weight_erf: weights.erf[place],
      },
    };
  },
};
