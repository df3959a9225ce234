// Loaded by the first click: the Worker's text, the bytes of MicroPython, and the plotting code.
slrTry.arrived(() => {
  const bytes = Uint8Array.from(atob(WASM), (letter) => letter.charCodeAt(0));
  const address = URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" }));
  const begin = (code, hear, fail) => {
    const worker = new Worker(address);
    worker.onmessage = ({ data }) => hear(data);
    worker.onerror = (event) => {
      event.preventDefault();
      fail(event.message || "this browser, or the policy of this site, refuses a Worker");
    };
    worker.postMessage({ code, wasm: bytes });
    return () => worker.terminate();
  };
  return { begin, pictured };
});
