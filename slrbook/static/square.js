// The squares of two overlaps, with their contents.
const square = (p, xlabel, ylabel) =>
  axes(p, { xlabel, ylabel, xticks: [-1, 0, 1], yticks: [-1, 0, 1], gap: 12 });

// The square of κ and ν on M, with its fixed points.
function squareOfM(p) {
  let svg = square(p, "κ, alignment of k with k⋆", "ν, alignment of v with v⋆");
  for (const s of [-1, 1])
    svg +=
      marker("star", p.X(s), p.Y(s), 8, "oracle") + marker("square", p.X(s), p.Y(-s), 6, "maximum");
  svg += textTo(p.X(1) - 8, p.Y(1) + 24, "(k⋆, v⋆)", "on");
  svg += textFrom(p.X(-1) + 12, p.Y(-1) - 15, "(−k⋆, −v⋆)", "on");
  return svg + marker("cross", p.X(0), p.Y(0), 5, "saddle");
}

// A run on M in this square, with hints; its end has the teacher's color if recovered.
function runOnM(p, path, recovered) {
  const [, kappa, nu] = path[path.length - 1];
  return (
    squareOfM(p) +
    graph(p, path, "path", ([, kappa, nu]) => [kappa, nu]) +
    marker("dot", p.X(kappa), p.Y(nu), 5, recovered ? "oracle" : "text") +
    overLeft(p, "drag the ring") +
    overRight(p, "★ lowest  ✕ saddle  ■ highest risk")
  );
}

// Axes against the fraction of the steps; `named` formats the heights.
const axesOfSteps = (p, steps, ylabel, yticks, named) =>
  axes(p, {
    xlabel: "steps of descent",
    ylabel,
    xticks: [0, 0.5, 1],
    yticks,
    show: (v, axis) => (axis === "x" ? count(v * steps) : named(v)),
  });

// The ends of runs in the square of ν and η: at the teacher, or swapped.
const corners = (p) =>
  [-1, 1]
    .map(
      (s) =>
        marker("star", p.X(s), p.Y(0), 8, "oracle") +
        marker("diamond", p.X(0), p.Y(s), 7, "swapped"),
    )
    .join("");

// The states of a run, the most frequent one first: color and marker.
const ENDS = {
  "recovered the teacher": ["oracle", "star"],
  swapped: ["swapped", "diamond"],
  tilted: ["tilted", "triangle"],
  "on the plateau": ["v", "dot"],
  undecided: ["other", "dot"],
};
