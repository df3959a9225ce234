// A job: runs under way in a Worker, or in slices on the page where a Worker is refused.
const SMALL = 30_000; // a job of so few steps is done on the page, at once
const REST = 120; // milliseconds that the hand rests before a Worker begins

const units = (s, steps) => s.runs * steps * (s.batch ? (s.batch * s.L) / 4 : 1);

// The whole of a Worker: it is told the settings and where to stop, and sends rows as they come.
function serve(scope) {
  let job, work, sent = 0;
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
  scope.onmessage = ({ data: { settings, steps } }) => {
    job ||= begin(settings);
    job.aim = steps;
    if (work) return;
    work = onward(job);
    sent = Math.min(sent, job.rows.length - 1);
    go();
  };
}

// The text of the Worker: the shared functions, the printed ones with their quadrature nodes, and
// the engine, as they are here.
const NODES = { $A0, $A1 };
const workerText = () =>
  [
    `var slr = (${slr.made})(), { erf, erfc, erfInv, pow, makeRandom } = slr;`,
    ...Object.entries(NODES).map(([name, nodes]) => `const ${name} = ${JSON.stringify(nodes)};`),
    ...[step, turned, risk, lamAt, five, placed, drawn, streamOf, refill, begin, sampled, moved, band, rowOf, after, onward, serve],
    "serve(self);",
  ].join("\n");

function inSlices(settings) {
  const job = begin(settings);
  let work;
  return {
    rows: job.rows,
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

// The same from a Worker; a content policy without `worker-src blob:` refuses it, at once or later.
function inWorker(settings) {
  const job = { rows: [], waits: true, aim: (steps) => worker.postMessage({ settings, steps }), next() {} };
  const address = URL.createObjectURL(new Blob([workerText()], { type: "text/javascript" }));
  const worker = new Worker(address);
  let aimed;
  const post = job.aim;
  job.aim = (steps) => post((aimed = steps));
  worker.onmessage = ({ data: { from, rows } }) => job.rows.splice(from, Infinity, ...rows);
  worker.onerror = (event) => {
    event.preventDefault();
    job.close();
    Object.assign(job, inSlices(settings), { waits: false });
    job.aim(aimed);
  };
  job.close = () => (worker.terminate(), URL.revokeObjectURL(address));
  return job;
}

function opened(settings, steps) {
  if (typeof Worker !== "undefined" && units(settings, steps) > SMALL) {
    try {
      return inWorker(settings);
    } catch {} // refused
  }
  return inSlices(settings);
}

// Yields the rows as they come; null where nothing is to be done but to wait.
function* followed(values, memo) {
  const { steps, at, ...settings } = { ...values, noise: SPEC.constants.noise };
  const key = JSON.stringify(settings);
  const there = () => memo.job.rows.some(({ t }) => t === steps);
  const beyond = () => memo.job.rows.length && memo.job.rows[memo.job.rows.length - 1].t > steps;
  if (memo.job?.key !== key || (beyond() && !there())) {
    memo.job?.close();
    memo.job = null;
    const small = units(settings, steps) <= SMALL;
    for (const since = Date.now(); !small && memo.woken && Date.now() < since + REST; ) yield null;
    memo.job = Object.assign(opened(settings, steps), { key });
  }
  const { job } = memo;
  job.aim(steps);
  while (!there()) {
    job.next();
    yield job.rows.length ? job : null;
    if (job.waits) yield null;
  }
  yield job;
}
