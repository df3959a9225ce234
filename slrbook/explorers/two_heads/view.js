// Two heads: the contribution of each head to the output on each token, and the risk against L.
const SEEN = 10; // tokens drawn
const SIZE = { width: 340, height: 340, left: 58, top: 30, bottom: 44 };
const LS = [2, 100].map(Math.log10);
const lamOf = ({ a, d }) => a / Math.sqrt(d / 2);

// One random sequence: the components of its tokens along k* and v*, and the location.
function sequence({ seed, d, L, gamma }) {
  const random = makeRandom(seed);
  const place = random.below(Math.min(L, SEEN));
  return {
    place,
    tokens: Array.from({ length: L }, (_, l) =>
      token(random.normal(), random.normal(), 0, +(l === place), gamma, d),
    ),
  };
}

// Contributions of each head on each token: for heads (k*, -v*) and (v*, k*), or for one, (k*, v*).
function added(tokens, values) {
  const lam = lamOf(values);
  const first = tokens.map(([x, y]) => erfWeight(x, lam) * y);
  if (values.heads === 1) return [first];
  return [first.map((part) => -part), tokens.map(([x, y]) => erfWeight(y, lam) * x)];
}

// The lowest risk of one head, and the risk curves of one and two heads against L.
function bestOf(d, L, gamma) {
  const risk = (lam) => oneHead(lam, d, L, gamma);
  return risk(lowest(risk));
}
function curves(values, memo) {
  const { d, gamma } = values;
  const Ls = evenly(...LS, 24).map((power) => 10 ** power);
  const lam = lamOf(values);
  const best = kept(memo, "best", [d, gamma], () => Ls.map((L) => bestOf(d, L, gamma)));
  return [
    ["one head, this λ", "k dash", Ls.map((L) => oneHead(lam, d, L, gamma))],
    ["one head, best λ", "k", best],
    ["two heads", "text", Ls.map((L) => twoHeads(lam, d, L, gamma))],
  ].map(([name, kind, risks]) => [name, kind, risks.map((risk, i) => [Ls[i], risk])]);
}

function drawTokens({ tokens, place }, values) {
  const parts = added(tokens, values);
  const noise = parts.map((part) => sum(part) - part[place]);
  const shown = Math.min(values.L, SEEN);
  const columns = parts.map((part, h) => [...part.slice(0, shown), noise[h]]);
  const most = 1.12 * Math.max(0.5, ...[tokens[place][1], ...columns.flat()].map(Math.abs));
  const p = plane({ ...SIZE, right: 12, xs: [-0.8, shown + 1.8], ys: [-most, most] });
  const at = (l) => p.X(l < shown ? l : shown + 0.8);
  const wide = p.X(1) - p.X(0);
  const tall = p.foot - p.top;
  let svg = rectangle(at(place) - wide / 2, p.top, wide, tall, "band informative");
  svg += axes(p, {
    ylabel: "added to the output",
    yticks: [-2, -1, -0.5, 0, 0.5, 1, 2].filter((y) => Math.abs(y) < most),
  });
  svg += line(p.left, p.Y(0), p.end, p.Y(0), "axis");
  const kinds = parts.length > 1 ? ["k", "v"] : ["k"];
  for (let l = 0; l <= shown; l++) {
    const thin = (0.72 * wide) / parts.length;
    columns.forEach((column, h) => {
      const x = at(l) + (h - (parts.length - 1) / 2) * thin;
      svg += bar(x, thin, p.Y(0), p.Y(column[l]), `bar ${kinds[h]}`);
    });
    const y = p.Y(sum(columns.map((column) => column[l])));
    svg += line(at(l) - wide / 2, y, at(l) + wide / 2, y, "thick");
    if (l < shown) svg += text(at(l), p.foot + 17, l + 1);
  }
  // The label, to which the sum for the informative token should be equal.
  const label = tokens[place][1];
  const room = p.X(place) - 1.1 * wide - p.left > 80;
  const side = room && place >= shown / 2 ? -1 : 1;
  svg += line(at(place) - wide, p.Y(label), at(place) + wide, p.Y(label), "dash informative");
  const beside = side > 0 ? textFrom : textTo;
  const said = `label ${fixed(label)}`;
  svg += beside(at(place) + 1.1 * side * wide, p.Y(label) + 4, said, "informative on");
  svg += line(p.X(shown - 0.2), p.top, p.X(shown - 0.2), p.foot, "grid");
  svg += text(at(shown), p.foot + 17, "others");
  const few = values.L > SEEN ? `, the first ${SEEN} of ${count(values.L)}` : "";
  svg += text((p.left + at(shown - 1)) / 2, p.height - 6, `token${few}`, { kind: "name" });
  if (values.L > 2) svg += text(at(shown), p.height - 6, "in sum", { kind: "name" });
  svg += overLeft(p, parts.length > 1 ? "head 1" : "the head", "strong k");
  if (parts.length > 1) svg += textFrom(p.left + 56, 18, "head 2", "strong v");
  svg += textFrom(p.left + (parts.length > 1 ? 112 : 70), 18, "▬ sum", "strong");
  return { svg, noise: sum(noise), label: tokens[place][1], output: sum(parts.flat()) };
}

const explorer = {
  panels: [1, 0].map(() => plane({ ...SIZE, right: 12 })),
  names: ["one sequence", "risk against L"],
  first: 0,
  actions: [({ heads }) => ({ heads: 3 - heads }), ({ seed }) => ({ seed: (seed + 1) % 10000 })],

  draw(values, _, memo) {
    const { d, L, gamma } = values;
    const lam = lamOf(values);
    const [two, one] = [twoHeads, oneHead].map((risk) => risk(lam, d, L, gamma));
    const best = bestOf(d, L, gamma);
    const left = drawTokens(sequence(values), values);

    const drawn = curves(values, memo);
    const risks = drawn.flatMap(([, , points]) => points.map(([, risk]) => Math.log10(risk)));
    const [low, high] = [Math.min(-2, Math.floor(Math.min(...risks))), Math.max(0, ...risks)];
    const q = plane({ ...SIZE, right: 112, xs: LS, ys: [low, high + 0.15] });
    const across = (tokens) => q.X(Math.log10(tokens));
    const up = (risk) => q.Y(Math.log10(risk));
    let svg = axes(q, {
      xlabel: "L, tokens",
      ylabel: "excess risk",
      xticks: [LS[0], 1, 2],
      yticks: [-8, -7, -6, -5, -4, -3, -2, -1, 0, 1].filter((y) => y >= q.ys[0] && y <= q.ys[1]),
      show: (v, axis) => (axis === "x" ? count(10 ** v) : v > -3 ? written(10 ** v) : tenTo(v)),
    });
    svg += line(across(L), q.top, across(L), q.foot, "grid");
    for (const [, kind, points] of drawn)
      svg += graph(q, points, kind === "text" ? "path" : kind, (point) => point.map(Math.log10));
    const ends = drawn.map(([name, kind, points]) => {
      const [, risk] = points.at(-1);
      return [up(risk), name, kind === "text" ? "strong" : "k"];
    });
    svg += atRight(q, ends);
    svg +=
      marker("dot", across(L), up(two), 5, "text") + marker("dot", across(L), up(best), 5, "k");

    const yes = two < best;
    const reading = `${yes ? "Yes" : "No"}: two heads have excess risk ${written(two)}, and one head at its best λ has ${yes ? "" : "only "}${written(best)}.`;
    const { noise, label, output } = left;
    return {
      panels: [left.svg, svg],
      labels: [
        `What ${values.heads > 1 ? "two heads add" : "one head adds"} to the output on each of ${count(L)} tokens; the sum over the other tokens is ${fixed(noise)}. The output is ${fixed(output)}, the label ${fixed(label)}.`,
        `Excess risk against the number of tokens on logarithmic axes. At L = ${count(L)}: two heads ${written(two)}, one head ${written(one)}, at its best λ ${written(best)}.`,
      ],
      actions: [
        values.heads > 1 ? "show one head: the noise stays" : "show two heads: the noise cancels",
        "sample another sequence",
      ],
      reading,
      figures: { two, one, best, noise, output, label },
    };
  },
};
