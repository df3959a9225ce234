// Through training: stored runs of the layer, at the selected step.
const STEPS = SPEC.controls[0].stops;
const LAST = STEPS.length - 1;
const { max, sqrt } = Math;
const FRAME = { width: 340, height: 280, left: 44, right: 18, top: 28, bottom: 44 };
const RING = 0.8; // the median alignment marked by the rings
const rowAt = (step) => position(SPEC.controls[0], step);
const across = plane({ ...FRAME, xs: [0, sqrt(STEPS[LAST])], ys: [0, 1.04] });

// A median with its band, and a dot at the selected row.
function banded(rows, Y, row, kind) {
  const [middle, low, high] = rows.map((values) =>
    values.map((value, i) => [across.X(sqrt(STEPS[i])), Y(value)]),
  );
  return (
    area(low, high, `band ${kind}`) +
    curve(middle, `path ${kind}${kind === "k" ? " long" : ""}`) +
    marker("dot", ...middle[row], 4, kind)
  );
}

const explorer = {
  panels: [across, plane({ ...FRAME, xs: [-0.6, 10.6], ys: [0, 1.1] })],
  names: ["alignment", "attention"],
  pace: 200,
  first: 0,

  // Go to the next stop, or stop playing at the last one.
  next({ step }) {
    const row = rowAt(step) + 1;
    return row > LAST ? { playing: 0 } : { step: STEPS[row] };
  },

  actions: [player("step", STEPS[LAST])],

  draw(values) {
    const row = rowAt(values.step);
    const data = SPEC.constants.runs[values.zero];
    const { k, v } = data;
    const unit = (value) => value / 1000;
    const [own, informative] = data.example.map((token) => unit(token[row]));
    const risk = data.risk[row] / 1e5;
    const [kHere, vHere, seen] = [k[0][row], v[0][row], data.seen[row]].map(unit);

    const p = explorer.panels[1];
    let bars = axes(p, {
      xlabel: "output row r and ten tokens",
      xticks: [0, 1, 10],
      yticks: [0, 0.5, 1],
      show: (x, axis) => (axis === "x" && !x ? "r" : x),
    });
    data.example.forEach((token, i) => {
      const kind = ["", "informative"][i] ?? "other";
      bars += bar(p.X(i), 18, p.Y(0), p.Y(unit(token[row])), `bar ${kind}`);
    });
    bars += textFrom(4, 14, "attention weights of the output row r", "hint");
    const named = { kind: "strong informative on" };
    bars += text(p.X(1), p.Y(informative) - 4, written(informative), named);

    const [right, foot] = [across.end, across.foot];
    const ringed = [k, v].map(([median]) => median.findIndex((value) => unit(value) >= RING));
    const x = across.X(sqrt(STEPS[row]));
    const cursor = line(x, across.top, x, foot, "grid");
    const time = {
      xlabel: "steps of SGD",
      xticks: [0, 500, 2000, 8000].map(sqrt),
      yticks: [0, 0.5, 1],
    };
    let turns =
      axes(across, { ...time, show: (tick, axis) => (axis === "x" ? count(tick ** 2) : tick) }) +
      cursor;
    const cap = across.Y(unit(data.cap));
    turns += line(across.left, cap, right, cap, "dots k");
    ["k", "v"].forEach((kind, i) => {
      turns += banded(data[kind], (value) => across.Y(unit(max(value, 0))), row, kind);
      const [ringX, ringY] = [sqrt(STEPS[ringed[i]]), unit(data[kind][0][ringed[i]])];
      turns += marker("ring", across.X(ringX), across.Y(ringY), 5, kind);
    });
    turns += textFrom(4, 14, "alignment", "hint");
    turns += legend(right - 110, 14, 20, "k long", "|k·k*|", 4);
    turns += legend(right - 40, 14, 14, "v", "v·v*", 4);

    const phase =
      seen < 0.2
        ? "the attention is still almost uniform"
        : seen < 0.9
          ? "the attention concentrates on the informative token"
          : "the attention is on the informative token";
    const order = ["|k·k*|", "v·v*"].map((name, i) => [STEPS[ringed[i]], name]);
    const [[early, first], [late, second]] = order.sort(([a], [b]) => a - b);
    const numbers = `|k·k*| ${row ? written(kHere) : "not defined"}, v·v* ${written(vHere)}`;
    return {
      panels: [turns, bars],
      labels: [
        `Alignments against the steps of SGD; at step ${count(STEPS[row])}, ${numbers}.`,
        `The weights of the output row at step ${count(STEPS[row])}: ${written(informative)} on the informative token, ${written(own)} on itself.`,
      ],
      actions: [values.playing ? "pause" : "play the training"],
      reading: `The median of ${first} exceeds ${RING} at stored step ${early}, and that of ${second} only at step ${late}. At step ${count(STEPS[row])}, ${row ? phase : "nothing has been learned yet"}.`,
      figures: {
        step: STEPS[row],
        risk,
        k: kHere,
        v: vHere,
        seen,
        example: data.example.map((token) => unit(token[row])),
      },
    };
  },
};
