// "Try it": an editor for Python below a cell or an exercise. Edited code is stored only on the
// reader's own machine; MicroPython is loaded by the first click.
const HOME = document.currentScript.src.replace(/[^/]*$/, "");
const STORE = "slr-try";
const SIZE = `${(KNOWN.size / 1e6).toFixed(1)} MB`;
const HINT =
  "This is MicroPython, not JAX: plain numbers and lists, no NumPy. Ctrl+Enter runs; Tab indents, and after Escape it leads on.";

const kept = () => JSON.parse(slrStored.get(STORE)) ?? {};
const keep = (name, code) =>
  slrStored.set(STORE, JSON.stringify({ ...kept(), [name]: code || undefined }));

let engine = null; // a promise, the same for all boxes of a page
let arrive;
function loaded() {
  return (engine ||= new Promise((resolve, reject) => {
    arrive = (make) => resolve(make());
    const script = document.createElement("script");
    script.src = HOME + KNOWN.engine;
    script.onerror = () => reject(new Error("it did not come; Run tries again"));
    document.head.append(script);
    script.onload = () => script.remove();
  }).catch((error) => {
    engine = null;
    throw error;
  }));
}

// Run code in a separate Worker; `hear` receives its output ({said}) and plots ({lot}). Returns a
// function that stops it, and a promise of its end: {failed}, a traceback or an empty string.
function run(code, hear) {
  let stop;
  const ended = new Promise((resolve, reject) => {
    stop = () => resolve({ failed: "", stopped: true });
    const fail = (words) => reject(new Error(words));
    loaded()
      .then(({ begin }) => {
        const hears = (told) => {
          if (told.broken) fail(told.broken);
          else if (told.done) resolve({ failed: told.failed });
          else hear(told);
        };
        const end = begin(code, hears, fail);
        ended.then(end, end);
      })
      .catch(reject);
  });
  return { ended, stop };
}

const BOX = `<div class="slr-try-box">
  <label><span>Python, yours to change</span><textarea spellcheck="false" autocapitalize="off" autocomplete="off" autocorrect="off" wrap="off"></textarea></label>
  <p class="slr-try-hint"></p>
  <p class="slr-try-hands"><button type="button" class="slr-try-run">Run</button>
  <button type="button" class="slr-try-stop" aria-disabled="true">Stop</button>
  <button type="button" class="slr-try-reset">Reset</button> <span role="status"></span></p>
  <pre class="slr-try-said" role="log" aria-label="What it printed" tabindex="0" hidden></pre>
  <div class="slr-panel slr-try-plot" hidden></div></div>`;

// Tab indents, except directly after Escape; Enter keeps the indentation; Ctrl+Enter runs.
function typing(field, start) {
  let leaving = false;
  const insert = (words) => {
    if (!document.execCommand?.("insertText", false, words))
      field.setRangeText(words, field.selectionStart, field.selectionEnd, "end");
    field.dispatchEvent(new Event("input"));
  };
  field.addEventListener("keydown", (event) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    const leave = leaving;
    if (key !== "Shift") leaving = key === "Escape";
    if (event.isComposing || altKey) return;
    if (key === "Enter" && (ctrlKey || metaKey)) start();
    else if (key === "Tab" && !shiftKey && !leave && !ctrlKey && !metaKey) insert("    ");
    else if (key === "Enter" && !shiftKey) {
      const line = field.value.slice(0, field.selectionStart).split("\n").pop();
      insert(`\n${/^ */.exec(line)[0]}${/:\s*$/.test(line) ? "    " : ""}`);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  field.addEventListener("blur", () => (leaving = false));
}

function opened(place, name, given) {
  place.insertAdjacentHTML("beforeend", BOX);
  const part = (kind) => place.querySelector(`.slr-try-${kind}`);
  const [box, said, plot] = ["box", "said", "plot"].map(part);
  const [field, status] = ["textarea", "[role=status]"].map((name) => place.querySelector(name));
  let [results, running] = [{ said: "", lots: [] }, null];
  field.value = kept()[name]?.code ?? given;
  field.rows = Math.min(24, field.value.split("\n").length + 1);
  part("hint").textContent = HINT;
  part("hint").id = `slr-try-hint-${name}`;
  field.setAttribute("aria-describedby", part("hint").id);
  const save = () => keep(name, field.value !== given && { code: field.value });
  const write = () => {
    said.textContent = results.said;
    said.hidden = !results.said;
  };
  const draw = async () => {
    plot.hidden = !results.lots.length;
    if (!plot.hidden) plot.innerHTML = (await loaded()).pictured(results.lots);
  };
  const clear = () => {
    results = { said: "", lots: [] };
    write();
    draw();
  };
  const busy = (yes) => {
    part("stop").ariaDisabled = !yes;
    part("run").ariaDisabled = yes;
  };
  const start = async () => {
    if (running) return;
    clear();
    status.textContent = engine ? "Running." : `Loading Python (${SIZE}).`;
    busy(true);
    const mine = (running = run(field.value, (told) => {
      if (mine !== running) return;
      if (told.lot) results.lots.push(told.lot);
      else {
        results.said += told.said;
        write();
      }
    }));
    loaded().then(
      () => {
        if (mine === running) status.textContent = "Running.";
      },
      () => {},
    );
    let word = "";
    try {
      const { failed, stopped } = await mine.ended;
      results.said += failed;
      word = stopped ? "Stopped." : failed ? "An error, named below." : "Done.";
    } catch ({ message }) {
      word = `Python could not start: ${message}.`;
    }
    if (mine !== running) return; // it has been reset in the meantime
    running = null;
    if (!results.said && !results.lots.length && word === "Done.")
      word = "Done; nothing was printed.";
    write();
    await draw();
    busy(false);
    status.textContent = word;
  };
  part("run").addEventListener("click", start);
  part("stop").addEventListener("click", () => running?.stop());
  part("reset").addEventListener("click", () => {
    const old = running;
    running = null;
    old?.stop();
    field.value = given;
    clear();
    busy(false);
    status.textContent = "As it was.";
    keep(name, null);
  });
  field.addEventListener("input", save);
  typing(field, start);
  return { box, field };
}

addEventListener("DOMContentLoaded", () => {
  for (const place of document.querySelectorAll(".slr-try")) {
    const { name } = place.dataset;
    const given = place.querySelector("template").content.textContent;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "slr-try-open";
    button.textContent = kept()[name] ? "Try it (as you left it)" : "Try it";
    button.setAttribute("aria-expanded", false);
    place.append(button);
    let parts = null;
    button.addEventListener("click", () => {
      parts ||= opened(place, name, given);
      const shown = button.getAttribute("aria-expanded") !== "true";
      button.setAttribute("aria-expanded", shown);
      parts.box.hidden = !shown;
      if (!shown) return;
      loaded().catch(() => {});
      parts.field.focus();
    });
  }
});
