// Draws for a reader's code, from the generator of the explorers; the starts are those of slrlib.
const RANDOM = {
  start(seed, d, onManifold) {
    const [[kappa, eta, a, theta, nu, b]] = startsOf(seed, d, 1, onManifold);
    return [kappa, nu, theta, eta, kappa * theta + eta * nu + a * b];
  },
  normals(seed, n) {
    const { normal } = makeRandom(seed);
    return Array.from({ length: n }, normal);
  },
};
