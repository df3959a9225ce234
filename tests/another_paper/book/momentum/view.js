// The size of the error along each eigenvector, against the step.
const { curvatures, steps } = SPEC.constants;
const FLOOR = -8;
const size = { width: 520, height: 300, left: 60, right: 20, top: 24, bottom: 44 };

function errors(curvature, alpha, beta) {
  const found = [0];
  for (let t = 0, x = 1, before = 1; t < steps; t++) {
    [x, before] = [step(x, before, curvature, alpha, beta), x];
    found.push(Math.min(Math.max(Math.log10(Math.abs(x) + 1e-30), FLOOR), 2));
  }
  return found;
}

const explorer = {
  panels: [plane({ ...size, xs: [0, steps], ys: [FLOOR, 2] })],
  names: ["error against the step"],
  python: ({ alpha, beta }) => ({ alpha: fixed(alpha), beta: fixed(beta) }),
  draw({ alpha, beta }) {
    const [p] = explorer.panels;
    const lines = curvatures.map((curvature, i) => {
      const points = errors(curvature, alpha, beta).map((y, t) => [p.X(t), p.Y(y)]);
      return curve(points, i ? "k" : "v");
    });
    const worst = Math.max(...curvatures.map((curvature) => rate(curvature, alpha, beta)));
    const plain = Math.max(...curvatures.map((curvature) => rate(curvature, alpha, 0)));
    const verdict = worst >= 1 ? "No: descent diverges" : worst < plain ? "Yes" : "No";
    const frame = axes(p, {
      xlabel: "step",
      ylabel: "log10 of the error",
      xticks: [0, 100, 200],
      yticks: [-8, -4, 0],
    });
    return {
      panels: [frame + lines.join("")],
      labels: ["Two curves, one for each eigenvector."],
      reading: `${verdict}: the error shrinks by the factor ${fixed(worst, 3)} per step.`,
      figures: { worst, plain },
    };
  },
};
