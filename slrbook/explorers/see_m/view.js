// See M: one run in the plane of kappa and nu, and its distance from M over the same steps.
const { states: STATES, onM: ON_M_STATES } = SPEC.constants;
const { hypot, log10, max, min, round } = Math;
const ROWS = 400;
const SIZE = { width: 340, height: 350, left: 56, right: 12, top: 46, bottom: 44 };
const powerOf = (n) => (n < -2 ? tenTo(n) : String(10 ** n));
const apartFrom = (x) => (x < ON_M ? `less than ${written(ON_M)}` : written(x, 2));

// The start: at the given distance from M, or as far as this kappa and nu allow.
function begun({ kappa0, nu0, far, theta0, eta0, rho0 }) {
  const size = hypot(theta0, eta0, rho0);
  const off = (s) => [theta0, eta0, rho0].map((part) => (size ? (s * part) / size : 0));
  const at = (s) => [kappa0, nu0, ...off(s)];
  if (!size || room(...at(far)) >= 0) return { five: at(far), drawnIn: false };
  let [low, high] = [0, far];
  for (let i = 0; i < 60; i++) {
    const s = (low + high) / 2;
    if (room(...at(s)) >= 0) low = s;
    else high = s;
  }
  return { five: at(low), drawnIn: true };
}

const off = ([, , theta, eta, rho]) => hypot(theta, eta, rho);
const corner = (kappa) => (kappa > 0 ? "(1, 1)" : "(−1, −1)");

// Where a run ends, as a phrase that follows "the run" or "it".
function standing(word, kappa, nu) {
  if (word === "recovered the teacher") return `has recovered the teacher at ${corner(kappa)}`;
  return `is ${word}`;
}

function say(values, run) {
  const { five, first, most, word } = run;
  const [kappa, nu] = five;
  const last = off(five);
  let words = "";
  if (run.drawnIn)
    words = `No two unit vectors with this κ and ν are at distance ${written(values.far, 2)} in this direction; the start is moved closer. `;
  const course =
    first < ON_M
      ? "Yes: it stays on M"
      : last > first
        ? `No: the distance grows from ${written(first, 2)} to ${apartFrom(last)}`
        : `Yes: the distance ${most > 1.05 * first ? `rises from ${written(first, 2)} to ${apartFrom(most)} and then falls` : `falls from ${written(first, 2)}`} to ${apartFrom(last)}`;
  const there = ON_M_STATES[endingOnM(...run.twin)];
  const onM = standing(there, ...run.twin); // a run that starts on M is its own twin
  const end = first < ON_M ? onM : standing(word, kappa, nu);
  const other = end === onM ? "ends in the same state" : onM;
  words += `${course}. The run ${end}${first < ON_M ? "" : `; the run from the same κ and ν on M ${other}`}.`;
  return words;
}

const explorer = {
  panels: [plane({ ...SIZE, xs: [-1, 1], ys: [-1, 1] }), plane(SIZE)],
  names: ["κ and ν", "distance"],
  first: 0,
  actions: [({ far }) => ({ far: far < 0.09 ? 0.09 : 0.03 })],
  points: [{ panel: 0, x: "kappa0", y: "nu0", step: 0.01, says: ["kappa of k", "nu of v"] }],
  python: (values) => experimentOf("see M", { ...values, every: 1, start: begun(values).five }),

  *work(values) {
    const { lam, alpha, steps, kappa0, nu0, d, L, gamma } = values;
    const { five, drawnIn } = begun(values);
    const every = max(1, round(steps / ROWS));
    const run = { five, drawnIn, twin: [kappa0, nu0], path: [], twins: [], t: 0 };
    run.first = run.most = off(five);
    let frame = placed(...five);
    for (let t = 0; t <= steps; t++) {
      if (t) {
        if (off(run.five) < ON_M)
          run.five = [...slide(run.five[0], run.five[1], lam, alpha, d, gamma), 0, 0, 0];
        else run.five = fiveOf((frame = step(...frame, lam, alpha, d, L, gamma)));
        run.twin = slide(...run.twin, lam, alpha, d, gamma);
        run.most = max(run.most, off(run.five));
      }
      run.t = t;
      if (t % every === 0 || t === steps) {
        run.path.push([t, ...run.five]);
        run.twins.push(run.twin);
      }
      if (t % 100 === 99) yield named(run, values);
    }
    yield named(run, values);
  },

  draw(values, run, memo) {
    const [p, q] = explorer.panels;
    const { lam, d, gamma } = values;
    const move = (kappa, nu) =>
      slide(kappa, nu, lam, 1e-4, d, gamma).map((x, i) => x - [kappa, nu][i]);
    const ground = kept(memo, "ground", [lam, d, gamma], () => stream(p, memo.still ? 4 : 8, move));
    const path = run ? run.path : [[0, ...begun(values).five]];
    const [t, ...here] = path[path.length - 1];
    const said = here.map((x, i) => `${"κνθηρ"[i]} = ${fixed(x)}`);
    const [kind, shape] = ENDS[run ? run.word : "undecided"];

    let plan = ground + squareOfM(p);
    plan += graph(p, path, `path thick ${kind}`, ([, kappa, nu]) => [kappa, nu]);
    if (run) plan += graph(p, run.twins, "dash text");
    const gone = kind === "swapped"; // its dot would be hidden by the saddle's marker
    plan += marker(gone ? shape : "dot", p.X(here[0]), p.Y(here[1]), gone ? 9 : 5, kind);
    if (gone) {
      // The label stands on the side of the middle.
      const [toward, dx] = here[0] > 0 ? [textTo, -14] : [textFrom, 14];
      const [x, y] = [p.X(here[0]) + dx, p.Y(here[1]) + (here[1] < 0 ? -14 : 23)];
      plan += toward(x, y, `swapped: η = ${fixed(here[3])}`, "strong on swapped");
    }
    plan += overLeft(p, "drag the ring; dashed: start on M");
    plan += textFrom(p.left, 37, `step ${count(t)}: ${said.slice(0, 2).join(", ")}`);

    const far = path.map(([, ...five]) => off(five));
    const low = max(-14, min(-2, Math.floor(log10(max(ON_M, min(...far))))));
    const height = (x) => (log10(clamp(x, 10 ** low, 2)) - low) / (0.3 - low);
    const powers =
      low > -5 ? evenly(low, 0, -low) : [low, Math.ceil((2 * low) / 3), Math.ceil(low / 3), 0];
    const heights = powers.map((power) => height(10 ** power));
    const named = (v) => powerOf(round(low + v * (0.3 - low)));
    let time = axesOfSteps(q, values.steps, "distance from M", heights, named);
    time += graph(q, path, `path ${kind}`, ([t], i) => [t / values.steps, height(far[i])]);
    const x = q.X(t / values.steps);
    time += line(x, q.top, x, q.foot, "grid") + marker(shape, x, q.Y(height(off(here))), 5, kind);
    time += overLeft(q, `step ${count(t)}: distance ${apartFrom(off(here))}`, "");
    time += textFrom(q.left, 37, said.slice(2).join(", "));

    const mark = `At step ${count(t)} ${said.join(", ")}`;
    return {
      panels: [plan, time],
      labels: [
        `The run in the plane of κ and ν, and dashed the run from the same κ and ν on M. ${mark}.`,
        `The distance of the run from M against the steps, on a logarithmic axis. ${mark}, the distance is ${apartFrom(off(here))}.`,
      ],
      actions: [`start at distance ${values.far < 0.09 ? "0.09" : "0.03"} from M`],
      reading: run ? say(values, run) : "",
      running: `Running, step ${count(run ? run.t : 0)} of ${count(values.steps)}.`,
      figures: run && {
        end: run.word,
        kappa: run.five[0],
        nu: run.five[1],
        theta: run.five[2],
        eta: run.five[3],
        rho: run.five[4],
        distance: off(run.five),
        most: run.most,
        start: run.first,
        on_m: run.twin,
        step: run.t,
      },
    };
  },
};

function named(run, { lam, d, L, gamma }) {
  const [kappa, nu, , eta] = run.five;
  return Object.assign(run, { word: STATES[ending(kappa, nu, eta, lam, d, L, gamma)] });
}
