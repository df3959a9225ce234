// On a page: a button that loads the model, and then the same text box as in JupyterLab. The Worker
// replaces the kernel: it receives a new `sentence` and answers with `typed`.
const HOME = document.currentScript.src.replace(/[^/]*$/, "");
const millions = (bytes) => (bytes / 1e6).toFixed(0);
let [worker, ready] = [null, 0]; // the number of pieces that the Worker has received

// The script of one piece, which calls slr.weights.
function fetched(number) {
  const script = document.createElement("script");
  script.src = `${HOME}${MODEL.folder}/${String(number).padStart(2, "0")}.js?${MODEL.version}`;
  return new Promise((resolve, reject) => {
    script.onload = resolve;
    script.onerror = () => reject(new Error("a part of it did not come; a click tries again"));
    document.head.append(script);
  }).finally(() => script.remove());
}

// Send one message at a time to the Worker; resolves to its answer.
let waiting = Promise.resolve();
function asked(message) {
  const next = () =>
    new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = (event) => {
        event.preventDefault();
        reject(new Error(event.message || "this browser refuses a Worker"));
      };
      worker.postMessage(message);
    });
  return (waiting = waiting.catch(() => {}).then(next));
}

async function loadModel(tell) {
  if (!worker) {
    worker = new Worker(URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" })));
    await asked({ manifest: MODEL.manifest, bytes: MODEL.bytes });
  }
  for (; ready < MODEL.pieces; ready++) {
    tell((ready / MODEL.pieces) * MODEL.size);
    let taken;
    slr.weights = (base64) => (taken = asked(base64));
    await fetched(ready);
    await taken;
  }
}

// Load the model, or report the error; another click tries again.
async function loaded(tell) {
  try {
    await loadModel(tell);
  } catch (error) {
    worker?.terminate();
    [worker, ready] = [null, 0];
    throw error;
  }
}

// From now on the model evaluates each new sentence.
function listen({ model, el }) {
  const ask = async () => {
    const sentence = model.get("sentence");
    el.ariaBusy = true;
    const heard = !sentence.trim()
      ? {}
      : await asked({ sentence }).catch(({ message }) => ({
          complaint: `the model failed, ${message}`,
        }));
    el.ariaBusy = false;
    if (sentence === model.get("sentence")) model.set("typed", heard);
  };
  model.on("change:sentence", ask);
  for (const name of ["opening", "where", "adjective", "animal"]) {
    model.on(`change:${name}`, () => model.set("sentence", ""));
  }
  return ask();
}

slr.ownSentence = (parts) => {
  const { model, el } = parts;
  model.set("sentence", (model.get("sentence") || "").trim());
  const [button, size] = [document.createElement("button"), `${millions(MODEL.size)} MB`];
  button.type = "button";
  button.className = "slr-load";
  const offer = (words) => (button.textContent = words);
  const arrived = () => {
    const sentence = model.get("sentence");
    offer(
      sentence
        ? `load the model, ${size}, to read “${sentence}”`
        : `type your own: load the model, ${size}`,
    );
  };
  model.on("change:sentence", arrived);
  arrived();
  el.querySelector(".slr-foot").prepend(button);
  button.addEventListener("click", async () => {
    if (button.ariaDisabled === "true") return;
    button.ariaDisabled = true;
    const tell = (bytes) => offer(`loading the model: ${millions(bytes)} of ${size}`);
    try {
      await loaded(tell);
    } catch (error) {
      button.ariaDisabled = false;
      return void offer(`The model was not loaded: ${error.message}.`);
    }
    const had = button === document.activeElement;
    button.remove();
    model.set("types", true);
    explorer.attach(parts);
    await listen(parts);
    if (had) el.querySelector("input[type=text]").focus();
  });
};
slr.ownSentence.loaded = loaded;
slr.ownSentence.asked = asked;
