// Read a sentence: the weight of each word, and the words in the plane of the fitted pair (k, v). A
// text box for the reader's own sentence is added by explorer.attach of typing.js if there is a
// kernel, or by slr.ownSentence of in_browser/load.js on a page with the model.
const TABLE = SPEC.constants;
const [opening, adjective, where, , animal] = SPEC.controls.map((control) => control.options);
const BARS = { width: 340, height: 340, left: 96, right: 46, top: 28, bottom: 6, xs: [0, 1] };
const PLANE = { width: 340, height: 340, left: 50, right: 12, top: 28, bottom: 40 };
const near = (value) => Math.abs(value) < 0.05; // shown as zero
const signed = (value) =>
  `${near(value) ? "" : value < 0 ? "−" : "+"}${Math.abs(value).toFixed(1)}`;
const answer = (output) => (near(output) ? "neither" : output > 0 ? "positive" : "negative");
const short = (word) => (word.length > 12 ? `${word.slice(0, 11)}…` : word);
const across = (p, x) => p.X(clamp(x, ...p.xs));
const up = (p, y) => p.Y(clamp(y, ...p.ys));
const spot = ({ scores, values }, i, p) => [across(p, scores[i]), up(p, values[i])];
const opposite = (i) => (i % 2 ? i - 1 : i + 1); // praise and blame alternate

// The sentence selected by the menus: its words and the stored data.
function chosen(values) {
  const word = adjective[values.adjective];
  const end = TABLE.ends[values.where]
    .replace("[animal]", animal[values.animal])
    .replace("[adjective]", word);
  const words = ["[CLS]", ...`${opening[values.opening]} ${end}`.match(/\w+|[^\w\s]/g), "[SEP]"];
  const row =
    ((values.opening * where.length + values.where) * animal.length + values.animal) *
      adjective.length +
    values.adjective;
  const numbers = words.map((_, i) => parseInt(TABLE.rows[row].slice(3 * i, 3 * i + 3), 36));
  const on = ([low, unit], steps) => low + unit * steps;
  return {
    words,
    row,
    place: words.lastIndexOf(word),
    word,
    scores: numbers.map((n) => on(TABLE.score, Math.floor(n / TABLE.levels))),
    values: numbers.map((n) => on(TABLE.value, n % TABLE.levels)),
  };
}

// The Python code that finds its words, X k and X v: stored ones, or those of a typed sentence.
const stored = ({ words, row }) =>
  `words = ${listed(words.map((word) => `"${word}"`))}\nscores, values = table.unpacked(table.stored(), ${row})`;
const heard = (sentence) => `words, scores, values = table.hear(${JSON.stringify(sentence)})`;

// softmax(lam X k), and the sum of X v with these weights.
function attended({ scores, values }, lam) {
  const weights = softmaxOf(scores, lam, tilt);
  return { weights, output: sum(weights.map((weight, i) => weight * values[i])) };
}

function drawWeights({ words, place }, weights, p) {
  const step = (p.height - p.top - p.bottom) / words.length;
  let svg = textFrom(4, 16, "weight of each token", "hint");
  words.forEach((word, i) => {
    const [own, y] = [i === place, p.top + step * (i + 0.5)];
    const length = Math.max(p.X(weights[i]) - p.left, 0.8);
    svg += textTo(p.left - 12, y + 4, short(word), own ? "strong" : "");
    const kind = own ? "informative" : "other";
    svg += rectangle(p.left, y - 0.36 * step, length, 0.72 * step, `bar ${kind}`);
    if (own)
      svg += `<rect x="${px(p.left - 20 - 7.4 * word.length)}" y="${px(y - 9)}" width="${px(15 + 7.4 * word.length)}" height="18" rx="9" class="ring informative"/>`;
    const part = `${Math.round(100 * weights[i])}%`;
    if (weights[i] >= 0.005) svg += textFrom(p.left + length + 5, y + 4, part, own ? "strong" : "");
  });
  return svg;
}

function drawPlane(seen, weights, output, p) {
  const { words, place } = seen;
  const within = [p.left, p.top, p.end, p.foot];
  const at = up(p, output);
  const taken = [[p.left, at - 2, p.end, at + 2]];
  words.forEach((_, i) => taken.push(around(...spot(seen, i, p), i === place ? 8 : 3)));
  let svg = axes(p, {
    xlabel: "X·k, score",
    ylabel: "X·v, value",
    xticks: [-5, 0, 5, 10, 15],
    yticks: [-10, -5, 0, 5, 10],
  });
  svg += textFrom(4, 16, "components of the tokens along k and v", "hint");
  svg += line(p.left, p.Y(0), p.end, p.Y(0), "grid") + line(p.left, at, p.end, at, "dash v");
  const heights = output > 0 ? [-6, 15, -22, 31] : [15, -6, 31, -22];
  const places = heights.flatMap((dy) => [
    [5, dy, "start"],
    [p.end - p.left - 5, dy, "end"],
  ]);
  const sum = `sum ${signed(output)}: ${answer(output)}`;
  svg += beside(taken, p.left, at, sum, { places, within, kind: "v on" });
  words.forEach((word, i) => {
    const [x, y] = spot(seen, i, p);
    const own = i === place;
    if (own) svg += marker("ring", x, y, 8, "informative");
    svg += marker("dot", x, y, own ? 4 : 3, own ? "informative" : "other");
    // The informative word; in a typed sentence each token with a substantial weight.
    if (own || (place < 0 && weights[i] >= 0.05 && /\w/.test(word)))
      svg += beside(taken, x, y, short(word), {
        kind: own ? "strong on" : "hint on",
        within,
        must: own,
      });
  });
  return svg;
}

const explorer = {
  panels: [
    plane({ ...BARS, ys: [0, 1] }),
    plane({ ...PLANE, xs: [-6.5, 15.5], ys: [-14.5, 14.5] }),
  ],
  names: ["weights", "the plane"],
  python: (values, { sentence }) => ({
    found: sentence ? heard(sentence) : stored(chosen(values)),
  }),
  attach: (parts) => slr.ownSentence?.(parts),
  first: 0,
  actions: [(values) => ({ adjective: opposite(values.adjective) })],

  draw(values, _, { typed = {}, sentence = "" }) {
    const own = typed.words ? { ...typed, place: -1 } : null;
    const seen = own || chosen(values);
    const { weights, output } = attended(seen, values.lam);
    const top = own ? weights.indexOf(Math.max(...weights)) : seen.place;
    let other = null;
    if (!own) {
      other = chosen({ ...values, adjective: opposite(values.adjective) });
      other.output = attended(other, values.lam).output;
    }
    const part = `${Math.round(100 * weights[top])}%`;
    const label = values.adjective % 2 ? -1 : 1;
    const wrong = !own && output * label < 0;
    const flips = other && other.output * output < 0;
    const which = own ? `“${seen.words[top]}”` : `“${seen.word}”, the informative word`;
    let reading = `The pair (k, v) predicts ${answer(output)} (${signed(output)})${wrong ? ", which is wrong" : ""}: ${part} of the weight is on ${which}.`;
    if (typed.complaint)
      reading = `This sentence cannot be used: ${typed.complaint}. The picture shows the sentence of the menus.`;
    else if (other)
      reading += ` With “${other.word}” instead, the prediction is ${flips ? "" : "still "}${answer(other.output)} (${signed(other.output)}).`;
    return {
      panels: [
        drawWeights(seen, weights, explorer.panels[0]),
        drawPlane(seen, weights, output, explorer.panels[1]),
      ],
      labels: [
        `The tokens of “${seen.words.slice(1, -1).join(" ")}” with the weight of each as a bar: ${part} for ${which}.`,
        `The tokens in the plane of X·k and X·v: “${seen.words[top]}” at ${signed(seen.scores[top])} along k and ${signed(seen.values[top])} along v; the weighted sum is ${signed(output)}.`,
      ],
      actions: [
        other && !typed.complaint
          ? `replace “${seen.word}” with “${other.word}”`
          : "back to the menus",
      ],
      of: { sentence: typed.sentence ?? sentence },
      reading,
      figures: {
        words: seen.words,
        place: seen.place,
        scores: seen.scores,
        values: seen.values,
        weights,
        output,
        label: own ? 0 : label,
        ...(other ? { other: other.output } : { sentence: typed.sentence }),
      },
    };
  },
};
