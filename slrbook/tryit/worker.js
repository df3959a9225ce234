// The Worker: starts MicroPython, runs one piece of code, sends its output and plots, and ends.
// The surrounding text defines RANDOM, FUNCTIONS and MODULE.
const MOST = 20_000; // characters of output that are sent

// An integer would arrive with 32 bits, so it is sent as text, which Python's float parses.
const sent = (x) => (typeof x !== "number" ? +x : x);
const plain = (x) => (Number.isInteger(x) ? (Object.is(x, -0) ? "-0.0" : String(x)) : x);
const told =
  (f) =>
  (...args) =>
    ((x) => (Array.isArray(x) ? x.map(plain) : plain(x)))(f(...args.map(sent)));

// Output as text, line by line; excess output is left out, with a note.
function teller(post) {
  const decoder = new TextDecoder();
  let [bytes, left] = [[], MOST];
  const flush = () => {
    const words = decoder.decode(Uint8Array.from(bytes), { stream: true });
    bytes = [];
    if (!words || left < 0) return;
    left -= words.length;
    const over = "\n(What is printed after this is not shown.)\n";
    post({ said: left < 0 ? words.slice(0, left) + over : words });
  };
  const take = (more) => {
    for (const byte of left < 0 ? [] : more) {
      bytes.push(byte);
      if (byte === 10 || bytes.length > MOST) flush();
    }
  };
  return { take, flush };
}

// A traceback as Python shows it: with the reader's lines only.
function traceback(words, code) {
  const lines = code.split("\n");
  const kept = words.trimEnd().split("\n");
  const shown = kept
    .filter((line) => !/File "(<stdin>|slr\.py)"/.test(line))
    .flatMap((line) => {
      const [, number] = /^ {2}File "<your code>", line (\d+)/.exec(line) || [];
      const own = number && lines[number - 1]?.trim();
      return own ? [line, `    ${own}`] : [line];
    });
  return `${shown.join("\n")}\n`;
}

const START = `
def _run():
    def input(prompt=""):
        raise EOFError("there is no keyboard to read from; write the value into the code")
    exec(compile(_code, "<your code>", "exec"), {"__name__": "__main__", "input": input})
_run()
`;

async function ran({ code, wasm }, post) {
  const { take, flush } = teller(post);
  globalThis.wasmBinary = wasm;
  const python = await loadMicroPython({
    heapsize: 32 << 20,
    linebuffer: false,
    stdout: take,
    stderr: take,
  });
  python.FS.writeFile("slr.py", MODULE);
  const functions = { ...FUNCTIONS, start: RANDOM.start, normals: RANDOM.normals };
  const offered = Object.fromEntries(Object.entries(functions).map(([name, f]) => [name, told(f)]));
  python.registerJsModule("_slr", { ...offered, plot: (lot) => post({ lot: JSON.parse(lot) }) });
  python.globals.set("_code", code);
  let failed = "";
  try {
    python.runPython(START);
  } catch (error) {
    if (error.name !== "PythonError") throw error;
    failed = error.type === "SystemExit" ? "" : traceback(error.message, code);
  }
  flush();
  post({ done: true, failed });
}
