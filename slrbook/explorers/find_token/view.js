// Find the token: ten lengths, one choice; then the same tokens along k* and v*.
const { makeRandom, plane, text, line, bar, marker, axes, clamp } = slr;
const { d, L, rounds, ceiling } = SPEC.constants;
const BARS = { width: 340, height: 310, left: 46, right: 12, top: 30, bottom: 44, xs: [0.5, L + 0.5] };
const PLANE = { width: 340, height: 310, left: 46, right: 12, top: 30, bottom: 44, ys: [-4, 4] };

// The tokens of one round, in law: no vector of dimension d is made.
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
  const i = clamp(gammas.findIndex((g) => g >= gamma - 1e-6), 1, gammas.length - 1);
  const part = clamp((gamma - gammas[i - 1]) / (gammas[i] - gammas[i - 1]), 0, 1);
  return rates[i - 1] + part * (rates[i] - rates[i - 1]);
}

// What was chosen in this game so far; a new game, or its first round undone, forgets it.
function record({ seed, gamma, round, guess }, memo) {
  const key = `${seed} ${gamma}`;
  if (memo.key !== key || (round === 1 && !guess)) Object.assign(memo, { key, guesses: {} });
  if (guess) memo.guesses[round] = guess;
  return Object.entries(memo.guesses).map(([past, choice]) => {
    const { place, tokens } = sequence(seed, +past, gamma);
    return { round: +past, tokens, found: choice === place + 1 };
  });
}

const explorer = {
  panels: [plane({ ...BARS, ys: [0, 1] }), plane({ ...PLANE, xs: [0, 1] })],
  still: { guess: 5 },
  choices: {
    panel: 0,
    label: "the tokens: choose one",
    choose: (i, { guess }) => (guess ? {} : { guess: i + 1 }),
  },
  actions: [
    ({ round, seed }) => (round < rounds ? { round: round + 1, guess: 0 } : { seed: (seed + 1) % 10000, round: 1, guess: 0 }),
  ],

  draw(values, _, memo) {
    const { seed, round, guess, gamma } = values;
    const played = record(values, memo);
    const found = played.filter((game) => game.found).length;
    const { place, tokens } = sequence(seed, round, gamma);
    const open = guess > 0;
    const typical = Math.sqrt(d);
    const expected = Math.sqrt(d / 2 + gamma ** 2 * d);

    const p = plane({ ...BARS, ys: [Math.min(17.4, expected - 2.6), Math.max(22.6, expected + 2.6)] });
    const width = 0.56 * (p.X(2) - p.X(1));
    let lengths = line(p.left, p.Y(typical), p.width - p.right, p.Y(typical), "grid");
    lengths += axes(p, { xlabel: "token", ylabel: "|X|, length", xticks: tokens.map((_, l) => l + 1), yticks: [18, 20, 22, 24, 26, 28, 30, 32].filter((y) => y > p.ys[0] && y < p.ys[1]) });
    tokens.forEach(({ length, informative }, l) => {
      const x = p.X(l + 1);
      lengths += bar(x, width, p.Y(typical), p.Y(length), `bar ${open && informative ? "informative" : "other"}`);
      const up = length >= typical;
      if (open && informative) lengths += marker("ring", x, p.Y(length) + (up ? -10 : 10), 5, "informative");
      if (guess === l + 1) lengths += text(x, up ? p.Y(typical) + 16 : p.Y(typical) - 6, "you", { kind: "strong" });
    });
    const prompt = open ? (guess === place + 1 ? "found" : `it was token ${place + 1}`) : "choose a token";
    lengths += text(p.left, 18, `round ${round} of ${rounds}: ${prompt}`, { anchor: "start" });

    const signal = Math.sqrt(d / 2);
    const q = plane({ ...PLANE, xs: [-4.5, signal + 4.5] });
    let seen = axes(q, { xlabel: "X·k*, along the direction to look", ylabel: "X·v*, what to read", xticks: [0, 5, 10, 15], yticks: [-3, 0, 3], show: (v) => String(v).replace("-", "−") });
    seen += line(q.left, q.Y(0), q.width - q.right, q.Y(0), "grid");
    const dots = (tokens, faint) => {
      for (const { s, t, informative } of tokens) {
        const [x, y] = [q.X(s), q.Y(clamp(t, ...q.ys))];
        seen += marker("dot", x, y, informative ? 4 : 3, (informative ? "informative" : "other") + faint);
        if (informative) seen += marker("ring", x, y, 8, "informative" + faint);
      }
    };
    for (const game of played) if (game.round !== round) dots(game.tokens, " faint");
    if (open) dots(tokens, "");
    else if (!played.length) seen += text((q.left + q.width - q.right) / 2, q.Y(1), "after your choice:");
    if (!open && !played.length) seen += text((q.left + q.width - q.right) / 2, q.Y(1) + 20, "the same tokens, seen along k*");
    seen += text(q.left, 18, "the same tokens along k* and v*", { anchor: "start" });

    const n = played.length;
    const best = ceilingAt(gamma);
    const rivals = `Chance finds ${(1 / L).toFixed(2)}, the best rule that sees only lengths ${best.toFixed(3)}, X·k* nearly always.`;
    const score = n ? ` You found ${found} of ${n}.` : "";
    const said = !open ? "Which token is the informative one? Choose by length." : guess === place + 1 ? `Token ${guess} it was!` : `Not token ${guess}: it was token ${place + 1}.`;
    const heights = tokens.map(({ length }) => length.toFixed(1)).join(", ");
    return {
      panels: [lengths, seen],
      labels: [
        `The lengths of ${L} tokens as bars: ${heights}. ${open ? `Token ${place + 1} is the informative one.` : ""}`,
        open ? `The tokens in the plane of X·k* and X·v*: the informative one stands alone near X·k* = ${tokens[place].s.toFixed(1)}, all others lie around zero.` : "The plane of X·k* and X·v*; the tokens of this round appear after a choice.",
      ],
      choices: tokens.map(({ length }, l) => ({
        pressed: guess === l + 1,
        label: `token ${l + 1}, length ${length.toFixed(1)}${open && l === place ? ", the informative one" : ""}`,
      })),
      actions: [round < rounds ? "next sequence" : "play again"],
      reading: `${said}${score} ${rivals}`,
      figures: {
        round, guess, answer: open ? place + 1 : 0, found, played: n, chance: 1 / L, ceiling: best,
        lengths: tokens.map(({ length }) => length),
        ...(open && { scores: tokens.map(({ s }) => s), values: tokens.map(({ t }) => t) }),
      },
    };
  },
};
