// The schedule of lam, with the levels at which a pair ceases to be a minimum.

// Where the true and the swapped pair cease to be minima; a level that does not exist is left out.
function levelsOf({ d, L, gamma }, memo) {
  const key = [d, L, gamma].join();
  if (memo.levels?.key === key) return memo.levels.all;
  const all = [
    ["λc", stability],
    ["λsw", determinant],
  ]
    .map(([name, f]) => [name, root((lam) => f(lam, d, L, gamma), 0.1 * d ** -0.5, 20)])
    .filter(([, lam]) => lam < 20);
  memo.levels = { key, all };
  return all;
}

// The frame of the schedule with its levels, and the height of a lam; all of it is in sight.
function scheduleOf(s, values, levels, time, named) {
  const inSight = [values.lam0, lamAt(values, values.steps), ...levels.map(([, lam]) => lam)].map(
    Math.log10,
  );
  const [low, high] = [
    Math.floor(Math.min(...inSight) - 0.05),
    Math.ceil(Math.max(...inSight) + 0.05),
  ];
  const place = (lam) => (Math.log10(lam) - low) / (high - low);
  const level = (lam) => s.Y(place(lam));
  const powers = Array.from({ length: high - low + 1 }, (_, i) => low + i);
  let svg = axes(s, {
    ...time,
    yticks: powers.map((power) => place(10 ** power)),
    show: named((v) => written(10 ** (low + Math.round(v * (high - low))))),
  });
  const sorted = [...levels].sort(([, a], [, b]) => b - a);
  const right = SIZE.width - s.right;
  apart(
    sorted.map(([, lam]) => level(lam)),
    SIZE.top + 4,
    SIZE.height - SIZE.bottom,
  ).forEach((y, i) => {
    const [name, lam] = sorted[i];
    const kind = name === "λc" ? "tilted" : "swapped";
    svg +=
      line(s.left, level(lam), right, level(lam), `dash ${kind}`) +
      line(right, level(lam), right + 6, y, kind);
    svg += text(right + 9, y + 4, `${name} ${lam.toPrecision(3)}`, { anchor: "start", kind });
  });
  return [svg, level];
}
