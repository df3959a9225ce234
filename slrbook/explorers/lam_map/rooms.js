// Where on the map a name has room: [name, place, half its width, distance to the next line].
const rooms = { columns: null, low: 0, all: [] };
function roomsOf(p, values) {
  if (rooms.columns === keep.columns && rooms.low === p.ys[0]) return rooms.all;
  Object.assign(rooms, { columns: keep.columns, low: p.ys[0], all: [] });
  const Xs = keep.columns.map(([place]) => p.X(place));
  const heights = keep.columns.map(([, at]) => KEYS.map((key) => p.Y(log10(at[key]))));
  // How far a line is, above or below, between two columns.
  const gaps = (y) =>
    heights
      .slice(1)
      .map((next, j) =>
        Math.min(
          ...next
            .map((b, k) =>
              ((a) => Math.max(Math.min(a, b) - y, y - Math.max(a, b), 0))(heights[j][k]),
            )
            .filter((gap) => gap === gap),
        ),
      );
  for (let y = p.top + 12; y < p.height - p.bottom - 8; y += 12) {
    const gap = gaps(y);
    keep.columns.forEach(([place, at], i) => {
      if (!(gap[i] > 11)) return;
      const [name] = regime(10 ** p.y(y), at, { ...values, d: 10 ** place });
      const half = 3.1 * name.length + 6;
      const inside = Xs[i] - half > p.left && Xs[i] + half < p.width - p.right;
      const near = Math.min(
        ...gap.filter((_, j) => Xs[j + 1] > Xs[i] - half && Xs[j] < Xs[i] + half),
      );
      if (inside && near > 11) rooms.all.push([name, Xs[i], y, half, near]);
    });
  }
  return rooms.all;
}
