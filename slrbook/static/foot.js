// The foot of an explorer: the link to its state, the equivalent Python code, and tabs on a phone.

// The Python code that computes the display: the template of the spec with its numbers. Code that
// uses slrlib starts by enabling double precision.
const WIDE = `im${"port"} jax\njax.config.update("jax_enable_x64", True)\n`;
function pythonOf(spec, view, values, figures) {
  const known = { ...values, ...view.python?.(values, figures) };
  const lines = spec.python
    .replaceAll("§", "im" + "port ")
    .replace(/\{(\w+)\}/g, (_, name) => known[name] ?? _);
  return lines.includes("slrlib") ? WIDE + lines : lines;
}

// A comma-separated list, broken into lines.
function folded(items) {
  let [text, length] = ["", 0];
  items.forEach((item, i) => {
    const words = `${item}${i < items.length - 1 ? "," : ""}`;
    const breaks = length + words.length > 72;
    text += `${i ? (breaks ? "\n    " : " ") : ""}${words}`;
    length = breaks ? words.length : length + words.length + 1;
  });
  return text;
}
const listed = (items) => `[${folded(items)}]`;

// Whether a schedule decreases and is held before the last step.
const isHeld = ({ decay, until, steps }) => decay > 0 && until < steps;

// Runs of descent as an experiment of slrlib, with the lines that load the names it uses. Defaults
// of slrlib are left out; `start` is one start for all runs; on M it has two numbers.
const importing = (place, names) => `from ${place} ${"im" + "port"} ${names}`; // pages must not contain it
function experimentOf(name, given) {
  const { d = 400, L = 10, gamma, noise, lam, lam0 = lam, decay, until, batch, start } = given;
  const { alpha, steps, every = steps, runs = start && 1, onM, seed } = given;
  const named = (all, usual = {}) =>
    Object.entries(all)
      .filter(([word, x]) => x !== undefined && x !== usual[word])
      .map(([word, x]) => `${word}=${x}`);
  const usual = { gamma: 0.5 ** 0.5, noise: 0.1 };
  const task = named({ d, L, gamma, noise: batch ? noise : undefined }, usual);
  const [falls, stops] = [decay > 0, isHeld({ decay, until, steps })];
  const falling = falls ? `inverse_decay(${lam0}, ${decay})` : `constant(${lam0})`;
  const five = Object.fromEntries(
    ["kappa", "nu", "theta", "eta", "rho"].map((word, i) => [word, +(start?.[i] ?? 0).toFixed(12)]),
  );
  const more = {
    repetitions: runs,
    on_manifold: onM ? "True" : undefined,
    batch: batch || undefined,
    seed,
  };
  const lines = [
    folded([
      `"${name}"`,
      `Task(${task.join(", ")})`,
      stops ? `held(${falling}, ${until})` : falling,
    ]),
    folded(named({ alpha, steps, log_every: every, ...more }, { repetitions: 30, seed: 0 })),
    start && `starts=Overlaps(${folded(named(five))})`,
  ];
  const imports = [
    importing("slrlib", start ? "Overlaps, Task" : "Task"),
    importing("slrlib.dynamics", `${stops ? "held, " : ""}${falls ? "inverse_decay" : "constant"}`),
    importing("slrlib.experiments", "Descent, run"),
  ];
  return {
    imports: imports.join("\n"),
    experiment: `Descent(\n    ${lines.filter(Boolean).join(",\n    ")},\n)`,
  };
}

// Copy to the clipboard, if there is one.
async function copied(words) {
  try {
    await navigator.clipboard.writeText(words);
    return true;
  } catch {
    return false;
  }
}

// Escape closes the element that has the focus, and returns the focus to what opened it.
function holdEscape(place) {
  place.addEventListener("keydown", ({ key, target }) => {
    if (key !== "Escape") return;
    const opener = target.matches(".slr-code") ? place.querySelector(".slr-lines") : target;
    const fold = target.closest("details[open]");
    if (opener.ariaExpanded === "true") {
      opener.click();
      opener.focus();
    } else if (place.contains(fold)) {
      fold.open = false;
      fold.querySelector("summary").focus();
    }
  });
}

function holdFoot(el, code, { page, values, python }) {
  const [link, lines] = ["link", "lines"].map((name) => el.querySelector(`.slr-${name}`));
  const say = (button, words, usual) => {
    button.textContent = words;
    setTimeout(() => (button.textContent = usual), 1500);
  };
  link.hidden = !page;
  link.addEventListener("click", async () => {
    const address = page.leave(values());
    say(link, (await copied(address)) ? "copied" : "see the address", "copy link");
  });
  lines?.addEventListener("click", async () => {
    code.hidden = !code.hidden;
    lines.setAttribute("aria-expanded", !code.hidden);
    if (code.hidden) return;
    code.textContent = python();
    if (await copied(code.textContent)) say(lines, "copied", "as Python");
  });
  holdEscape(el);
  const tabs = [...el.querySelectorAll(".slr-tabs button")];
  const turn = (chosen) => {
    el.querySelector(".slr-panels").dataset.tab = chosen;
    tabs.forEach((other, i) => other.setAttribute("aria-pressed", i === chosen));
  };
  tabs.forEach((tab, chosen) => tab.addEventListener("click", () => turn(chosen)));
  return turn;
}
