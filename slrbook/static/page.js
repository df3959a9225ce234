// A page without a kernel: a model that holds the values and tells its listeners.
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

// In JupyterLab: what anywidget asks for.
const widget = (spec, view) => ({ render: (place) => render(spec, view, place) });

// On a page: every still picture with this key comes to life; `make` gives its spec and its view.
function live(key, start, make) {
  const [spec, view] = make();
  for (const el of document.querySelectorAll(`[data-key="${key}"]:not([data-live])`)) {
    el.dataset.live = "";
    const model = plainModel(start);
    render(spec, view, { model, el, page: travel(el, spec, start, model) });
  }
}
