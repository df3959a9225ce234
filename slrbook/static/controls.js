// The hand: inputs, draggable points, choices, actions, reset; one redraw a frame, work in slices.
const SLICE = 8; // milliseconds of work between two redraws

function render(spec, view, { model, el }) {
  const byName = Object.fromEntries(spec.controls.map((c) => [c.name, c]));
  const paper = Object.fromEntries(spec.controls.map((c) => [c.name, c.paper]));
  const read = () => {
    const values = {};
    for (const { name, low, high } of spec.controls) values[name] = clamp(+model.get(name), low, high);
    return values;
  };
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches; // then the end state at once
  const state = { work: null, result: undefined, done: false, frame: 0, later: 0, memo: {} };
  let values = read();
  let picture = view.draw(values, undefined, state.memo);
  el.classList.add("slr-explorer");
  el.innerHTML = frameMarkup(spec, view, values, picture);
  const find = (selector) => [...el.querySelectorAll(selector)];
  const [panels, reading, inputs] = [find(".slr-panel"), find(".slr-reading")[0], find("input, select")];

  function change(changes) {
    for (const [name, value] of Object.entries(changes)) {
      model.set(name, clamp(value, byName[name].low, byName[name].high));
    }
    model.save_changes();
  }

  // A new value ends the work under way; the next frame starts it again.
  function refresh() {
    state.work = null;
    el.ariaBusy = true;
    if (!state.frame) state.frame = requestAnimationFrame(paint);
  }

  function paint() {
    state.frame = 0;
    if (!state.work) {
      values = read();
      state.work = view.work ? view.work(values) : [][Symbol.iterator]();
      state.done = false;
      state.result = undefined;
    }
    const end = performance.now() + SLICE;
    do {
      const next = state.work.next();
      state.done = next.done;
      if (next.value) state.result = next.value;
    } while (!state.done && performance.now() < end);
    picture = view.draw(values, state.result, state.memo);
    if (state.done || !calm) show();
    el.ariaBusy = !state.done;
    if (!state.done) state.frame = requestAnimationFrame(paint);
    else publish();
    clearTimeout(state.timer);
    if (values.playing) state.timer = setTimeout(() => change(view.next(values)), view.pace);
    reading.setAttribute("aria-live", values.playing ? "off" : "polite");
  }

  function show() {
    panels.forEach((panel, index) => {
      const svg = panel.querySelector("svg");
      svg.innerHTML = picture.panels[index];
      svg.setAttribute("aria-label", picture.labels[index]);
    });
    if (picture.heat) paintHeat(panels[view.heatPanel].querySelector("canvas"), picture.heat);
    inputs.forEach(showInput);
    find(".slr-choices button").forEach((button, i) => {
      button.setAttribute("aria-pressed", picture.choices[i].pressed);
      button.setAttribute("aria-label", picture.choices[i].label);
    });
    find(".slr-action").forEach((button, i) => (button.textContent = picture.actions[i]));
    find(".slr-point").forEach((handle, i) => {
      handle.style.cssText = pointStyle(view, view.points[i], values);
      handle.setAttribute("aria-label", pointLabel(view.points[i], values));
    });
    if (state.done && reading.textContent !== picture.reading) reading.textContent = picture.reading;
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

  // Tell Python once the hand rests.
  function publish() {
    clearTimeout(state.later);
    state.later = setTimeout(() => {
      model.set("reading", picture.reading);
      model.set("figures", picture.figures);
      model.save_changes();
    }, 60);
  }

  inputs.forEach((input) =>
    input.addEventListener("input", () => {
      const control = byName[input.dataset.name];
      if (control.kind === "checkbox") change({ [control.name]: +input.checked });
      else if (input.value !== "") change({ [control.name]: valueAt(control, +input.value) });
    }),
  );
  find(".slr-reset")[0].addEventListener("click", () => change(paper));
  find(".slr-action").forEach((button, i) =>
    button.addEventListener("click", () => change(view.actions[i](values))),
  );
  find(".slr-choices button").forEach((button, i) =>
    button.addEventListener("click", () => change(view.choices.choose(i, values))),
  );
  find(".slr-point").forEach((handle, i) => holdPoint(view, view.points[i], handle, read, change, paper));

  const detach = view.attach?.({ model, el, refresh, memo: state.memo });
  const names = Object.keys(byName);
  names.forEach((name) => model.on(`change:${name}`, refresh));
  paint();
  return () => {
    detach?.();
    names.forEach((name) => model.off(`change:${name}`, refresh));
    cancelAnimationFrame(state.frame);
    clearTimeout(state.timer);
    clearTimeout(state.later);
  };
}
