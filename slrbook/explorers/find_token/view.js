// Find the token: a choice by length, a choice along k*, the answer; after ten rounds the score.
const { d, L, rounds, ceiling } = SPEC.constants;
const BOX = { width: 340, height: 310, left: 46, right: 12, top: 30, bottom: 44 };
const BARS = { ...BOX, xs: [0.5, L + 0.5] };
const PLANE = { ...BOX, ys: [-4, 4] };

// The tokens of one round, with the distribution of the task; no vector in R^d is generated.
function sequence(seed, round, gamma) {
  const random = makeRandom(100 * seed + round);
  const place = random.below(L);
  const tokens = Array.from({ length: L }, (_, l) => {
    const draws = [random.normal(), random.normal(), random.chi2(d - 2)];
    const [s, t, length] = token(...draws, l === place ? 1 : 0, gamma, d);
    return { s, t, length, informative: l === place };
  });
  return { place, tokens };
}

function ceilingAt(gamma) {
  const { gammas, rates } = ceiling;
  const [i, part] = placeAmong(gammas, gamma);
  return rates[i] + part * (rates[i + 1] - rates[i]);
}

// The choices made in this game so far; a new game, or undoing its first round, clears them.
function record({ seed, gamma, round, guess, look }, memo) {
  const key = `${seed} ${gamma}`;
  if (memo.key !== key || (round === 1 && !guess)) Object.assign(memo, { key, chosen: {} });
  if (guess && look) memo.chosen[round] = [guess, look];
  return Object.entries(memo.chosen).map(([past, chosen]) => {
    const { place, tokens } = sequence(seed, +past, gamma);
    const [found, seen] = chosen.map((token) => token === place + 1);
    const highest = Math.max(...tokens.map(({ s }) => s));
    return { round: +past, tokens, found, seen, best: tokens[place].s === highest };
  });
}

// The first choice: bars for the lengths, starting at the typical length.
function drawLengths({ tokens, place }, { gamma, guess, round }, open) {
  const typical = Math.sqrt(d);
  const expected = Math.sqrt(d / 2 + gamma ** 2 * d);
  const ys = [Math.min(17.4, expected - 2.6), Math.max(22.6, expected + 2.6)];
  const p = plane({ ...BARS, ys });
  const width = 0.56 * (p.X(2) - p.X(1));
  let svg = line(p.left, p.Y(typical), p.end, p.Y(typical), "grid");
  svg += axes(p, {
    xlabel: "token",
    ylabel: "|X|, length",
    xticks: tokens.map((_, l) => l + 1),
    yticks: [18, 20, 22, 24, 26, 28, 30, 32].filter((y) => y > p.ys[0] && y < p.ys[1]),
  });
  tokens.forEach(({ length, informative }, l) => {
    const [x, up, told] = [p.X(l + 1), length >= typical, open && informative];
    svg += bar(x, width, p.Y(typical), p.Y(length), `bar ${told ? "informative" : "other"}`);
    if (told) svg += marker("ring", x, p.Y(length) + (up ? -10 : 10), 5, "informative");
    if (guess === l + 1)
      svg += text(x, up ? p.Y(typical) + 16 : p.Y(typical) - 6, "you", { kind: "strong" });
  });
  const prompt = open
    ? `token ${place + 1} was informative`
    : guess
      ? "you chose by length"
      : "click the bar you choose";
  const kind = guess ? "" : "strong";
  return svg + overLeft(p, `round ${round} of ${rounds}: ${prompt}`, kind);
}

// The second choice: the components of the same tokens along k*, after the first choice.
function drawLooks({ tokens }, signal, guess) {
  const p = plane({ ...BARS, ys: [-4.5, signal + 4.5] });
  let svg = line(p.left, p.Y(0), p.end, p.Y(0), "grid");
  svg += axes(p, {
    xlabel: "token",
    ylabel: "X·k*, component along k*",
    xticks: tokens.map((_, l) => l + 1),
    yticks: [0, 5, 10, 15],
  });
  if (!guess) return svg + overLeft(p, "the same tokens, after your choice");
  tokens.forEach(
    ({ s }, l) => (svg += bar(p.X(l + 1), 0.56 * (p.X(2) - p.X(1)), p.Y(0), p.Y(s), "bar other")),
  );
  return svg + overLeft(p, "the same tokens: click again", "strong");
}

// The answer: this and earlier rounds in the plane of k* and v*.
function drawPlane(rows, now, signal) {
  const q = plane({ ...PLANE, xs: [-4.5, signal + 4.5] });
  let svg = axes(q, {
    xlabel: "X·k*, component along k*",
    ylabel: "X·v*, component along v*",
    xticks: [0, 5, 10, 15],
    yticks: [-3, 0, 3],
  });
  svg += line(q.left, q.Y(0), q.end, q.Y(0), "grid");
  for (const { round, tokens } of rows) {
    const faint = round === now ? "" : " faint";
    for (const { s, t, informative } of tokens) {
      const [x, y] = [q.X(clamp(s, ...q.xs)), q.Y(clamp(t, ...q.ys))];
      const [kind, size] = informative ? ["informative", 4] : ["other", 3];
      svg += marker("dot", x, y, size, kind + faint);
      if (informative) svg += marker("ring", x, y, 8, kind + faint);
    }
  }
  return svg + overLeft(q, "the same tokens along k* and v*", "");
}

const times = (n) => `${n} of ${rounds}`;

const explorer = {
  panels: [plane({ ...BARS, ys: [0, 1] }), plane({ ...PLANE, xs: [0, 1] })],
  names: ["lengths", "along k*"],
  choices: [
    {
      panel: 0,
      label: "the tokens by length: choose one",
      choose: (i, { guess }) => (guess ? {} : { guess: i + 1 }),
    },
    {
      panel: 1,
      label: "the tokens along k*: choose one",
      choose: (i, { guess, look }) => (!guess || look ? {} : { look: i + 1 }),
    },
  ],
  actions: [
    ({ round, seed }) =>
      round < rounds
        ? { round: round + 1, guess: 0, look: 0 }
        : { seed: (seed + 1) % 10000, round: 1, guess: 0, look: 0 },
  ],

  python({ seed, round, gamma }) {
    const { tokens } = sequence(seed, round, gamma);
    return { tokens: listed(tokens.map(({ s, t, length }) => listed([s, t, length]))) };
  },

  draw(values, _, memo) {
    const { seed, round, guess, look, gamma } = values;
    const played = record(values, memo);
    const [found, seen, best] = ["found", "seen", "best"].map(
      (name) => played.filter((game) => game[name]).length,
    );
    const now = sequence(seed, round, gamma);
    const { place, tokens } = now;
    const open = guess > 0 && look > 0;
    const signal = Math.sqrt(d / 2);
    const right = open ? drawPlane(played, round, signal) : drawLooks(now, signal, guess);

    const n = played.length;
    const ceiling = ceilingAt(gamma);
    const over = n === rounds && open;
    const hit = (token) => (token === place + 1 ? "found it" : "missed it");
    let reading = "Click the bar of the token that you think is informative.";
    if (guess && !look)
      reading = `You chose token ${guess} by its length. Even the best rule based on lengths finds the informative token only with probability ${ceiling.toFixed(3)}. Now choose in the other panel, which shows the components along k*.`;
    if (open)
      reading = `Token ${place + 1} was informative: by length you ${hit(guess)}, along k* you ${hit(look)}. So far you have found ${found} of ${n} by length and ${seen} of ${n} along k*.`;
    if (over)
      reading = `By length you found ${times(found)}; the best rule that uses only lengths finds ${(rounds * ceiling).toFixed(1)} on average. Along k* you found ${times(seen)}; choosing the largest X·k* finds ${times(best)}.`;
    const heights = tokens.map(({ length }) => length.toFixed(1)).join(", ");
    const informative = (l) => (open && l === place ? ", the informative one" : "");
    return {
      panels: [drawLengths(now, values, open), right],
      labels: [
        `The lengths of ${L} tokens as bars: ${heights}. ${open ? `Token ${place + 1} is the informative one.` : ""}`,
        open
          ? `The tokens in the plane of X·k* and X·v*: the informative token is at X·k* = ${fixed(tokens[place].s, 1)}, and all others are near zero.`
          : guess
            ? `The same tokens along k* as bars: ${tokens.map(({ s }) => fixed(s, 1)).join(", ")}. Choose one of them.`
            : "After a choice by length, the same tokens appear here along k*.",
      ],
      choices: [
        tokens.map(({ length }, l) => ({
          off: guess > 0,
          pressed: guess === l + 1,
          label: `token ${l + 1}, length ${length.toFixed(1)}${informative(l)}`,
        })),
        tokens.map(({ s }, l) => ({
          off: !guess || look > 0,
          pressed: look === l + 1,
          label: `along k*: token ${l + 1}${guess ? `, ${fixed(s, 1)}` : ""}${informative(l)}`,
        })),
      ],
      tab: guess ? 1 : 0,
      actions: [round < rounds ? "next sequence" : "play again"],
      reading,
      figures: {
        round,
        guess,
        look,
        answer: open ? place + 1 : 0,
        found,
        seen,
        best,
        played: n,
        chance: 1 / L,
        ceiling,
        lengths: tokens.map(({ length }) => length),
        ...(guess && { scores: tokens.map(({ s }) => s) }),
        ...(open && { values: tokens.map(({ t }) => t) }),
      },
    };
  },
};
