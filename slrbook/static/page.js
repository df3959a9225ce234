// A page without a kernel: a model that holds the values and notifies its listeners.
function plainModel(start) {
  const values = { ...start };
  const listeners = {};
  return {
    get: (name) => values[name],
    set(name, value) {
      if (values[name] === value) return;
      values[name] = value;
      for (const listener of listeners[`change:${name}`] || []) listener();
    },
    save_changes() {},
    on(event, listener) {
      (listeners[event] ||= []).push(listener);
    },
    off() {},
  };
}

// In JupyterLab: the interface that anywidget requires.
const widget = (spec, view) => ({ render: (place) => render(spec, view, place) });

// On a page: activate every still picture with this key; `make` returns its spec and its view.
function live(key, start, make) {
  const [spec, view] = make();
  for (const el of document.querySelectorAll(`[data-key="${key}"]:not([data-live])`)) {
    el.dataset.live = "";
    const model = plainModel(start);
    render(spec, view, { model, el, page: travel(el, spec, start, model) });
  }
}
