// The frame around a picture as HTML text: question, panels, reading, controls. An explorer is a
// `spec`, which comes from Python (question, note, controls, texts, constants), and a `view`, which
// draws (panels, names, draw, and optionally: work, points, choices, actions, first, inView, also,
// heatPanel, next, attach, python, slow, menu, reset).
const textsOf = ({ texts = [] }) => texts; // the traits that a reader can type
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

const calm = () => globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches;
// The button that plays a control to its end, or pauses; with reduced motion it goes to the end.
const player = (name, end) => (values) => {
  if (values.playing) return { playing: 0 };
  if (calm()) return { [name]: end };
  return { playing: 1, [name]: values[name] < end ? values[name] : 0 };
};

// A number in usual notation: −0.25, 1,400, and below 0.0001 a power of ten, 5.53 × 10⁻⁸.
const thousands = (words) => words.replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ",");
const minus = (words) => String(words).replace("-", "−");
const superscript = (n) => String(n).replace(/./g, (c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]));
const tenTo = (power, front = "1") =>
  `${front === "1" ? "" : front === "-1" ? "−" : `${minus(front)} × `}10${superscript(power)}`;
function written(value, digits = 3) {
  const [front, power] = value.toExponential(digits - 1).split("e");
  if (value && (power < -4 || power > 20)) return tenTo(+power, String(+front));
  return thousands(minus(+value.toPrecision(digits)));
}

// Three significant digits; integers in full with thousands separators.
function shown(control, value) {
  if (!control.whole) return written(value);
  return thousands(String(Math.round(value)));
}
const count = (value) => shown({ whole: true }, value);
const inSteps = (n) => (n === 1 ? "1 step" : `${count(n)} steps`);
// With a fixed number of decimals: −0.25, and 0.00 if the rest is zero.
const fixed = (value, digits = 2) =>
  value
    .toFixed(digits)
    .replace(/^-(?=.*[1-9])/, "−")
    .replace("-", "");

// The position of a value on its slider, and the inverse; a log slider holds the exponent of ten,
// one with stops the index of the stop.
function position(control, value) {
  if (control.stops) return control.stops.findLastIndex((stop) => stop <= value);
  return control.log ? +Math.log10(value).toFixed(6) : value;
}
function valueAt(control, place) {
  if (control.stops) return control.stops[place];
  let value = control.log ? +(10 ** place).toPrecision(3) : place;
  if (control.whole) value = Math.round(value);
  return clamp(value, control.low, control.high);
}

const optionsOf = (all, chosen) =>
  all
    .map(
      (words, i) =>
        `<option value="${i}"${i === chosen ? " selected" : ""}>${escapeText(words)}</option>`,
    )
    .join("");

function controlMarkup(control, value) {
  const [low, high] = [control.low, control.high].map((end) => position(control, end));
  const step = control.log ? +((high - low) / 200).toFixed(9) : control.step || 1; // not rounded: it reaches the end
  const keys = `data-name="${control.name}" data-lm-suppress-shortcuts="true"`; // no Jupyter shortcuts
  if (control.kind === "checkbox") {
    return `<label class="slr-toggle"><input type="checkbox" ${keys}${value ? " checked" : ""}>${escapeText(control.words)}</label>`;
  }
  const number = !control.kind
    ? ` <span class="slr-value" aria-hidden="true">${shown(control, value)}</span>`
    : "";
  const words = escapeText(control.words);
  const named = control.sign ? `<b>${control.sign}</b>${number} ${words}` : `${words}${number}`;
  const name = `<span class="slr-name">${named}</span>`;
  if (control.kind === "select")
    return `<label class="slr-control">${name}<select ${keys}>${optionsOf(control.options, value)}</select></label>`;
  const input = `<input type="${control.kind || "range"}" ${keys}
    min="${low}" max="${high}" step="${step}" value="${position(control, value)}" aria-valuetext="${shown(control, value)}">`;
  return `<label class="slr-control">${name}${input}</label>`;
}

// A menu that sets several controls at once.
function menuMarkup({ menu }, values) {
  if (!menu) return "";
  const options = optionsOf(menu.options, menu.chosen(values));
  return `<label class="slr-control"><span class="slr-name">${menu.words}</span><select class="slr-menu" data-lm-suppress-shortcuts="true">${options}</select></label>`;
}

const percent = (part, whole) => `${+((100 * part) / whole).toFixed(3)}%`;

// The position of a panel's plotting box, in percent of the panel.
function boxStyle(p) {
  const [w, h] = [p.width - p.left - p.right, p.height - p.top - p.bottom];
  return `left:${percent(p.left, p.width)};top:${percent(p.top, p.height)};width:${percent(w, p.width)};height:${percent(h, p.height)}`;
}

function pointStyle(view, point, values) {
  const p = view.panels[point.panel];
  return `left:${percent(p.X(values[point.x]), p.width)};top:${percent(p.Y(values[point.y]), p.height)}`;
}

const choiceGroups = ({ choices = [] }) => choices;

function panelMarkup(view, index, picture, values) {
  const p = view.panels[index];
  const { points = [], heatPanel } = view;
  let inside = "";
  if (heatPanel === index)
    inside = `<canvas class="slr-heat" style="${boxStyle(p)}" hidden></canvas>`;
  inside += `<svg viewBox="0 0 ${p.width} ${p.height}" role="img" aria-label="${escapeText(picture.labels[index])}">${picture.panels[index]}</svg>`;
  for (const point of points.filter(({ panel }) => panel === index)) {
    inside += `<button type="button" class="slr-point" role="slider" data-lm-suppress-shortcuts="true" style="${pointStyle(view, point, values)}" aria-label="${pointLabel(point)}" aria-valuemin="-1" aria-valuemax="1" aria-valuenow="${values[point.x]}" aria-valuetext="${pointSays(point, values)}"></button>`;
  }
  choiceGroups(view).forEach(({ panel, label }, group) => {
    if (panel !== index) return;
    const buttons = picture.choices[group].map(
      (c) =>
        `<button type="button" aria-pressed="${c.pressed}" aria-label="${escapeText(c.label)}"></button>`,
    );
    inside += `<div class="slr-choices" data-group="${group}" role="group" aria-label="${label}" style="${boxStyle(p)}">${buttons.join("")}</div>`;
  });
  return `<div class="slr-panel" style="aspect-ratio:${p.width}/${p.height}">${inside}</div>`;
}

// A draggable point for screen readers: its name, and its position in words; `says` gives the
// spoken names of its two coordinates.
const pointLabel = ({ says }) => `start: ${says.join(", ")}. Arrow keys move it.`;
const pointSays = ({ x, y, says }, values) =>
  [x, y].map((name, i) => `${says[i]} ${fixed(values[name]).replace("−", "minus ")}`).join(", ");

// The questions above the picture: the first one is visible at once, its answers are unfolded.
const stepsMarkup = ({ steps }) =>
  steps
    ? `<details class="slr-steps"><summary><b>Predict first</b><span class="slr-ask">: ${escapeText(steps[0].question)}</span></summary><div class="slr-step"></div></details>\n`
    : "";

const button = (kind, words, open = "") =>
  `<button type="button" class="slr-${kind}"${open}>${words}</button>`;

// The link to another explorer, in the state that is shown here.
const onward = ({ onward: to }) =>
  to ? `<p class="slr-onward"><a href="${to.href}">${escapeText(to.words)}</a></p>` : "";

function frameMarkup(spec, view, values, picture) {
  const controls = (place) =>
    spec.controls
      .filter((c) => c.place === place)
      .map((c) => controlMarkup(c, values[c.name]))
      .join("");
  const panels = view.panels.map((_, index) => panelMarkup(view, index, picture, values)).join("");
  const actions = (picture.actions || []).map((words, i) =>
    button(
      `action${i === view.first ? " slr-first" : ""}`,
      escapeText(words),
      picture.current > 0 && i ? ` aria-current="${i === picture.current}"` : "",
    ),
  );
  const [inView, toggles] = [view.inView ?? actions.length, controls("toggle")];
  const tabs = view.names.map(
    (name, i) => `<button type="button" aria-pressed="${i === 0}">${escapeText(name)}</button>`,
  );
  const offered =
    tabs.length > 1
      ? `<div class="slr-tabs" role="group" aria-label="picture in view">${tabs.join("")}</div>`
      : "";
  const main = `<div class="slr-controls">${menuMarkup(view, values)}${controls("view")}</div>`;
  const foot = `<div class="slr-foot">${actions.slice(0, inView).join("")}
<details class="slr-more"><summary>More</summary><div class="slr-inner"><div class="slr-controls">${controls("more")}</div>
<div class="slr-foot">${actions.slice(inView).join("")}${button("reset", "reset to the paper’s values")}${button("link", "copy link")}${spec.python ? button("lines", "as Python", ' aria-expanded="false"') : ""}</div></div></details></div>`;
  const hands = picture.onward ? [foot, main] : [main, foot]; // the play button comes first
  return `<div class="slr-box" role="group" aria-label="${escapeText(spec.question)}">
<p class="slr-question">${escapeText(spec.question)}</p>
${stepsMarkup(spec)}${offered}
<div class="slr-panels" data-tab="0">${panels}</div>
<output class="slr-reading" aria-live="polite">${escapeText(picture.reading)}</output>${onward(picture)}
<div class="slr-hands">${toggles ? `<div class="slr-toggles">${toggles}</div>\n` : ""}${hands.join("\n")}</div>
<pre class="slr-code" tabindex="0" aria-label="as Python" hidden></pre>
<p class="slr-note">${escapeText(spec.note)
    .replace(/ ([=<>≤≥/]) /g, "\u00a0$1\u00a0")
    .replace(/λ_(c|sw)/g, "λ<sub>$1</sub>")}</p></div>`;
}
