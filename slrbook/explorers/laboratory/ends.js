// Count and describe the ends of runs.
const STARTS = ["on M", "on the spheres", "from your start"];
// Each outcome: its state, color, name and the marker next to its count.
const OUTCOMES = [
  [STATES[1], "oracle", "recovered", "★"],
  ["swapped", "swapped", "swapped", "◆"],
  ["tilted", "tilted", "tilted", "▲"],
  ["on the plateau", "v", "on the plateau", "●"],
  ["undecided", "other", "undecided", "•"],
];
const CONVERGED = 3; // index of the first state to which a run converges
const apartFrom = (x) => (x && x < ON_M ? `less than ${written(ON_M)}` : written(x));
const SAYS = [written, (x) => x.toFixed(3), apartFrom]; // formats of the medians
const percent = (x) => Math.round(100 * x);

// Wilson's 95% interval of a fraction.
function wilson(hits, n) {
  const [z, share] = [1.959963984540054, hits / n];
  const width = (z * z) / n;
  const middle = (share + width / 2) / (1 + width);
  const half = (z * Math.sqrt((share * (1 - share)) / n + width / (4 * n))) / (1 + width);
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}

// The outcome of each run at a row; it is cached in the row.
function outcomesOf(row, { d, L, gamma }) {
  row.outcomes ||= row.all.map(
    ([kappa, nu, , eta]) => STATES[ending(kappa, nu, eta, row.lam, d, L, gamma)],
  );
  return row.outcomes;
}

function endsOf(row, values) {
  const names = outcomesOf(row, values);
  return OUTCOMES.flatMap(([name]) => {
    const hits = names.filter((one) => one === name).length;
    return hits ? [[name, hits, ...wilson(hits, names.length)]] : [];
  });
}

// How many runs have recovered the teacher, and the outcomes of the others.
function say({ t, all: { length: n } }, ends) {
  const after = `after ${count(t)} steps`;
  const hits = ends.find(([name]) => name === STATES[1])?.[1] ?? 0;
  const others = ends
    .filter(([name]) => name !== STATES[1])
    .map(([name, hits]) => [name === "swapped" ? "swapped (k and v exchange roles)" : name, hits]);
  if (n === 1)
    return `${hits ? `The run has ${STATES[1]}` : `None: the run is ${others[0][0]}`} ${after}.`;
  const many = hits === n ? `All ${n} runs` : `${hits || "None"} of ${n} runs`;
  const rest = others.map(([name, hits]) => `${hits} ${name}`).join(", ");
  const recovered = `${hits === 1 ? "has" : "have"} ${STATES[1]} ${after}`;
  return `${many} ${recovered}${rest ? `; ${rest}` : ""}.`;
}

function details({ batch, start }, { all, bands, oracle }, ends) {
  const intervals = ends
    .map(([name, , ...ends]) => `${name} ${ends.map(percent).join(" to ")}%`)
    .join(", ");
  const sizes = all.length > 1 ? ` Wilson’s 95% intervals: ${intervals}.` : "";
  return ` ${batch ? "SGD" : "PGD"}, starts ${STARTS[start]}.${sizes} Median excess risk ${written(bands[0][1])}; teacher ${written(oracle)}.`;
}

// The same for the runs kept for comparison, at their last displayed row.
function sayKept({ rows, values }, steps) {
  const seen = rowAt(rows, steps);
  return say(seen, endsOf(seen, values));
}
