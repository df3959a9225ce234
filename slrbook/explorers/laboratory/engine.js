// Runs of descent on the frame: k = (kappa, eta, a, 0) and v = (theta, nu, b, c), seven numbers.
// This file contains only functions, so that their text defines the same functions in a Worker.

function lamAt(s, t) {
  return s.lam0 / (1 + s.decay * Math.min(t, s.until));
}

// Turn a start given by the reader into one that exists.
function placed({ kappa0, nu0, theta0, eta0, rho0 }) {
  const within = (x, y) => [x, y].map((entry) => entry / Math.max(1, Math.hypot(x, y)));
  const [[kappa, eta], [theta, nu]] = [within(kappa0, eta0), within(theta0, nu0)];
  const a = Math.sqrt(Math.max(0, 1 - kappa * kappa - eta * eta));
  const room = Math.sqrt(Math.max(0, 1 - theta * theta - nu * nu));
  const b = a > 0 ? Math.min(Math.max((rho0 - kappa * theta - eta * nu) / a, -room), room) : 0;
  return [kappa, eta, a, theta, nu, b, Math.sqrt(Math.max(0, room * room - b * b))];
}

// A stock of normal numbers in `pool`, from which a loop reads at `at`: the generator of the
// runtime (sfc32) with its state in local variables, and 32 bits for each uniform number.
function streamOf(seed) {
  const { below, chi2 } = makeRandom(seed);
  const state = Int32Array.from({ length: 3 }, () => below(4294967296) | 0);
  return { state, counter: 1, pool: new Float64Array(1024), at: 1024, chi2 };
}

function refill(stream) {
  const { state, pool } = stream;
  let [a, b, c] = state;
  let counter = stream.counter | 0;
  for (let i = 0; i < pool.length; i += 2) {
    let bits, x, y, s;
    do {
      bits = (((a + b) | 0) + counter) | 0;
      counter = (counter + 1) | 0;
      (a = b ^ (b >>> 9)), (b = (c + (c << 3)) | 0), (c = (((c << 21) | (c >>> 11)) + bits) | 0);
      x = (bits + 0.5) / 2147483648;
      bits = (((a + b) | 0) + counter) | 0;
      counter = (counter + 1) | 0;
      (a = b ^ (b >>> 9)), (b = (c + (c << 3)) | 0), (c = (((c << 21) | (c >>> 11)) + bits) | 0);
      y = (bits + 0.5) / 2147483648;
      s = x * x + y * y;
    } while (s >= 1);
    const scale = Math.sqrt((-2 * Math.log(s)) / s);
    pool[i] = x * scale;
    pool[i + 1] = y * scale;
  }
  (state[0] = a), (state[1] = b), (state[2] = c);
  Object.assign(stream, { counter, at: 0 });
}

// All copies of a user-defined start are equal, and without sampling so are their runs.
function runsOf(s) {
  return s.start === 2 && !s.batch ? 1 : s.runs;
}

// The starts are those of slrlib for this seed. Each run has its own generator, so its samples do
// not depend on the other runs, and a `part` [from, to) of the runs can be computed alone.
function begin(s, part = [0, Infinity]) {
  const { below } = makeRandom(s.seed);
  const many = runsOf(s);
  const frames =
    s.start === 2 ? Array(many).fill(placed(s)) : slr.startsOf(s.seed, s.d, many, s.start === 0);
  const runs = frames.map((frame) => ({ frame, random: streamOf(below(4294967296)) }));
  const job = { s, runs: runs.slice(...part), t: 0, aim: 0, rows: [] };
  job.rows.push(rowOf(job));
  return job;
}

// One step of SGD, in distribution as in slrlib.dynamics.chain: a noise token is two normal
// numbers, along k and along the rest of v; the informative one has four coordinates in the frame.
function sampled(f, lam, { alpha, d, L, gamma, noise, batch }, stream) {
  const { pool, chi2 } = stream;
  const [kappa, eta, a, theta, nu, b, c] = f;
  const rho = kappa * theta + eta * nu + a * b;
  const k = [kappa, eta, a, 0],
    side = [theta - rho * kappa, nu - rho * eta, b - rho * a, c];
  const length = Math.sqrt(side[0] ** 2 + side[1] ** 2 + side[2] ** 2 + side[3] ** 2);
  for (let j = 0; j < 4; j++) side[j] = length > 0 ? side[j] / length : 0;
  const [signal, bell] = [Math.sqrt(d / 2), (lam * 2) / Math.sqrt(Math.PI)];
  let n11, n12, n22, o11, o12, o22, kk, kh, hh, vk, vh, k0, k1, k2, k3, v0, v1, v2, v3;
  n11 = n12 = n22 = o11 = o12 = o22 = kk = kh = hh = vk = vh = 0;
  k0 = k1 = k2 = k3 = v0 = v1 = v2 = v3 = 0;
  for (let i = 0; i < batch; i++) {
    if (stream.at + 2 * L + 3 > pool.length) refill(stream);
    let place = stream.at;
    let es, eh, ee, fss, fsh, fhh, ffss, ffsh, ffhh, efs, efh;
    es = eh = ee = fss = fsh = fhh = ffss = ffsh = ffhh = efs = efh = 0;
    for (let j = 1; j < L; j++) {
      const s = pool[place++],
        h = pool[place++],
        x = lam * s;
      const e = erf(x),
        g = bell * Math.exp(-x * x),
        fs = g * s,
        fh = g * h;
      (es += e * s),
        (eh += e * h),
        (ee += e * e),
        (fss += fs * s),
        (fsh += fs * h),
        (fhh += fh * h);
      (ffss += fs * fs), (ffsh += fs * fh), (ffhh += fh * fh), (efs += e * fs), (efh += e * fh);
    }
    const x0 = gamma * pool[place++] + signal,
      x1 = gamma * pool[place++],
      x2 = gamma * pool[place++],
      x3 = gamma * pool[place++];
    const s = x0 * kappa + x1 * eta + x2 * a,
      t = x0 * theta + x1 * nu + x2 * b + x3 * c;
    const e = erf(lam * s),
      g = bell * Math.exp(-lam * s * lam * s);
    const weight = (2 / batch) * (rho * es + length * eh + e * t - (x1 + noise * pool[place++]));
    stream.at = place;
    const omega = weight * g * t,
      mu = weight * e,
      square = weight * weight;
    n11 += square * (rho * rho * ffss + 2 * rho * length * ffsh + length * length * ffhh);
    (n12 += square * (rho * efs + length * efh)), (n22 += square * ee);
    (o11 += omega * omega), (o12 += omega * mu), (o22 += mu * mu);
    (kk += weight * fss),
      (kh += weight * fsh),
      (hh += weight * fhh),
      (vk += weight * es),
      (vh += weight * eh);
    (k0 += omega * x0), (k1 += omega * x1), (k2 += omega * x2), (k3 += omega * x3);
    (v0 += mu * x0), (v1 += mu * x1), (v2 += mu * x2), (v3 += mu * x3);
  }
  const root = (s11, s12, s22) => {
    const c11 = Math.sqrt(s11),
      c21 = c11 > 0 ? s12 / c11 : 0;
    return [c11, c21, Math.sqrt(Math.max(s22 - c21 * c21, 0))];
  };
  const dot = (x, y) => x[0] * y[0] + x[1] * y[1] + x[2] * y[2] + x[3] * y[3];
  const [c11, c21, c22] = root(n11, n12, n22);
  if (stream.at + 9 > pool.length) refill(stream);
  const free = pool.subarray(stream.at, (stream.at += 9));
  const vFree = [0, 1, 2, 3].map((j) => c21 * free[j] + c22 * free[4 + j]);
  const kFree = [0, 1, 2, 3].map((j) => c11 * free[j]);
  const slope = (own, loose, along, across) => {
    const [by, to] = [along - dot(loose, k), across - dot(loose, side)];
    return own.map((x, j) => x + loose[j] + by * k[j] + to * side[j]);
  };
  const p = slope([k0, k1, k2, k3], kFree, rho * kk + length * kh, rho * kh + length * hh);
  const q = slope([v0, v1, v2, v3], vFree, vk, vh);
  const [e11, e21, e22] = root(
    n11 + gamma * gamma * o11,
    n12 + gamma * gamma * o12,
    n22 + gamma * gamma * o22,
  );
  const z = free[8],
    [one, two] = [Math.sqrt(chi2(d - 4)), Math.sqrt(chi2(d - 5))];
  return turned(...f, ...p, e11 * one, ...q, e21 * one + e22 * z, e22 * two, alpha);
}

function moved(s, run, t) {
  const f = run.frame,
    lam = lamAt(s, t);
  run.frame = s.batch
    ? sampled(f, lam, s, run.random)
    : step(f[0], f[1], f[2], f[3], f[4], f[5], f[6], lam, s.alpha, s.d, s.L, s.gamma);
}

// The stored data of all runs at this step; `all` has kappa, nu, theta, eta, rho and risk of each.
function rowOf({ s, runs, t }) {
  const lam = lamAt(s, t);
  const all = runs.map(({ frame }) => {
    const five = slr.fiveOf(frame);
    return [...five, risk(...five, lam, s.d, s.L, s.gamma)];
  });
  return { t, lam, oracle: risk(1, 1, 0, 0, 0, lam, s.d, s.L, s.gamma), all };
}

// The step of the next row, independent of where a run stops: rows are denser at the beginning.
function after(t) {
  const every = t < 40_000 ? 100 : t < 160_000 ? 400 : t < 400_000 ? 1600 : 4000;
  return (Math.floor(t / every) + 1) * every;
}

// Advance all runs to the step `job.aim`, which may change; yields about once a millisecond.
function* onward(job) {
  const { s, runs, rows } = job;
  const piece = Math.max(1, Math.round(s.batch ? 4000 / (s.batch * s.L) : 1000));
  if (rows.length > 1 && after(rows[rows.length - 2].t) !== job.t) rows.pop(); // where it was stopped
  while (job.t < job.aim) {
    const to = Math.min(job.aim, after(job.t));
    let done = 0;
    for (const run of runs) {
      for (let t = job.t; t < to; t++) {
        moved(s, run, t);
        if (++done % piece === 0) yield;
      }
    }
    job.t = to;
    rows.push(rowOf(job));
    yield;
  }
}
