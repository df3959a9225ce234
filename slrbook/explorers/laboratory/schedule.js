// The schedule of lam, with the levels above which a pair is not a minimum.

// Where the true and the swapped pair cease to be minima; nonexistent levels are left out.
function levelsOf({ d, L, gamma }, memo) {
  const level = (f) => root((lam) => f(lam, d, L, gamma), 0.1 * d ** -0.5, 20);
  return kept(memo, "levels", [d, L, gamma], () =>
    Object.entries({ λ_c: level(stability), λ_sw: level(determinant) }).filter(
      ([, lam]) => lam < 20,
    ),
  );
}

// The schedule with its levels, over its full range.
function drawSchedule(frame, values, rows, row, levels, kept, time, sized) {
  const { steps, lam0 } = values;
  const inSight = [lam0, lamAt(values, steps), ...levels.map(([, lam]) => lam)].map(Math.log10);
  const low = Math.floor(Math.min(...inSight) - 0.05);
  const high = Math.ceil(Math.max(...inSight) + 0.05);
  const p = plane({ ...frame, ys: [low, high] });
  const up = (lam) => p.Y(clamp(Math.log10(lam), low, high));
  let svg = axes(p, {
    ...time,
    ylabel: "λ",
    yticks: evenly(low, high, high - low),
    show: sized((v) => written(10 ** v)),
  });
  const ends = levels.map(([name, lam]) => {
    const kind = name === "λ_c" ? "tilted" : "swapped";
    svg += line(p.left, up(lam), p.end, up(lam), `dash ${kind}`);
    return [up(lam), `${name} ${lam.toPrecision(3)}`, kind];
  });
  const track = (rows) => rows.map(({ t, lam }) => [p.X(t / steps), up(lam)]);
  svg += curve(track(rows), "text");
  if (kept) svg += curve(track(rowsTo(kept, steps)), "dots other");
  return svg + atRight(p, [...ends, [up(rows[rows.length - 1].lam), `λ ${written(row.lam)}`, ""]]);
}
