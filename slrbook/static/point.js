// The position of the pointer, in units of the picture.
function placeIn(panel, { width, height }, event) {
  const box = panel.getBoundingClientRect();
  return [
    ((event.clientX - box.left) / box.width) * width,
    ((event.clientY - box.top) / box.height) * height,
  ];
}

// A draggable point in a plane. The mouse may press anywhere in the plane; a finger drags the point
// itself or taps (so that the page still scrolls); arrow keys move it, Home resets it.
function holdPoint(view, point, handle, read, change, paper) {
  const { x, y, step, also } = point; // also: values that moving the point sets
  const panel = handle.parentElement;
  const p = view.panels[point.panel];
  let held = false;
  let tap = null; // where a finger touched the panel

  function placeOf(event) {
    const [X, Y] = placeIn(panel, p, event);
    return [p.x(X), p.y(Y)];
  }
  // A press in a plane with several points selects the nearest.
  const mine = (event) => {
    const [a, b] = placeOf(event);
    const values = read();
    const far = (one) => Math.hypot(a - values[one.x], b - values[one.y]);
    const near = view.points
      .filter((one) => one.panel === point.panel)
      .sort((one, other) => far(one) - far(other));
    return a >= p.xs[0] && a <= p.xs[1] && b >= p.ys[0] && b <= p.ys[1] && near[0] === point;
  };
  const put = (a, b) => change({ ...also, [x]: +a.toFixed(3), [y]: +b.toFixed(3) });
  const move = (event) => put(...placeOf(event));

  panel.addEventListener("pointerdown", (event) => {
    const onHandle = event.target === handle;
    if (event.button || !(onHandle || (event.target.className !== "slr-point" && mine(event))))
      return;
    if (!onHandle && event.pointerType === "touch")
      return void (tap = [event.clientX, event.clientY]);
    held = true;
    panel.setPointerCapture(event.pointerId);
    handle.focus({ preventScroll: true });
    if (!onHandle) move(event);
    event.preventDefault();
  });
  panel.addEventListener("pointermove", (event) => held && move(event));
  panel.addEventListener("pointerup", (event) => {
    if (tap && Math.hypot(event.clientX - tap[0], event.clientY - tap[1]) < 10) move(event);
    [held, tap] = [false, null];
  });
  panel.addEventListener("pointercancel", () => ([held, tap] = [false, null])); // the page scrolls

  const keys = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] };
  handle.addEventListener("keydown", (event) => {
    const values = read();
    if (event.key === "Home") change({ ...also, [x]: paper[x], [y]: paper[y] });
    else if (keys[event.key]) {
      const [a, b] = keys[event.key].map((sign) => sign * step * (event.shiftKey ? 5 : 1));
      put(values[x] + a, values[y] + b);
    } else if (event.key !== "End") return; // otherwise the page would scroll
    event.preventDefault();
    event.stopPropagation();
  });
}
