// The excess risk along two lines of M. docs/explorers.md lists the members of `explorer`.
// 340 units wide, as in all explorers, so that labels are large enough on a phone.
const BOX = { width: 340, height: 300, left: 52, right: 14, top: 20, bottom: 44, xs: [-1, 1] };
const GRID = Array.from({ length: 81 }, (_, i) => i / 40 - 1);
const SIGNS = { kappa: "κ", nu: "ν" };

// One panel: the risk against the overlap `name`, with the other one fixed.
function panel(values, name) {
  const at = (x) => {
    const { kappa, nu, lam } = { ...values, [name]: x };
    return risk(kappa, nu, lam);
  };
  const heights = GRID.map(at);
  const most = Math.max(...heights);
  const p = plane({ ...BOX, ys: [0, 1.1 * most] });
  // Classes set the colors of the book: k, v, and gray for the grid.
  const svg =
    axes(p, {
      xlabel: SIGNS[name],
      ylabel: "excess risk",
      xticks: [-1, 0, 1],
      yticks: [0, most],
      show: (value, axis) => (axis === "x" ? fixed(value, 0) : written(value, 2)),
    }) +
    line(p.X(values[name]), p.top, p.X(values[name]), p.height - p.bottom, "grid") +
    curve(
      heights.map((y, i) => [p.X(GRID[i]), p.Y(y)]),
      name === "kappa" ? "path k" : "path v",
    ) +
    marker("dot", p.X(values[name]), p.Y(at(values[name])), 5, "here");
  return { svg, range: most - Math.min(...heights) };
}

const explorer = {
  panels: [plane({ ...BOX, ys: [0, 1] }), plane({ ...BOX, ys: [0, 1] })],
  names: ["along κ", "along ν"], // the tabs on a phone
  // The button of the first action; `actions` of the picture holds its label.
  actions: [() => ({ kappa: 1, nu: 1 })],
  first: 0,

  python: ({ kappa, nu, lam }) => ({ kappa, nu, lam }),

  draw(values) {
    const [kappa, nu] = ["kappa", "nu"].map((name) => panel(values, name));
    const excess_risk = risk(values.kappa, values.nu, values.lam);
    const more = kappa.range > nu.range ? "κ" : "ν";
    // Screen readers read the label of a panel.
    const label = (name, { range }) =>
      `The excess risk against ${SIGNS[name]}, with the other overlap fixed: it changes by ${written(range, 2)} along this line.`;
    return {
      panels: [kappa.svg, nu.svg],
      labels: [label("kappa", kappa), label("nu", nu)],
      actions: ["go to the teacher"],
      reading: `More on ${more}: along κ the excess risk changes by ${written(kappa.range, 2)}, along ν by ${written(nu.range, 2)}.`,
      figures: { excess_risk },
    };
  },
};
