// A job: active runs in Workers, or in slices on the page if Workers are refused.
const SMALL = 30_000; // a job with fewer steps runs on the page
const REST = 120; // milliseconds without input before a Worker starts

const units = (s, steps) => s.runs * steps * (s.batch ? (s.batch * s.L) / 4 : 1);

// The code of a Worker: it receives the settings and the step at which to stop, and sends rows.
function serve(scope) {
  let [job, work, sent] = [null, null, 0];
  const go = () => {
    const since = Date.now();
    let done;
    do done = work.next().done;
    while (!done && Date.now() < since + 50);
    const from = Math.min(sent, job.rows.length);
    scope.postMessage({ from, rows: job.rows.slice(from) });
    sent = job.rows.length;
    if (done) work = null;
    else setTimeout(go);
  };
  scope.onmessage = ({ data: { settings, steps, part } }) => {
    job ||= begin(settings, part);
    job.aim = steps;
    if (work) return;
    work = onward(job);
    sent = Math.min(sent, job.rows.length - 1);
    go();
  };
}

// The text of the Worker: the shared functions, the printed ones with their quadrature nodes, and
// the engine, all as defined here.
const NODES = { $A0, $A1 };
const PRINTED = [step, turned, risk];
const DRAWN = [placed, streamOf, refill, runsOf, begin, sampled];
const RUN = [lamAt, moved, rowOf, after, onward];
const workerText = () =>
  [
    `var slr = (${slr.made})(), { erf, erfc, erfInv, pow, makeRandom } = slr;`,
    ...Object.entries(NODES).map(([name, nodes]) => `const ${name} = ${JSON.stringify(nodes)};`),
    ...[...PRINTED, ...DRAWN, ...RUN, serve],
    "serve(self);",
  ].join("\n");

function inSlices(settings) {
  const job = begin(settings);
  let work;
  return {
    parts: [job.rows],
    aim(steps) {
      job.aim = steps;
      work ||= onward(job);
    },
    next() {
      if (work?.next().done) work = null;
    },
    close() {},
  };
}

// The same in Workers, each with a part of the runs; a content policy without `worker-src blob:`
// refuses them, immediately or later.
function inWorkers(settings) {
  const address = URL.createObjectURL(new Blob([workerText()], { type: "text/javascript" }));
  const all = runsOf(settings);
  const many = Math.min(all, navigator.hardwareConcurrency || 1, 8);
  const parts = Array.from({ length: many }, () => []);
  let aimed;
  const job = { parts, waits: true, next() {} };
  const workers = parts.map((rows) => {
    const worker = new Worker(address);
    worker.onmessage = ({ data: { from, rows: more } }) => rows.splice(from, Infinity, ...more);
    worker.onerror = (event) => {
      event.preventDefault();
      if (!job.waits) return;
      job.close();
      Object.assign(job, inSlices(settings), { waits: false });
      job.aim(aimed);
    };
    return worker;
  });
  job.aim = (steps) => {
    aimed = steps;
    workers.forEach((worker, i) => {
      const part = [i, i + 1].map((end) => Math.round((end * all) / many));
      worker.postMessage({ settings, steps, part });
    });
  };
  job.close = () => {
    workers.forEach((worker) => worker.terminate());
    URL.revokeObjectURL(address);
  };
  return job;
}

function opened(settings, steps) {
  if (typeof Worker !== "undefined" && units(settings, steps) > SMALL) {
    try {
      return inWorkers(settings);
    } catch {} // refused
  }
  return inSlices(settings);
}

// The lower end, median and upper end of the central 95% of the runs.
function band(values) {
  const sorted = Float64Array.from(values).sort();
  return [0.025, 0.5, 0.975].map((part) => {
    const place = part * (sorted.length - 1),
      i = Math.floor(place);
    return sorted[i] + (place - i) * ((sorted[i + 1] ?? sorted[i]) - sorted[i]);
  });
}

const QUANTITIES = [
  (x) => x[5],
  (x) => Math.abs(x[0]),
  (x) => Math.abs(x[1]),
  (x) => Math.hypot(x[2], x[3], x[4]),
];
const bandsOf = (all) => QUANTITIES.map((size) => band(all.map(size)));

// Join the rows that all parts have; a part resumed between two rows has a different row there.
function joined(rows, parts) {
  const same = (i) => parts.every((part) => part[i] && part[i].t === parts[0][i].t);
  let i = Math.max(0, rows.length - 1);
  if (i && !(same(i) && parts[0][i].t === rows[i].t)) rows.pop();
  for (i = rows.length; same(i); i++) {
    const all = parts.flatMap((part) => part[i].all);
    rows.push({ ...parts[0][i], all, bands: bandsOf(all) });
  }
}

// Yields the rows as they arrive, and null while there is nothing to do but wait.
function* followed(values, memo) {
  const { steps, at, shown, details, ...settings } = values.batch
    ? values
    : { ...values, noise: 0 };
  const key = JSON.stringify(settings);
  const there = (rows) => rows.some(({ t }) => t === steps);
  const passed = (rows) => rows.length && rows[rows.length - 1].t > steps && !there(rows);
  const small = units(settings, steps) <= SMALL;
  for (let aimed = false; !aimed || !there(memo.job.rows); ) {
    if (memo.job?.key !== key || memo.job.parts.some(passed)) {
      memo.job?.close();
      memo.job = null;
      for (const since = Date.now(); !small && memo.woken && Date.now() < since + REST; )
        yield null;
      memo.job = Object.assign(opened(settings, steps), { key, rows: [] });
      aimed = false;
    }
    const { job } = memo;
    if (!aimed) job.aim(steps);
    aimed = true;
    job.next();
    joined(job.rows, job.parts);
    yield job.rows.length ? job : null;
    if (job.waits && !there(job.rows)) yield null;
  }
}
