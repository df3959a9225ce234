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

const listOf = (ends, runs) => ends.map(([name, hits, low, high]) =>
  runs > 1 ? `${hits} of ${runs} ${name} (${percent(low)} to ${percent(high)} %)` : name).join(", ");

// What is seen of a lot; of one that is kept beside another less, as a phone has little room.
function say(values, row, ends, kept = false) {
  const runs = row.all.length;
  const who = `${values.batch ? "SGD" : "PGD"}, ${runs} ${runs > 1 ? "runs" : "run"} ${STARTS[values.start]}`;
  const [[, risk], , , [, distance]] = row.bands;
  const words = `${who}, after ${count(row.t)} steps: ${listOf(ends, runs)}. ${runs > 1 ? "Median excess risk" : "Excess risk"} ${written(risk)}`;
  return kept ? `${words}.` : `${words}, the oracle pair’s ${written(row.oracle)}; distance to M ${apartFrom(distance)}.`;
}
