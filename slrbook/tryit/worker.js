// The Worker: starts MicroPython, runs one piece of code, tells what it prints and draws, and ends.
// What stands around this names RANDOM, FUNCTIONS and MODULE.
const MOST = 20_000; // letters that are told
const AT_ONCE = 50; // lines; later ones are told together
const TOLD_EVERY = 60; // milliseconds

// A whole number would arrive as one of 32 bits, so it goes as text, which Python's float reads.
const sent = (x) => (typeof x !== "number" ? +x : x);
const plain = (x) => (Number.isInteger(x) ? (Object.is(x, -0) ? "-0.0" : String(x)) : x);
const told =
  (f) =>
  (...args) =>
    ((x) => (Array.isArray(x) ? x.map(plain) : plain(x)))(f(...args.map(sent)));

// Output as text, in lots; what is too much is left out, with a word.
function teller(post) {
  const decoder = new TextDecoder();
  let [bytes, length, last, lines] = [[], 0, 0, 0];
  const flush = () => {
    const words = decoder.decode(Uint8Array.from(bytes), { stream: true });
    [bytes, last] = [[], Date.now()];
    if (!words || length > MOST) return;
    length += words.length;
    const over = length > MOST ? "\n(What is printed after this is not shown.)\n" : "";
    post({ said: words.slice(0, words.length - Math.max(0, length - MOST)) + over });
  };
  const take = (more) => {
    if (length > MOST) return;
    let ended = false;
    for (const byte of more) {
      bytes.push(byte);
      ended ||= byte === 10;
    }
    const now = ended && (lines++ < AT_ONCE || Date.now() > last + TOLD_EVERY);
    if (now || bytes.length > MOST) flush();
  };
  return { take, flush };
}

// A traceback as Python shows it: with the reader's lines, without ours, repeated ones counted.
function traceback(words, code) {
  const lines = code.split("\n");
  const kept = words
    .trimEnd()
    .split("\n")
    .filter((line) => !/File "(<stdin>|slr\.py)"/.test(line));
  const shown = [];
  let again = 0;
  kept.forEach((line, i) => {
    again = line === kept[i - 1] ? again + 1 : 0;
    if (again > 2) {
      if (line !== kept[i + 1]) shown.push(`  [Previous line repeated ${again - 2} more times]`);
      return;
    }
    shown.push(line);
    const [, number] = /^ {2}File "<your code>", line (\d+)/.exec(line) || [];
    const own = number && lines[number - 1]?.trim();
    if (own) shown.push(`    ${own}`);
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
