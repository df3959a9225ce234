// A point to drag in a plane. The mouse may press anywhere in the plane, a finger drags the point
// itself or taps (so that the page still scrolls), arrow keys move it, Home brings it back.
function holdPoint(panel, handle, read, change, paper) {
  const { x, y, panel: index, step, also } = explorer.point; // also: what a hand on the point sets
  const p = explorer.panels[index];
  let [held, tap] = [false, false];

  function placeOf(event) {
    const box = panel.getBoundingClientRect();
    const X = ((event.clientX - box.left) / box.width) * p.width;
    const Y = ((event.clientY - box.top) / box.height) * p.height;
    return [p.x(X), p.y(Y)];
  }
  const inside = (event) => {
    const [a, b] = placeOf(event);
    return a >= p.xs[0] && a <= p.xs[1] && b >= p.ys[0] && b <= p.ys[1];
  };
  const clean = (value) => +value.toFixed(3);
  const move = (event) => {
    const [a, b] = placeOf(event);
    change({ ...also, [x]: clean(a), [y]: clean(b) });
  };

  panel.addEventListener("pointerdown", (event) => {
    const onHandle = event.target === handle;
    if (event.button || (!onHandle && !inside(event))) return;
    if (!onHandle && event.pointerType === "touch") return void (tap = [event.clientX, event.clientY]);
    held = true;
    panel.setPointerCapture(event.pointerId);
    handle.focus({ preventScroll: true });
    if (!onHandle) move(event);
    event.preventDefault();
  });
  panel.addEventListener("pointermove", (event) => held && move(event));
  panel.addEventListener("pointerup", (event) => {
    if (tap && Math.hypot(event.clientX - tap[0], event.clientY - tap[1]) < 10) move(event);
    held = tap = false;
  });
  panel.addEventListener("pointercancel", () => (held = tap = false)); // the page scrolls

  const keys = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] };
  handle.addEventListener("keydown", (event) => {
    const values = read();
    if (event.key === "Home") change({ ...also, [x]: paper[x], [y]: paper[y] });
    else if (keys[event.key]) {
      const [a, b] = keys[event.key].map((sign) => sign * step * (event.shiftKey ? 5 : 1));
      change({ ...also, [x]: clean(values[x] + a), [y]: clean(values[y] + b) });
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
}
