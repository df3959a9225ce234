// Predict, try, why. A fold above the picture contains the questions: the reader guesses, then
// the explorer shows the state of the question, and its figures give the answer.
const figureAt = (figures, name) => name.split(".").reduce((found, part) => found?.[part], figures);
const inWords = (value) =>
  typeof value === "number" ? shown({ whole: Number.isInteger(value) }, value) : String(value);

// The index of the correct choice, or the requested number.
function truthOf({ figure, choices, values, cuts }, figures) {
  if (Array.isArray(figure)) {
    const all = figure.map((name) => figureAt(figures, name));
    return all.indexOf(Math.min(...all));
  }
  const value = figureAt(figures, figure);
  if (!choices) return value;
  return values ? values.indexOf(value) : cuts.filter((cut) => cut <= value).length;
}

// Compare a guess with the figures: whether it is right, and the feedback.
function compared(step, guess, figures) {
  const truth = truthOf(step, figures);
  const named = (answer) => (step.choices ? `“${step.choices[answer]}”` : inWords(answer));
  const right = guess === truth;
  const told = step.told.replace(/\{([\w.]+)\}/g, (_, name) =>
    inWords(figureAt(figures, name)).replace("-", "−"),
  );
  return {
    right,
    words: `${right ? `Right: ${named(truth)}` : `You said ${named(guess)}; it is ${named(truth)}`}. ${told}`,
  };
}

// The folded questions above the picture; `bring` shows a state. Call the returned function for
// each state that is shown in full.
function holdSteps(el, spec, { page, bring }) {
  const { steps, why } = spec;
  if (!steps) return () => {};
  const fold = el.querySelector(".slr-steps");
  const body = fold.lastChild;
  const answers = steps.map(() => null); // the feedback to each
  let [at, pending] = [0, null];

  const paper = () => Object.fromEntries(spec.controls.map((c) => [c.name, c.paper]));
  const output = () => body.querySelector("output");

  function ask(guess) {
    if (answers[at]) return;
    pending = { guess, state: { ...paper(), ...steps[at].state } };
    output().textContent = "Running.";
    bring(pending.state);
  }

  function markup() {
    if (at === steps.length) {
      const name = escapeText(why.statement);
      const link = page ? `<a href="${why.page}.html#${why.label}">${name}</a>` : name;
      return `<p tabindex="-1"><b>Why.</b> ${escapeText(why.words)} See ${link}.</p>
<div class="slr-foot">${button("again", "from the first question")}</div>`;
    }
    const { question, choices } = steps[at];
    const given = choices
      ? choices
          .map(
            (words, i) =>
              `<button type="button" class="slr-guess" data-guess="${i}" aria-pressed="false">${escapeText(words)}</button>`,
          )
          .join("")
      : button("show", "show the tokens");
    return `<p tabindex="-1"><b>${at + 1} of ${steps.length}.</b> ${escapeText(question)}</p>
<div class="slr-foot" role="group" aria-label="your guess">${given}</div>
<output aria-live="polite"></output>
<div class="slr-foot">${at ? button("back", "back") : ""}${button("next", answers[at] ? "next" : "skip")}</div>`;
  }

  // Show the given answer: its button is pressed, the others are disabled.
  function marked() {
    const { guess, words } = answers[at] || {};
    body.querySelectorAll(".slr-guess").forEach((each, i) => {
      each.setAttribute("aria-pressed", i === guess);
      each.setAttribute("aria-disabled", answers[at] !== null);
    });
    output().textContent = words || "";
    body.querySelector(".slr-next").textContent = words ? "next" : "skip";
  }

  function turn(to, focus = true) {
    [at, pending] = [to, null];
    body.innerHTML = markup();
    const on = (name, event, act) => body.querySelector(name)?.addEventListener(event, act);
    on(".slr-next", "click", () => turn(at + 1));
    on(".slr-back", "click", () => turn(at - 1));
    on(".slr-again", "click", () => turn(0));
    on(".slr-show", "click", () => ask(null));
    body
      .querySelectorAll(".slr-guess")
      .forEach((each, i) => each.addEventListener("click", () => ask(i)));
    if (at < steps.length) marked();
    if (focus) body.firstChild.focus({ preventScroll: true });
  }
  // Scroll so that the picture is visible while the reader answers.
  fold.addEventListener("toggle", () => {
    if (!body.firstChild) turn(0, false);
    const { bottom } = el.querySelector(".slr-panels").getBoundingClientRect();
    if (fold.open && bottom > innerHeight) el.scrollIntoView();
  });

  return (values, figures) => {
    if (!pending || !figures) return;
    const { click } = steps[at];
    const strange = Object.entries(pending.state).some(
      ([name, value]) => !(click && byHand(name)) && values[name] !== value,
    );
    if (strange)
      pending = null; // the reader has changed the state
    else if (click && !truthOf(steps[at], figures))
      return void (output().textContent = "Choose in the picture.");
    else {
      const guess = click ? values[click] : pending.guess;
      answers[at] = { guess, ...compared(steps[at], guess, figures) };
      pending = null;
    }
    marked();
  };

  // Controls without an input element are changed in the picture.
  function byHand(name) {
    return !spec.controls.find((c) => c.name === name).place;
  }
}
