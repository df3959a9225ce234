// The pieces of a curve inside the frame, cut where it leaves.
function inside(points, low, high) {
  const pieces = [];
  for (let i = 1, open = false; i < points.length; i++) {
    const [[x1, y1], [x2, y2]] = [points[i - 1], points[i]];
    const at = (edge) => (y1 === y2 ? (edge - y1) * Infinity : (edge - y1) / (y2 - y1));
    const ends = [at(low), at(high)].sort((a, b) => a - b);
    const [from, to] = [Math.max(ends[0], 0), Math.min(ends[1], 1)];
    const point = (t) => [x1 + t * (x2 - x1), y1 + t * (y2 - y1)];
    if (from < to) {
      if (!open || from > 0) pieces.push([point(from)]);
      pieces[pieces.length - 1].push(point(to));
    }
    open = from < to && to === 1;
  }
  return pieces;
}
