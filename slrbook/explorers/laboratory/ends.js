// Where runs end, counted and said.
const STARTS = ["on M", "on the spheres", "from your start"];
const apartFrom = (x) => (x && x < ON_M ? `less than ${written(ON_M)}` : written(x));
const percent = (x) => Math.round(100 * x);

// Wilson's 95 % interval of a share.
function wilson(hits, n) {
  const [z, share] = [1.959963984540054, hits / n];
  const width = (z * z) / n;
  const middle = (share + width / 2) / (1 + width);
  const half = (z * Math.sqrt((share * (1 - share)) / n + width / (4 * n))) / (1 + width);
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

function endsOf({ all, lam }, { d, L, gamma }) {
  const names = all.map(([kappa, nu, , eta]) => STATES[ending(kappa, nu, eta, lam, d, L, gamma)]);
  return [...STATES.slice(1), STATES[0]].flatMap((name) => {
    const hits = names.filter((one) => one === name).length;
    return hits ? [[name, hits, ...wilson(hits, names.length)]] : [];
  });
}

function listOf(ends, runs, kept) {
  const interval = (low, high) => (kept ? "" : ` (${percent(low)} to ${percent(high)}%)`);
  return ends
    .map(([name, hits, ...ends]) => (runs > 1 ? `${hits} ${name}${interval(...ends)}` : name))
    .join(", ");
}

const whoOf = ({ batch, start }, { t, all: { length: n } }) =>
  `${batch ? "SGD" : "PGD"}, ${n} ${n > 1 ? "runs" : "run"} ${STARTS[start]}, after ${count(t)} steps: `;

// What is seen of a set of runs. Of one to compare with less, as a phone has little room, and not again
// what is said of the other, `beside`.
function say(values, row, ends, beside) {
  const [kept, runs, who] = [beside !== undefined, row.all.length, whoOf(values, row)];
  const [[, risk]] = row.bands;
  const words = `${who === beside ? "" : who}${listOf(ends, runs, kept)}. ${runs > 1 ? "Median excess risk" : "Excess risk"} ${written(risk)}`;
  return kept ? `${words}.` : `${words}; that of the teacher is ${written(row.oracle)}.`;
}
