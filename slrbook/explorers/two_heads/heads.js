// The heads as rows of numbers: at the start, their inner products, their risk and its slope.
const ALL = 10; // tokens, of which eight carry no label
const NOUGHTS = Array(8).fill(0);
const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
const unit = (a) => ((size) => a.map((x) => x / size))(hypot(...a) || 1);
const plus = (a, b, times) => a.map((x, i) => x + times * b[i]);

// Rows of eight numbers: k1*, k2*, v1*, v2*, then the heads k1, k2, v1, v2.
const TARGETS = [0, 1, 2, 3].map((i) => NOUGHTS.map((_, j) => +(i === j)));
const PRODUCTS = "40 41 50 51 42 43 52 53 60 61 70 71 62 63 72 73 46 47 56 57 45 67".split(" ");
const products = (heads) =>
  PRODUCTS.map(([i, j]) => dot([...TARGETS, ...heads][i], [...TARGETS, ...heads][j]));
const cost = (q, lam) => risk(lam, ALL, ...q);
const noise = (q, lam) => cost(q, lam) - risk(lam, 2, ...q); // what the tokens without a label add
const SEPARATED = products(TARGETS);

// The heads at the start: the discs as they are, and beside them what `rest` holds, in unit length.
function placed(values) {
  const all = SPEC.constants.rests[values.rest];
  const [one, other, ...more] = [0, 6, 12, 18].map((i) => unit(all.slice(i, i + 6)));
  other[5] += 1e-6; // so that it is not a multiple of the first
  const turned = unit(plus(other, one, -dot(other, one)));
  const second = plus(
    one.map((x) => values.shared * x),
    turned,
    sqrt(1 - values.shared ** 2),
  );
  return [one, second, ...more].map((rest, h) => {
    let at = SPOTS.slice(2 * h, 2 * h + 2).map((name) => values[name]);
    const size = hypot(...at);
    if (size > 1) at = at.map((x) => x / size);
    rest = rest.map((x) => x * sqrt(max(0, 1 - size ** 2)));
    return h < 2 ? [...at, ...rest] : [...rest.slice(0, 2), ...at, ...rest.slice(2)];
  });
}

// The slope of the risk in all directions that turn the heads; each product in turn moves by a hair.
function slope(heads, lam) {
  const q = products(heads);
  const rows = [...TARGETS, ...heads];
  const out = heads.map(() => NOUGHTS);
  PRODUCTS.forEach(([i, j], n) => {
    const [here, hair] = [q[n], 1e-5];
    const [up, down] = [hair, -hair].map((by) => ((q[n] = here + by), cost(q, lam)));
    q[n] = here;
    for (const [a, b] of [
      [i, j],
      [j, i],
    ])
      if (a > 3) out[a - 4] = plus(out[a - 4], rows[b], (up - down) / hair / 2);
  });
  return out.map((row, h) => plus(row, heads[h], -dot(row, heads[h])));
}
