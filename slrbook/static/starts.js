// Random starts with the numbers of slrlib: the result of slrlib.overlaps.random_overlaps for a key
// of jax.random, by the same generator (Threefry-2x32) in the same order.
const ROTATIONS = [
  [13, 15, 26, 6],
  [17, 29, 16, 24],
];

// Two words of 32 random bits for each pair of counters, 20 rounds.
function threefry([k0, k1], x, y) {
  const keys = [k0, k1, k0 ^ k1 ^ 0x1bd11bda];
  [x, y] = [(x + k0) | 0, (y + k1) | 0];
  for (let block = 0; block < 5; block++) {
    for (const turn of ROTATIONS[block % 2]) {
      x = (x + y) | 0;
      y = x ^ ((y << turn) | (y >>> (32 - turn)));
    }
    x = (x + keys[(block + 1) % 3]) | 0;
    y = (y + keys[(block + 2) % 3] + block + 1) | 0;
  }
  return [x, y];
}

const keyOf = (seed) => [Math.floor(seed / 4294967296) | 0, seed | 0];
const keysOf = (key, many) => Array.from({ length: many }, (_, i) => threefry(key, 0, i));

// Sample i of a key: uniform in [0, 1) with 52 bits, and standard normal.
function uniformAt(key, i = 0) {
  const [high, low] = threefry(key, 0, i);
  return ((high >>> 0) * 1048576 + (low >>> 12)) / 4503599627370496;
}
function normalAt(key, i = 0) {
  const low = -1 + Number.EPSILON / 2;
  return Math.SQRT2 * erfInv(Math.max(low, uniformAt(key, i) * (1 - low) + low));
}

// A gamma sample (Marsaglia and Tsang); a shape below one uses shape + 1.
function gammaOf(key, shape) {
  const m = (shape < 1 ? shape + 1 : shape) - 1 / 3,
    c = 1 / 3 / Math.sqrt(m);
  let [chain, spare] = keysOf(key, 2);
  for (;;) {
    let [next, forX, forU] = keysOf(chain, 3),
      x = 0,
      v = -1,
      one;
    chain = next;
    while (v <= 0) {
      [forX, one] = keysOf(forX, 2);
      x = normalAt(one);
      v = 1 + x * c;
    }
    const u = uniformAt(forU),
      square = x * x,
      cube = v * v * v;
    if (
      u >= 1 - 0.0331 * square * square &&
      Math.log(u) >= square / 2 + m * (1 - cube + Math.log(cube))
    )
      continue;
    return m * cube * (shape < 1 ? (1 - uniformAt(spare)) ** (1 / shape) : 1);
  }
}

// The overlaps (kappa, nu, theta, eta, rho) of a frame (kappa, eta, a, theta, nu, b, c).
const fiveOf = ([kappa, eta, a, theta, nu, b]) => [
  kappa,
  nu,
  theta,
  eta,
  kappa * theta + eta * nu + a * b,
];

// The frames of random starts at dimension d: k = (kappa, eta, a) and v = (theta, nu, b, c).
function randomFrames(key, d, many, onManifold) {
  const [normals, ...lengths] = keysOf(key, 3);
  const unit = (...x) => ((size) => x.map((entry) => entry / size))(Math.hypot(...x));
  const [forK, forV] = lengths.map((one, less) =>
    keysOf(one, many).map((each) => {
      const half = (d - 2 - less) / 2;
      return half > 0 ? Math.sqrt(2 * gammaOf(each, Math.max(half, 0.5))) : 0;
    }),
  );
  return forK.map((rest, i) => {
    const g = [0, 1, 2, 3, 4].map((j) => normalAt(normals, 5 * i + j));
    if (!onManifold)
      return [...unit(g[0], g[1], rest), ...unit(g[2], g[3], d > 2 ? g[4] : 0, forV[i])];
    const [[kappa, a], [nu, c]] = [unit(g[0], rest), unit(g[1], forV[i])];
    return [kappa, 0, a, 0, nu, 0, c];
  });
}

const ON_M = 1e-14; // closer to M than this only rounding remains: the run then stays on M

// The starts of an experiment of slrlib with this seed.
const startsOf = (seed, d, many, onManifold) =>
  randomFrames(keysOf(keyOf(seed), 2)[0], d, many, onManifold);

// The starts of slrlib's experiment on random starts, whose key depends on the dimension.
const within = (key, number) => threefry(key, 0, number);
const startsAt = (seed, d, many) => randomFrames(within(within(keyOf(seed), d), 0), d, many, false);
