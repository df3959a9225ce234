// The Worker of a page: receives the weights in base64 parts, then evaluates sentences.
let [model, bytes, filled, known, words] = [null, null, 0, null, null];

function take(base64) {
  const text = atob(base64);
  for (let i = 0; i < text.length; i++) bytes[filled++] = text.charCodeAt(i);
  if (filled === bytes.length) unpack();
}

// "3.up.whole" becomes model.arrays["3.up"].whole.
function unpack() {
  const arrays = {};
  let at = 0;
  for (const [name, size, bits] of model.arrays) {
    const [, its, kind] = /^(?:(.*)\.)?(\w+)$/.exec(name);
    const array =
      bits === 8 ? new Int8Array(bytes.buffer, at, size) : new Float32Array(bytes.buffer, at, size);
    if (its) (arrays[its] ||= {})[kind] = array;
    else arrays[kind] = array;
    at += (size * bits) / 8;
  }
  model.arrays = arrays;
  words = new TextDecoder().decode(bytes.subarray(at)).split("\n");
  known = new Map(words.map((word, id) => [word, id]));
}

// The component of each token along a vector of the pair: x @ direction + offset.
function along(states, { direction, offset }) {
  return Array.from({ length: states.length / direction.length }, (_, t) =>
    direction.reduce((sum, each, i) => sum + each * states[t * direction.length + i], offset),
  );
}

function answer({ sentence, all = false }) {
  const pieces = tokensOf(sentence, known);
  const ids = pieces.map((piece) => known.get(piece));
  if (pieces.length > model.longest) {
    return {
      sentence,
      ids,
      complaint: `sentence must have at most ${model.longest} tokens, got ${pieces.length}`,
    };
  }
  const states = encode(model, ids);
  const [scores, values] = ["score", "value"].map((name) => along(states.at(-1), model.pair[name]));
  return { sentence, words: pieces, ids, scores, values, ...(all && { states }) };
}

onmessage = ({ data }) => {
  if (typeof data === "string") take(data);
  else if (data.manifest) [model, bytes] = [data.manifest, new Uint8Array(data.bytes)];
  else return postMessage(answer(data));
  postMessage({ filled });
};
