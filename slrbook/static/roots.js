// Sums and grids; roots and minima of curves; caching.
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const evenly = (from, to, parts) =>
  Array.from({ length: parts + 1 }, (_, i) => from + ((to - from) * i) / parts);

// The softmax weights; `tilt` is printed, exp(lam score) up to a factor.
function softmaxOf(scores, lam, tilt) {
  const highest = Math.max(...scores);
  const tilts = scores.map((score) => tilt(score, highest, lam));
  const all = sum(tilts);
  return tilts.map((x) => x / all);
}

// The position of a value in a sorted list: [index, fraction], clamped to its ends.
function placeAmong(list, value, scale = (x) => x) {
  const below = list.findLastIndex((x) => x < value);
  const i = clamp(below, 0, list.length - 2);
  const [low, at, high] = [list[i], value, list[i + 1]].map(scale);
  return [i, clamp((at - low) / (high - low), 0, 1)];
}

// The result of `make`, cached in `memo` under a name until the key changes.
function kept(memo, name, key, make) {
  if (memo[name]?.key !== String(key)) memo[name] = { key: String(key), value: make() };
  return memo[name].value;
}

// The first (or last) sign change of f between two lam, by a geometric grid and then false position
// (Illinois); infinity if there is none.
function root(f, low, high, last) {
  const [points, ratio] = [40, Math.log(high / low)];
  const at = (i) => Math.log(last ? high : low) + ((last ? -1 : 1) * ratio * i) / points;
  const g = (x) => f(Math.exp(x));
  let [a, fa] = [at(0), g(at(0))];
  for (let i = 1; i <= points; i++) {
    let [b, fb] = [at(i), g(at(i))];
    if (fa > 0 !== fb > 0) {
      for (let n = 0; n < 100 && Math.abs(b - a) > 1e-12; n++) {
        const x = n % 8 === 7 ? (a + b) / 2 : (a * fb - b * fa) / (fb - fa);
        const y = g(x);
        if (y === 0 || x === a || x === b) return Math.exp(x);
        if (y > 0 !== fb > 0) [a, fa] = [b, fb];
        else fa /= 2;
        [b, fb] = [x, y];
      }
      return Math.exp(b);
    }
    [a, fa] = [b, fb];
  }
  return Infinity;
}

// The minimum of a curve that first decreases, then increases, by golden-section search in log lam.
function lowest(f) {
  const part = 0.6180339887498949;
  let [a, b] = [-6, 1]; // powers of ten
  let [x, y] = [b - part * (b - a), a + part * (b - a)];
  let [fx, fy] = [f(10 ** x), f(10 ** y)];
  while (b - a > 1e-9) {
    if (fx < fy) ([b, y, fy, x] = [y, x, fx, y - part * (y - a)]), (fx = f(10 ** x));
    else ([a, x, fx, y] = [x, y, fy, x + part * (b - x)]), (fy = f(10 ** y));
  }
  return 10 ** ((a + b) / 2);
}
