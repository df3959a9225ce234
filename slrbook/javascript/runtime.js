// Shared by printed functions and explorers: error functions, powers as in Python, random numbers.
const { erf, erfc, erfInv, pow, makeRandom } = (() => {
  /*! erf and erfc follow s_erf.c of fdlibm:
   * Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved.
   * Developed at SunPro, a Sun Microsystems, Inc. business.
   * Permission to use, copy, modify, and distribute this software is freely granted,
   * provided that this notice is preserved. */
  // Numerator and denominator of each rational approximation, constant term first.
  const NEAR = [
    [
      1.28379167095512558561e-1, -3.2504210724700149937e-1, -2.84817495755985104766e-2,
      -5.77027029648944159157e-3, -2.37630166566501626084e-5,
    ],
    [
      1, 3.97917223959155352819e-1, 6.50222499887672944485e-2, 5.08130628187576562776e-3,
      1.32494738004321644526e-4, -3.9602282787753681232e-6,
    ],
  ];
  const ABOUT_ONE = [
    [
      -2.36211856075265944077e-3, 4.14856118683748331666e-1, -3.72207876035701323847e-1,
      3.18346619901161753674e-1, -1.10894694282396677476e-1, 3.54783043256182359371e-2,
      -2.166375594868790843e-3,
    ],
    [
      1, 1.06420880400844228286e-1, 5.40397917702171048937e-1, 7.18286544141962662868e-2,
      1.26171219808761642112e-1, 1.36370839120290507362e-2, 1.1984499846799107417e-2,
    ],
  ];
  const TAIL = [
    [
      -9.86494403484714822705e-3, -6.93858572707181764372e-1, -1.05586262253232909814e1,
      -6.23753324503260060396e1, -1.62396669462573470355e2, -1.84605092906711035994e2,
      -8.12874355063065934246e1, -9.81432934416914548592,
    ],
    [
      1, 1.96512716674392571292e1, 1.376577541435190426e2, 4.34565877475229228821e2,
      6.45387271733267880336e2, 4.29008140027567833386e2, 1.08635005541779435134e2,
      6.57024977031928170135, -6.04244152148580987438e-2,
    ],
  ];
  const FAR_TAIL = [
    [
      -9.86494292470009928597e-3, -7.99283237680523006574e-1, -1.77579549177547519889e1,
      -1.60636384855821916062e2, -6.37566443368389627722e2, -1.02509513161107724954e3,
      -4.83519191608651397019e2,
    ],
    [
      1, 3.03380607434824582924e1, 3.25792512996573918826e2, 1.53672958608443695994e3,
      3.19985821950859553908e3, 2.55305040643316442583e3, 4.74528541206955367215e2,
      -2.24409524465858183362e1,
    ],
  ];
  // Around erf(1), which is stored to a few digits.
  const ERF_ONE = 8.45062911510467529297e-1;

  function polynomial(c, z) {
    let value = c[c.length - 1];
    for (let i = c.length - 2; i >= 0; i--) value = value * z + c[i];
    return value;
  }
  // polynomial(NEAR[0], z) / polynomial(NEAR[1], z) in the same order, written out for speed.
  const [[n0, n1, n2, n3, n4], [, d1, d2, d3, d4, d5]] = NEAR;
  const near = (z) =>
    ((((n4 * z + n3) * z + n2) * z + n1) * z + n0) /
    (((((d5 * z + d4) * z + d3) * z + d2) * z + d1) * z + 1);
  const ratio = (parts, z) => polynomial(parts[0], z) / polynomial(parts[1], z);

  // erfc(a) for a >= 1.25; a * a is split so that exp keeps all digits.
  function tail(a) {
    const high = Math.fround(a);
    const rest = (high - a) * (high + a) + ratio(a < 1 / 0.35 ? TAIL : FAR_TAIL, 1 / (a * a));
    return (Math.exp(-high * high - 0.5625) * Math.exp(rest)) / a;
  }

  function erf(x) {
    const a = Math.abs(x);
    if (a < 0.84375) return x + x * near(x * x);
    const sign = Math.sign(x);
    if (a < 1.25) return sign * (ERF_ONE + ratio(ABOUT_ONE, a - 1));
    if (a < 6) return sign * (1 - tail(a));
    // An infinity, or NaN.
    return sign;
  }

  function erfc(x) {
    const a = Math.abs(x);
    if (a < 0.84375) {
      const y = near(x * x);
      return x < 0.25 ? 1 - (x + x * y) : 0.5 + (0.5 - x - x * y);
    }
    if (a < 1.25) {
      const y = ratio(ABOUT_ONE, a - 1);
      return x > 0 ? 1 - ERF_ONE - y : 1 + (ERF_ONE + y);
    }
    if (a < 28) return x > 0 ? tail(a) : 2 - tail(a);
    // An infinity, or NaN.
    return 1 - Math.sign(x);
  }

  // Halley's iteration for erf(y) = p, using erfc where it is more accurate.
  function erfInv(p) {
    const q = Math.abs(p);
    if (!(q > 0 && q < 1)) return q === 0 ? p : q === 1 ? p * Infinity : NaN;
    // An initial value within one percent.
    const l = Math.log1p(-q * q),
      m = 4.33 + l / 2;
    let y = Math.sqrt(Math.sqrt(m * m - l / 0.147) - m);
    for (let i = 0; i < 3; i++) {
      const gap = q < 0.5 ? erf(y) - q : 1 - q - erfc(y);
      const step = (gap * Math.exp(y * y) * Math.sqrt(Math.PI)) / 2;
      y -= step / (1 + y * step);
    }
    return p < 0 ? -y : y;
  }

  // Math.pow gives NaN for 1 to the NaN and for (-1) or 1 to an infinity; Python gives 1.
  function pow(base, power) {
    if (base === 1 || (base === -1 && Math.abs(power) === Infinity)) return 1;
    return Math.pow(base, power);
  }

  // Random numbers: sfc32 (Doty-Humphrey), seeded by splitmix32. Both are in the public domain. The
  // same seed gives the same uniform numbers in every browser.
  function makeRandom(seed) {
    let state = (seed >>> 0) ^ Math.imul(Math.floor(seed / 4294967296) >>> 0, 0x9e3779b9);
    const splitmix = () => {
      state = (state + 0x9e3779b9) | 0;
      let z = state ^ (state >>> 16);
      z = Math.imul(z, 0x21f0aaad);
      z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
      return z ^ (z >>> 15);
    };
    let a = splitmix(),
      b = splitmix(),
      c = splitmix(),
      counter = 1,
      spare = NaN;

    function bits() {
      const result = (((a + b) | 0) + counter) | 0;
      counter = (counter + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = (((c << 21) | (c >>> 11)) + result) | 0;
      return result >>> 0;
    }
    for (let i = 0; i < 12; i++) bits();

    // In [0, 1), 53 bits.
    const uniform = () => ((bits() >>> 5) * 67108864 + (bits() >>> 6)) / 9007199254740992;

    // Marsaglia's polar method: it generates two numbers, one of which is kept for the next call.
    function normal() {
      if (spare === spare) {
        const kept = spare;
        spare = NaN;
        return kept;
      }
      let x, y, s;
      do {
        x = 2 * uniform() - 1;
        y = 2 * uniform() - 1;
        s = x * x + y * y;
      } while (s >= 1 || s === 0);
      const scale = Math.sqrt((-2 * Math.log(s)) / s);
      spare = y * scale;
      return x * scale;
    }

    // One of 0, 1, ..., n - 1.
    const below = (n) => Math.floor(n * uniform());

    // Marsaglia and Tsang's gamma generator. Their log v - v + 1 is expressed in e = c x, so that
    // it keeps its digits for a billion degrees of freedom. A shape below one uses shape + 1.
    function gamma(shape) {
      if (shape < 1) return gamma(shape + 1) * Math.pow(1 - uniform(), 1 / shape);
      const m = shape - 1 / 3,
        c = 1 / Math.sqrt(9 * m);
      for (;;) {
        const x = normal(),
          e = c * x;
        if (e <= -1) continue;
        const bound = (x * x) / 2 + m * (3 * (Math.log1p(e) - e) - e * e * (3 + e));
        if (Math.log(1 - uniform()) < bound) return m * Math.pow(1 + e, 3);
      }
    }

    // Any real number of degrees of freedom; zero gives 0.
    function chi2(df) {
      if (!(df >= 0)) throw new RangeError(`chi2 needs df >= 0, got ${df}`);
      return df === 0 ? 0 : 2 * gamma(df / 2);
    }

    return { uniform, normal, below, chi2 };
  }

  return { erf, erfc, erfInv, pow, makeRandom };
})();
