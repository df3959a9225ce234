// Draws for a reader's code, from the generator of the explorers; the starts are the laboratory's.
const RANDOM = {
  start: (seed, d, onManifold) => five(drawn({ start: onManifold ? 0 : 1, d }, makeRandom(seed))),
  normals(seed, n) {
    const { normal } = makeRandom(seed);
    return Array.from({ length: n }, normal);
  },
};
