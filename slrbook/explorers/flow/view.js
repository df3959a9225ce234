// The data flow: tokens, scores, weights, the weighted sum, the output.
const CLOSE = 0.3; // an output this close to its label is called close
const GROWN = { scores: 1, weights: 1, values: 1, flow: 1, output: 1 };

// The token of the largest weight, and the ratio of this weight to the second largest.
function largestOf(weights) {
  const order = weights.map((weight, l) => [Math.abs(weight), l]).sort(([a], [b]) => b - a);
  const [[first, top], [second]] = order;
  return { top, first, second, ratio: first / second };
}

// Which token gets the largest weight, and how close the output is to the label.
function say({ place, weights, output, label }, { nu }) {
  const { top, first, second, ratio } = largestOf(weights);
  const close = Math.abs(output - label) < CLOSE;
  const sizes = `has the largest absolute weight, ${fixed(first)}; the next largest is ${fixed(second)}`;
  const chance = `The output is ${close ? "close to the label by chance" : "far from the label"}.`;
  if (ratio < 2)
    return `No single token stands out: the two largest weights have size ${fixed(first)} and ${fixed(second)}. ${chance}`;
  if (top !== place) return `Token ${top + 1}, which is not informative, ${sizes}. ${chance}`;
  const why = !close && nu < 0.9 ? ", because v does not point along v*" : "";
  return `The informative token ${top + 1} ${sizes}. The output is ${close ? "close to" : "far from"} the label${why}.`;
}

const explorer = {
  panels: [plane(FLOW), plane(FLOW)],
  names: ["weights", "sum"],
  first: 0,
  actions: [
    ({ kappa }) => ({ kappa: kappa > 0.5 ? 0 : 1 }),
    ({ seed }) => ({ seed: (seed + 1) % 10000 }),
  ],
  python(values) {
    const { scores, values: reads, label } = layerOf(sequenceOf(values.seed), values);
    const weighs = TASK.rules[values.rule];
    return { scores: listed(scores), reads: listed(reads), label, weighs };
  },

  draw(values) {
    const seen = layerOf(sequenceOf(values.seed), values);
    const { place, scores, values: reads, weights, output, label } = seen;
    return {
      panels: [drawWeighing(seen, values, GROWN), drawSumming(seen, GROWN)],
      labels: labelsOf(seen),
      actions: [
        values.kappa > 0.5 ? "turn k away from k*: κ = 0" : "turn k toward k*: κ = 1",
        "sample another sequence",
      ],
      reading: say(seen, values),
      figures: {
        informative: place + 1,
        scores,
        values: reads,
        weights,
        output,
        label,
        ratio: largestOf(weights).ratio,
        error: Math.abs(output - label),
      },
    };
  },
};
