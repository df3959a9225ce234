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
