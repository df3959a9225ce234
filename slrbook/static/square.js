// The square of the overlaps κ and ν on M: its axes and its fixed points.
function squareOfM(p) {
  let svg = axes(p, {
    xlabel: "κ, alignment of k with k⋆",
    ylabel: "ν, alignment of v with v⋆",
    xticks: [-1, 0, 1],
    yticks: [-1, 0, 1],
    gap: 12,
  });
  for (const s of [-1, 1])
    svg +=
      marker("star", p.X(s), p.Y(s), 8, "oracle") + marker("square", p.X(s), p.Y(-s), 6, "maximum");
  svg += text(p.X(1) - 8, p.Y(1) + 24, "(k⋆, v⋆)", { anchor: "end", kind: "on" });
  svg += text(p.X(-1) + 12, p.Y(-1) - 15, "(−k⋆, −v⋆)", { anchor: "start", kind: "on" });
  return svg + marker("cross", p.X(0), p.Y(0), 5, "saddle");
}
