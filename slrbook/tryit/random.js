// Random numbers for a reader's code, from the generator of the explorers; starts as in slrlib.
const RANDOM = {
  start(seed, d, onManifold) {
    return fiveOf(startsOf(seed, d, 1, onManifold)[0]);
  },
  normals(seed, n) {
    const { normal } = makeRandom(seed);
    return Array.from({ length: n }, normal);
  },
};
