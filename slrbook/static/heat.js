// Perceptually uniform from dark (low) to bright (high).
const RAMP = "440154 482878 3e4989 31688e 26828e 1f9e89 35b779 6ece58 b5de2b fde725"
  .split(" ")
  .map((hex) => [0, 2, 4].map((k) => parseInt(hex.slice(k, k + 2), 16)));

// A heat map as pixels, row by row from the top: {width, height, rgba}.
function heat(values, low, high) {
  const [height, width] = [values.length, values[0].length];
  const rgba = new Uint8ClampedArray(4 * width * height);
  values.forEach((row, j) =>
    row.forEach((value, i) => {
      const place = Math.min(Math.max((value - low) / (high - low), 0), 1) * (RAMP.length - 1);
      const k = Math.min(Math.floor(place), RAMP.length - 2);
      const at = 4 * (j * width + i);
      for (let c = 0; c < 3; c++)
        rgba[at + c] = RAMP[k][c] + (place - k) * (RAMP[k + 1][c] - RAMP[k][c]);
      rgba[at + 3] = 255;
    }),
  );
  return { width, height, rgba };
}

// The excess risk on M, n by n. It is affine in nu: two values determine a column.
function shading(risk, n) {
  const places = evenly(-1 + 1 / n, 1 - 1 / n, n - 1);
  const columns = places.map((kappa) => [risk(kappa, 0), risk(kappa, 1)]);
  const rows = places.toReversed().map((nu) => columns.map(([at0, at1]) => at0 + nu * (at1 - at0)));
  const all = rows.flat();
  return heat(rows, Math.min(...all), Math.max(...all));
}

const painted = new WeakMap();
function paintHeat(canvas, image) {
  if (painted.get(canvas) === image) return;
  painted.set(canvas, image);
  const { width, height, rgba } = image;
  Object.assign(canvas, { width, height, hidden: false });
  canvas.getContext("2d").putImageData(new ImageData(rgba, width, height), 0, 0);
}
