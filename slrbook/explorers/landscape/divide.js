// The line that divides the starts by the pair at which they recover the teacher.

// One step back. Below the certified size a step is the identity plus a contraction, so a
// fixed-point iteration finds the angles that the step maps to these.
function back(phi, psi, alpha, [lam, d, gamma]) {
  let [a, b] = [phi, psi];
  for (let i = 0; i < 200; i++) {
    const [x, y] = step(a, b, lam, alpha, d, gamma);
    [a, b] = [a + phi - x, b + psi - y];
    if (abs(phi - x) + abs(psi - y) < 1e-15) break;
  }
  return [a, b];
}

// The dividing line from the saddle to the maximum (1, -1); the other half is its mirror image. It
// decreases throughout, so once the backward steps reach nu = -1 it continues along that edge.
let divide = {};
function* divided(values, alpha) {
  const setting = settingOf(values);
  const key = `${setting} ${alpha}`;
  if (divide.key === key) return;
  const [down, up] = rates(...setting);
  const size = 1e-4 / hypot(up, Math.sqrt(-down * up));
  let [phi, psi] = [Math.PI / 2 - size * up, Math.PI / 2 + size * Math.sqrt(-down * up)];
  const points = [[0, 0]];
  const most = max(30_000, 20 / (alpha * up)); // runs leave the saddle at the rate alpha * up
  for (let t = 0; t < most && phi > 0.04; t++) {
    const [a, b] = points[points.length - 1];
    const [kappa, nu] = [cos(phi), cos(psi)];
    if (hypot(kappa - a, nu - b) > 4e-3) points.push([kappa, nu]);
    [phi, psi] = back(phi, psi, alpha, setting);
    if (t % 200 === 0) yield;
  }
  points.push([1, -1]);
  divide = { key, points };
}

// The distance of a point from the segment between two others.
function off([x, y], [a, b], [c, d]) {
  const size = hypot(c - a, d - b) || 1;
  const along = clamp(((x - a) * (c - a) + (y - b) * (d - b)) / size, 0, size) / size;
  return hypot(x - a - along * (c - a), y - b - along * (d - b));
}

// The vertex of the line nearest to the start, the distance of the line, and its normal direction.
// The maximum is excluded, because it is a fixed point.
function nearest({ kappa0, nu0 }) {
  const { points } = divide;
  const flip = kappa0 < nu0 ? -1 : 1;
  const start = [flip * kappa0, flip * nu0];
  const gap = min(...points.slice(1).map((to, j) => off(start, points[j], to)));
  const gaps = points.slice(0, -1).map(([kappa, nu]) => hypot(start[0] - kappa, start[1] - nu));
  const i = gaps.indexOf(min(...gaps));
  const [[a, b], [c, d]] = [points[i ? i - 1 : 0], points[i || 1]];
  const size = hypot(c - a, d - b);
  const at = points[i].map((x) => flip * x);
  const across = [(b - d) / size, (c - a) / size]; // upward
  const above = (kappa0 - at[0]) * across[0] + (nu0 - at[1]) * across[1] > 0;
  return { gap, at, across, above };
}

// A start on the line, or at distance `hair` from it on the other side.
function onto(values, hair) {
  if (!divide.points) return {};
  const { at, across, above } = nearest(values);
  const [kappa0, nu0] = at.map((x, i) => x + (above ? -hair : hair) * across[i]);
  return { kappa0, nu0 };
}
