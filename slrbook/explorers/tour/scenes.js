// The six scenes. Each receives its elapsed fraction, from 0 to 1, and the computed runs.
const ease = (part) => (part <= 0 ? 0 : part >= 1 ? 1 : part * part * (3 - 2 * part));
const between = (p, from, to) => ease((p - from) / (to - from));
const even = (p, from, to) => clamp((p - from) / (to - from), 0, 1);
const percentOf = (x) => `${Math.round(100 * x)}%`;
const mix = (a, b, part) => a + (b - a) * part;
const blank = (width, height) => ({ width, height, left: 10, right: 10, top: 10, bottom: 10 });
const STAGE = { width: 340, height: 330, left: 46, right: 14, top: 30, bottom: 44 };

// A sentence in lines, with weights as bars behind the words.
const WIDE = { i: 5, l: 5, t: 7, f: 7, r: 8, s: 10, c: 11, ".": 6, w: 16, m: 18, T: 14, H: 16 };
const widthOf = (word) => 1.15 * [...word].reduce((sum, letter) => sum + (WIDE[letter] ?? 12.2), 0);

function attendedTo({ scores, values }) {
  const weights = softmaxOf(scores, 1, tilt);
  return { weights, output: sum(weights.map((weight, i) => weight * values[i])) };
}

function drawSentence({ words, word }, weights) {
  let [svg, x, y] = [text(170, 30, "attention weight of each word", { kind: "hint" }), 20, 118];
  words.match(/\w+|\./g).forEach((each, i) => {
    const wide = widthOf(each);
    if (each !== "." && x + wide > 322) [x, y] = [20, y + 70];
    if (each === ".") x -= 8;
    const [own, weight] = [each === word, weights[i + 1]]; // the first is [CLS]
    if (weight > 0.005)
      svg += `<rect x="${px(x - 5)}" y="${px(y - 26)}" width="${px(wide + 10)}" height="36" rx="7" class="bar ${own ? "informative" : "other"}" style="opacity:${px(10 * 0.5 * weight ** 0.7) / 10}"/>`;
    if (own)
      svg += text(x + wide / 2, y - 31, `weight ${percentOf(weight)}`, {
        kind: "informative strong",
      });
    svg += `<text x="${px(x)}" y="${y}" textLength="${px(wide)}" lengthAdjust="spacingAndGlyphs" class="${own ? "big strong" : "big"}">${each}</text>`;
    x += wide + 10;
  });
  return svg;
}

function wordScene(part) {
  const [a, b] = [between(part, 0.36, 0.42), between(part, 0.66, 0.72)];
  const now = a < 0.5 ? 0 : b < 0.5 ? 1 : 2;
  const seen = TASK.sentences.map(attendedTo);
  const shown = between(part, 0.06, 0.16);
  const sentence = TASK.sentences[now];
  const { weights } = seen[now];
  const output = shown * mix(mix(seen[0].output, seen[1].output, a), seen[2].output, b);
  const q = plane({ ...blank(340, 330), top: 56, bottom: 36, xs: [0, 1], ys: [-10, 10] });
  let scale = text(170, 30, "prediction: weighted sum of the values", { kind: "hint" });
  scale += line(120, q.Y(10), 120, q.Y(-10), "axis") + line(108, q.Y(0), 132, q.Y(0), "axis");
  const marks = { positive: 7.5, negative: -7.5, 0: 0 };
  for (const words of ["positive", "negative", "0"])
    scale += textTo(100, q.Y(marks[words]) + 4, words);
  scale += line(120, q.Y(0), 120, q.Y(output), "v path") + marker("dot", 120, q.Y(output), 8, "v");
  const said = `${output < 0 ? "negative" : "positive"}: ${fixed(output, 1)}`;
  scale += textFrom(140, q.Y(output) + 5, shown ? said : "positive or negative?", "v strong");
  const place = weights[sentence.words.match(/\w+|\./g).indexOf(sentence.word) + 1];
  const caption = !shown
    ? "Is this sentence positive or negative? One word has nearly all of the attention weight. Press play."
    : [
        `One word decides: “gentle” has ${percentOf(place)} of the attention weight, and the prediction is positive.`,
        `Replace it with “cruel”. The weight stays on the decisive word, and the prediction turns negative.`,
        `The decisive word can be anywhere in the sentence. Can gradient descent train a layer to find it?`,
      ][now];
  return {
    panels: [drawSentence(sentence, weights), scale],
    labels: [
      `The sentence “${sentence.words}” with the attention weight behind each word: ${percentOf(place)} on “${sentence.word}”.`,
      `A scale from negative to positive. The prediction, a weighted sum of values, is ${fixed(seen[now].output, 1)}.`,
    ],
    names: ["sentence", "prediction"],
    caption,
    figures: { output: seen[now].output },
    link: `pair_in_language.html#read_a_sentence:opening=1&adjective=${now ? 1 : 0}&where=${now > 1 ? 1 : 0}`,
    invites: "try other words",
  };
}

// Tokens projected onto a direction that rotates from a random one to k*.
function tokenScene(part) {
  const { place, tokens } = SEQUENCE;
  const turn = (Math.PI / 2) * between(part, 0.25, 0.65);
  const [sin, cos] = [Math.sin(turn), Math.cos(turn)];
  const seen = tokens.map(({ s, t, u, w }) => [sin * s + cos * u, sin * t + cos * w]);
  const most = mix(4, 18, between(sin, 0, 1));
  const p = plane({ ...STAGE, xs: [-4, most], ys: [-4.5, 4.5] });
  const told = between(part, 0.62, 0.72);
  const name = sin > 0.99 ? "k*" : sin < 0.01 ? "a random direction" : "a direction near k*";
  let arrows = overLeft(p, "ten tokens, drawn as arrows");
  arrows += axes(p, {
    xlabel: `component along ${name}`,
    ylabel: sin > 0.99 ? "component along v*" : "",
  });
  arrows += line(p.left, p.Y(0), p.end, p.Y(0), "grid");
  seen.forEach(([x, y], l) => {
    const kind = told && l === place ? "informative path" : "other";
    const [a, b] = [p.X(x), p.Y(y)];
    arrows += arrow(p.X(0), p.Y(0), a, b, kind);
  });
  if (told) {
    const [x, y] = seen[place];
    arrows += marker("ring", p.X(x), p.Y(y), 9, "informative");
    arrows += text(p.X(x), p.Y(y) + 28, "informative", { kind: "informative strong" });
    arrows += line(p.X(x), p.Y(y), p.X(x), p.Y(0), "v dash");
    arrows += text(p.X(x), p.Y(0) - 9, "the label", { kind: "v strong" });
  }
  const q = plane({ ...STAGE, xs: [0.4, 10.6], ys: [-4, 18] });
  let bars = overLeft(q, "the same components, token by token");
  bars += axes(q, {
    xlabel: "token",
    xticks: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    yticks: [0, 5, 10, 15],
  });
  bars += line(q.left, q.Y(0), q.end, q.Y(0), "grid");
  seen.forEach(([x], l) => {
    const kind = told && l === place ? "informative" : "other";
    bars += bar(q.X(l + 1), 17, q.Y(0), q.Y(x), `bar ${kind}`);
  });
  const caption =
    turn === 0
      ? "Now replace the words by tokens, which are random vectors in dimension 400. Along a random direction, no token stands out."
      : turn < Math.PI / 2
        ? `The direction turns toward a hidden direction k*. The inner product of the two is now ${fixed(sin)}.`
        : `Along k*, the informative token ${place + 1} stands out. Its component along a second direction v* is the label, up to noise.`;
  return {
    panels: [arrows, bars],
    labels: [
      `Ten tokens as arrows in a plane that contains ${name}. The informative token has the component ${fixed(seen[place][0], 1)} in this direction.`,
      `The components along ${name} as bars: ${seen.map(([x]) => fixed(x, 1)).join(", ")}.`,
    ],
    names: ["arrows", "bars"],
    caption,
    link: "task.html#find_token:seed=36",
    invites: "find the token yourself",
  };
}

function layerScene(part) {
  const grown = {
    scores: between(part, 0.04, 0.2),
    weights: between(part, 0.24, 0.4),
    values: between(part, 0.44, 0.54),
    flow: even(part, 0.56, 0.78),
    output: between(part, 0.78, 0.88),
  };
  const seen = layerOf(SEQUENCE, TEACHER);
  const { place, weights, output, label } = seen;
  const caption = !grown.weights
    ? "The layer has two directions, k and v. The score of a token X is X·k."
    : !grown.values
      ? `The error function turns the scores into weights. Token ${place + 1} gets ${fixed(weights[place])}, and the others get small weights.`
      : !grown.output
        ? "Each token also has a value X·v. The layer sums weight × value over all tokens."
        : `The sum is ${fixed(output)}, and the label is ${fixed(label)}. With the right k and v, the output is close to the label.`;
  return {
    panels: [drawWeighing(seen, TEACHER, grown), drawSumming(seen, grown)],
    labels: labelsOf(seen),
    names: ["weights", "sum"],
    caption,
    tab: grown.values > 0 ? 1 : 0,
    link: `predictor.html#flow:lam=${TEACHER.lam}`,
    invites: "change k, v and λ",
  };
}

// The arrow of a dial.
function hand(x, y, size, angle, kind) {
  const [a, b] = [x + size * Math.cos(angle), y - size * Math.sin(angle)];
  const [dx, dy] = [(a - x) / size, (b - y) / size];
  const side = (s) => `${px(a - 13 * dx - s * 6 * dy)},${px(b - 13 * dy + s * 6 * dx)}`;
  const head = `<path d="M${px(a)},${px(b)}L${side(1)}L${side(-1)}Z" class="mark ${kind}"/>`;
  return `${line(x, y, a - 9 * dx, b - 9 * dy, `${kind} thick`)}${head}`;
}

function dial(x, name, kind, overlap) {
  const [y, size] = [150, 68];
  let svg = marker("ring", x, y, size, "other faint");
  svg +=
    line(x, y, x, y - size, `dash ${kind}`) +
    text(x, y - size - 9, `${name}*`, { kind: `${kind} strong` });
  const angle = Math.PI / 2 + (name === "k" ? 1 : -1) * Math.acos(clamp(overlap, -1, 1));
  svg += hand(x, y, size, angle, kind);
  const [a, b] = [x + (size + 12) * Math.cos(angle), y - (size + 12) * Math.sin(angle)];
  if (overlap < 0.93) svg += text(a, b + 4, name, { kind: `${kind} strong` });
  const symbol = name === "k" ? "κ" : "ν";
  svg += text(x, y + size + 32, `${symbol} = ${name}·${name}* = ${fixed(overlap)}`, {
    kind: "strong",
  });
  return svg;
}

function descentScene(part, { one = resting(START) }) {
  const course = even(part, 0.08, 0.97);
  const { row, step, i } = reached(one, course);
  const [kappa, nu] = row;
  const q = plane({ ...STAGE, xs: [0, 1], ys: [0, 1.12] });
  const slope = steepness(kappa, LAM);
  const weight = meanWeight(kappa, LAM);
  const flat = slope < 0.7;
  let dials = text(170, 22, `step ${count(step)} of descent`, { kind: "strong" });
  dials += dial(92, "k", "k", kappa) + dial(248, "v", "v", nu);
  dials += text(92, 276, kappa > 0.95 ? "learned" : flat ? "slows down" : "turning", { kind: "k" });
  dials += text(248, 276, nu > 0.95 ? "learned first" : "turning", { kind: "v" });
  let hill = axes(q, {
    xlabel: "κ, alignment of k with k*",
    ylabel: "weight of the informative token",
    xticks: [0, 0.5, 1],
    yticks: [0, 0.5, 1],
  });
  hill += graph(q, evenly(0, 1, 50), "other", (x) => [x, meanWeight(x, LAM)]);
  const [dx, dy] = [q.X(1) - q.X(0), (q.Y(0) - q.Y(1)) * slope].map(
    (x, _, both) => (42 * x) / Math.hypot(...both),
  );
  const [x, y] = [q.X(kappa), q.Y(weight)];
  hill += hand(x, y, 46, Math.atan2(dy, dx), "k") + marker("dot", x, y, 7, "k");
  const [why, so] = flat
    ? ["flat: a larger κ hardly adds weight,", "so k slows down"]
    : ["steep: a larger κ adds weight,", "so k moves fast"];
  hill += textTo(q.X(0.98), q.Y(0.3), why) + textTo(q.X(0.98), q.Y(0.3) + 17, so, "k strong");
  const told = `κ = ${fixed(kappa)}, ν = ${fixed(nu)}`;
  const caption = !course
    ? "The learner does not know k* and v*. It starts with k and v nearly orthogonal to them, and gradient descent turns both."
    : nu < 0.95
      ? `v turns first: a small κ already gives the informative token the weight ${fixed(weight)}, which is enough to learn v.`
      : !flat
        ? `v is close to v*, although κ = k·k* is only ${fixed(kappa)}.`
        : `v is close to v*. At the weight ${fixed(weight)}, erf is flat, so a larger κ hardly lowers the risk, and k slows down.`;
  const [last, end] = [one.rows[i], one.at[i]];
  return {
    panels: [dials, hill],
    labels: [
      `Two dials with the arrows k and v, which turn toward k* and v*. Step ${count(step)}: ${told}.`,
      `The weight of the informative token against κ, a curve that rises steeply and then is nearly flat. The dot is at κ = ${fixed(kappa)}, weight ${fixed(weight)}.`,
    ],
    names: ["directions", "weight"],
    caption,
    figures: { step: end, kappa: last[0], nu: last[1], ahead: last[1] > last[0] ? "v" : "k" },
    tab: part > 0.3 ? 1 : 0,
    link: `invariant_manifold.html#landscape:lam=${LAM}&kappa0=${START[0]}&nu0=${START[1]}`,
    invites: "follow this run on the landscape",
  };
}

function theoremScene(part, { many: runs = [], pair = [] }) {
  const [first, second] = [even(part, 0.06, 0.48), even(part, 0.5, 0.94)];
  const p = plane({ ...STAGE, xs: [-1, 1], ys: [-1, 1] });
  const ground = square(p, "κ, alignment of k with k*", "ν, alignment of v with v*");
  const stars = [-1, 1].map((s) => marker("star", p.X(s), p.Y(s), 9, "oracle")).join("");
  let many = overLeft(p, "starts on M, spread over the square");
  many += ground;
  let there = 0; // the number of runs within 0.1 of a corner in both overlaps
  for (const run of runs) {
    there += reached(run, first).row.every((x) => Math.abs(x) > 0.9);
    const up = run.rows[run.rows.length - 1][0] > 0;
    many += trail(run, first, p, [0, 1], up ? "oracle" : "text");
  }
  many += stars;
  let two = overLeft(p, "two ordered starts: b has the larger κ and ν");
  two += ground;
  const both = pair.length === 2 ? pair : ORDERED.map(resting);
  const seen = both.map((run) => reached(run, second).row);
  const [[x1, y1], [x2, y2]] = seen.map(([x, y]) => [p.X(x), p.Y(y)]);
  const [wide, tall] = [x2 - x1, y1 - y2].map((side) => Math.max(side, 0.1));
  two += rectangle(x1, y2, wide, tall, "band informative");
  two += line(x1, y1, x2, y1, "dash other") + line(x2, y1, x2, y2, "dash other");
  two += stars;
  pair.forEach((run, i) => (two += trail(run, second, p, [0, 1], i ? "oracle" : "text")));
  two += text(x1 + (x1 > 70 ? -12 : 14), y1 + (x1 > 70 ? 5 : -6), "a", { kind: "strong on" });
  two += text(x2 + (x2 < 310 ? 12 : -14), y2 + (x2 < 310 ? 5 : 16), "b", {
    kind: "oracle strong on",
  });
  const caption = !second
    ? `For pairs (k, v) in a special set M, the risk depends only on κ and ν. Each run here converges to (1, 1) or to (−1, −1), the same solution up to sign. So far, ${there} of ${runs.length} runs are close.`
    : second < 0.7
      ? `Why? Every step preserves order: b starts to the upper right of a and stays there; it is now ahead by ${fixed(seen[1][0] - seen[0][0])} in κ and ${fixed(seen[1][1] - seen[0][1])} in ν. So one decreasing line separates the two outcomes.`
      : "Theorem 5 of the paper: from almost every start on M, with constant λ, small steps and d ≥ 4, descent recovers the teacher, up to sign.";
  const { i: end } = reached(both[1], second);
  const last = both[1].rows[end];
  return {
    panels: [many, two],
    labels: [
      `The square of κ and ν with ${runs.length} runs of descent. Each run converges to the corner (1, 1) or to the corner (−1, −1).`,
      `Two runs whose starts are ordered. b stays to the upper right of a: a is at κ ${fixed(seen[0][0])}, ν ${fixed(seen[0][1])}, b at κ ${fixed(seen[1][0])}, ν ${fixed(seen[1][1])}.`,
    ],
    names: ["all starts", "two starts"],
    caption,
    figures: { step: both[1].at[end], kappa: last[0], nu: last[1] },
    tab: part >= 0.49 ? 1 : 0,
    link: `pgd_convergence.html#landscape:kappa0=${ORDERED[1][0]}&nu0=${ORDERED[1][1]}`,
    invites: "see the dividing line",
  };
}

const COLORS = ["other", "oracle", "swapped"]; // undecided, recovered the teacher, swapped

function drawStarts(runs, part, words) {
  const p = plane({ ...STAGE, xs: [-1, 1], ys: [-1, 1] });
  let svg = overLeft(p, words, "strong");
  svg += square(p, "ν = v·v* (correct)", "η = k·v* (wrong)");
  svg +=
    line(p.X(-1), p.Y(0), p.X(1), p.Y(0), "grid") + line(p.X(0), p.Y(-1), p.X(0), p.Y(1), "grid");
  svg += corners(p);
  const counts = [0, 0, 0];
  for (const run of runs) {
    const end = ending(...run.rows[reached(run, part).i]);
    counts[end]++;
    svg += trail(run, part, p, [4, 1], COLORS[end]);
  }
  svg += textTo(p.X(0.96), p.Y(0) - 14, "teacher", "oracle strong on");
  svg += textFrom(p.X(0) + 12, p.Y(1) + 18, "swapped", "swapped strong on");
  return { svg, counts };
}

function randomScene(part, { erf = [], softmax = [] }) {
  const [first, second] = [even(part, 0.06, 0.46), even(part, 0.52, 0.88)];
  const [a, b] = [
    drawStarts(erf, first, "erf attention, 30 random starts"),
    drawStarts(softmax, second, "softmax, the same starts"),
  ];
  const caption = !first
    ? "M depends on the unknown k* and v*, so a learner cannot choose a start on it. For a random start, the inner products of k and v with each other and with k* and v* are small."
    : !second
      ? `With erf attention, ${a.counts[1]} of ${RUNS.many} runs have recovered the teacher (k*, v*), up to sign. Another ${a.counts[2]} have swapped: k is near v* instead of k*, up to sign.`
      : b.counts[1] < RUNS.many
        ? `With softmax, ${b.counts[1]} of ${RUNS.many} runs from the same starts have recovered the teacher.`
        : `Softmax: all ${RUNS.many} runs recover the teacher, and none swaps. For small λ and large d, this is a theorem (not in the paper).`;
  return {
    panels: [a.svg, b.svg],
    labels: [
      `Thirty runs with erf attention in the plane of ν and η: ${a.counts[1]} have recovered the teacher, ${a.counts[2]} are swapped.`,
      `The same thirty starts with softmax attention: ${b.counts[1]} have recovered the teacher, ${b.counts[2]} are swapped.`,
    ],
    names: ["erf", "softmax"],
    caption,
    figures: {
      step: erf.length ? erf[0].at[reached(erf[0], first).i] : 1,
      erf: a.counts[1],
      swapped: a.counts[2],
      softmax: b.counts[1],
    },
    tab: part >= 0.5 ? 1 : 0,
    link: `laboratory.html#laboratory:L=2&lam0=${RUNS.lam}&steps=${RUNS.steps}&alpha=${RUNS.alpha}&seed=${RUNS.seed}`,
    invites: "change d, L and λ in the laboratory",
  };
}
