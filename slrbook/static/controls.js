// User input: controls, draggable points, choices, actions, reset; one redraw per frame, work in
// slices. Work that yields null waits for an external result and does not continue in this frame.
const SLICE = 8; // milliseconds of work in a frame that draws
const FIRST = 2; // the same in a frame that answers input, so that the answer appears at once
const PAUSE = 80; // milliseconds between two pictures of active work

function render(spec, view, { model, el, page }) {
  const byName = Object.fromEntries(spec.controls.map((c) => [c.name, c]));
  const paper = Object.fromEntries(spec.controls.map((c) => [c.name, c.paper]));
  const read = () => {
    const values = {};
    for (const { name, low, high } of spec.controls)
      values[name] = clamp(+model.get(name), low, high);
    return values;
  };
  let values = read();
  // A page holds a still picture of the paper's values. It stays until the first run has finished
  // or, if a run takes seconds, until the reader uses a control.
  const printed = page && Object.keys(paper).every((name) => values[name] === paper[name]);
  const rests = printed && view.slow;
  const state = { drawn: 0, memo: {}, unseen: printed };
  let picture = view.draw(values, undefined, state.memo);
  const still =
    printed && [...el.querySelectorAll("svg, .slr-reading")].map((part) => part.outerHTML);
  el.classList.add("slr-explorer");
  el.innerHTML = frameMarkup(spec, view, values, picture);
  if (still)
    el.querySelectorAll("svg, .slr-reading").forEach((part, i) => (part.outerHTML = still[i]));
  const find = (selector) => [...el.querySelectorAll(selector)];
  const [panels, inputs] = [find(".slr-panel"), find("input, select:not(.slr-menu)")];
  const [reading, code, menu] = [".slr-reading", ".slr-code", ".slr-menu"].map((x) => find(x)[0]);

  const python = () => pythonOf(spec, view, values, picture.figures);
  const turn = holdFoot(el, code, { page, values: () => ({ ...read(), ...picture.of }), python });

  function change(changes) {
    state.touched = true;
    for (const [name, value] of Object.entries(changes)) {
      model.set(name, clamp(value, byName[name].low, byName[name].high));
    }
    model.save_changes();
  }

  const heard = holdSteps(el, spec, {
    page,
    bring(state) {
      change(state);
      refresh();
    },
  });

  // A new value stops the current work and playing; the next frame restarts them.
  function refresh() {
    clearTimeout(state.timer); // otherwise a stop of the play might undo a reset
    state.work = null;
    state.unseen = false;
    el.ariaBusy = true;
    if (!state.frame) state.frame = requestAnimationFrame(paint);
  }

  // An error stops the current work: the page reports it and waits for another value.
  function paint() {
    state.frame = 0;
    try {
      proceed();
    } catch (error) {
      el.ariaBusy = false;
      reading.textContent = "An error: this state cannot be shown. Another value starts again.";
      reportError(error);
    }
  }

  function proceed() {
    const fresh = !state.work;
    if (fresh) {
      values = read();
      state.work = view.work ? view.work(values, state.memo) : [][Symbol.iterator]();
      state.done = false;
      state.result = undefined;
    }
    const start = performance.now();
    const draws = !state.unseen && (fresh || start - state.drawn > PAUSE);
    const end = start + (fresh ? FIRST : draws ? SLICE : 1.6 * SLICE);
    let next;
    do {
      next = state.work.next();
      state.done = next.done;
      if (next.value) state.result = next.value;
    } while (!state.done && next.value !== null && performance.now() < end);
    if (state.done) state.unseen = false;
    if (draws || state.done) {
      picture = view.draw(values, state.result, state.memo);
      state.drawn = start;
      show();
    }
    el.ariaBusy = !state.done;
    if (!state.done) state.frame = requestAnimationFrame(paint);
    else {
      heard(values, picture.figures);
      publish();
    }
    clearTimeout(state.timer);
    if (values.playing)
      state.timer = setTimeout(() => change(view.next(values, state.memo)), view.pace);
  }

  // Text and picture show the same state; during work the text reports the progress.
  function show() {
    reading.setAttribute("aria-live", values.playing || !state.done ? "off" : "polite");
    const words = state.done ? picture.reading : picture.running || "Running.";
    if (reading.textContent !== words) reading.textContent = words;
    inputs.forEach(showInput);
    if (menu) menu.value = view.menu.chosen(values);
    find(".slr-point").forEach((handle, i) => {
      handle.style.cssText = pointStyle(view, view.points[i], values);
      handle.setAttribute("aria-valuenow", values[view.points[i].x]);
      handle.setAttribute("aria-valuetext", pointSays(view.points[i], values));
    });
    if (state.done && picture.tab !== state.tab) turn((state.tab = picture.tab)); // next tab
    if (!code.hidden) code.textContent = python();
    if (calm() && !state.done) return; // with reduced motion show only the end state
    panels.forEach((panel, index) => {
      const svg = panel.querySelector("svg");
      svg.innerHTML = picture.panels[index];
      svg.setAttribute("aria-label", picture.labels[index]);
    });
    if (picture.heat) paintHeat(panels[view.heatPanel].querySelector("canvas"), picture.heat);
    find(".slr-choices button").forEach((button, i) => {
      const { pressed, label, off = false } = picture.choices.flat()[i];
      button.setAttribute("aria-pressed", pressed);
      button.setAttribute("aria-disabled", off); // cannot be chosen yet, or any more
      button.setAttribute("aria-label", label);
    });
    find(".slr-action").forEach((button, i) => {
      if (button.textContent !== picture.actions[i]) button.textContent = picture.actions[i];
      if (button.ariaCurrent) button.ariaCurrent = i === picture.current;
    });
    if (picture.names)
      find(".slr-tabs button").forEach((tab, i) => (tab.textContent = picture.names[i]));
    if (picture.onward) {
      const link = find(".slr-onward a")[0];
      [link.href, link.textContent] = [picture.onward.href, picture.onward.words];
    }
  }

  function showInput(input) {
    const control = byName[input.dataset.name];
    const value = values[control.name];
    if (control.kind === "checkbox") return void (input.checked = value > 0);
    if (control.kind === "select") return void (input.value = value);
    const busy = el.getRootNode().activeElement === input;
    const here = valueAt(control, +input.value);
    if (!busy || Math.abs(here - value) > 1e-9) input.value = position(control, value);
    input.setAttribute("aria-valuetext", shown(control, value));
    const number = input.parentElement.querySelector(".slr-value");
    if (number) number.textContent = shown(control, value);
  }

  // After input has stopped, update Python and the address: the results, and their state.
  function publish() {
    clearTimeout(state.later);
    const { reading, figures, of } = picture;
    const seen = { of: { ...values, ...of }, reading, figures };
    state.touched ||= textsOf(spec).some((text) => of?.[text]);
    state.later = setTimeout(() => {
      model.set("seen", seen);
      model.save_changes();
      if (page && state.touched && !values.playing) page.leave(seen.of);
    }, 60);
  }

  inputs.forEach((input) =>
    input.addEventListener("input", () => {
      const control = byName[input.dataset.name];
      const given = view.also?.[control.name];
      const also = typeof given === "function" ? given(values) : given;
      if (control.kind === "checkbox") change({ [control.name]: +input.checked });
      else if (input.value !== "")
        change({ ...also, [control.name]: valueAt(control, +input.value) });
    }),
  );
  menu?.addEventListener("change", () => change(view.menu.choose(+menu.value)));
  find(".slr-reset")[0].addEventListener("click", () => {
    view.reset?.(state.memo);
    change(paper);
    refresh();
  });
  find(".slr-action").forEach((button, i) =>
    button.addEventListener("click", () => {
      const changes = view.actions[i](values, state.memo);
      if (changes) change(changes);
      else refresh();
    }),
  );
  choiceGroups(view).forEach(({ choose }, group) =>
    find(`.slr-choices[data-group="${group}"] button`).forEach((button, i) =>
      button.addEventListener("click", () => change(choose(i, values))),
    ),
  );
  find(".slr-point").forEach((handle, i) =>
    holdPoint(view, view.points[i], handle, read, change, paper),
  );

  const detach = view.attach?.({ model, el, refresh, memo: state.memo });
  const names = Object.keys(byName);
  names.forEach((name) => model.on(`change:${name}`, refresh));
  if (rests) el.ariaBusy = false;
  else paint();
  return () => {
    detach?.();
    names.forEach((name) => model.off(`change:${name}`, refresh));
    cancelAnimationFrame(state.frame);
    clearTimeout(state.timer);
    clearTimeout(state.later);
  };
}
