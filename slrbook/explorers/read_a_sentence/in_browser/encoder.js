// The layers of the encoder, as in slrlib.language.encoder: n tokens of one sentence, no padding.
// States are rows of doubles; a matrix is rows of 8-bit integers, each row with its scale.

// out = x W^T + bias for x of n rows.
function dense(x, n, { whole, scale, bias }) {
  const [rows, columns] = [scale.length, whole.length / scale.length];
  const out = new Float64Array(n * rows);
  for (let t = 0, at = 0; t < n; t++) {
    for (let row = 0; row < rows; row++, at++) {
      let product = 0;
      for (let i = 0, a = t * columns, b = row * columns; i < columns; i++)
        product += x[a + i] * whole[b + i];
      out[at] = product * scale[row] + bias[row];
    }
  }
  return out;
}

// Each row of x + y normalized to mean zero and variance one, then scaled and shifted.
function addAndNorm(x, y, { weight, bias }, epsilon) {
  const [size, out] = [weight.length, new Float64Array(x.length)];
  for (let start = 0; start < x.length; start += size) {
    let [mean, variance] = [0, 0];
    for (let i = 0; i < size; i++) mean += (out[start + i] = x[start + i] + y[start + i]) / size;
    for (let i = 0; i < size; i++) variance += (out[start + i] -= mean) ** 2 / size;
    const unit = 1 / Math.sqrt(variance + epsilon);
    for (let i = 0; i < size; i++) out[start + i] = out[start + i] * unit * weight[i] + bias[i];
  }
  return out;
}

// Each head averages the values with softmax weights from its own part of queries and keys.
function attention(query, key, value, n, heads) {
  const [size, part] = [query.length / n, query.length / n / heads];
  const [out, weights] = [new Float64Array(n * size), new Float64Array(n)];
  for (let head = 0; head < heads; head++) {
    for (let t = 0; t < n; t++) {
      const at = t * size + head * part;
      for (let s = 0; s < n; s++) {
        weights[s] = 0;
        for (let i = 0, other = s * size + head * part; i < part; i++)
          weights[s] += query[at + i] * key[other + i];
      }
      const top = Math.max(...weights);
      let sum = 0;
      for (let s = 0; s < n; s++)
        sum += weights[s] = Math.exp((weights[s] - top) / Math.sqrt(part));
      for (let s = 0; s < n; s++) {
        for (let i = 0, other = s * size + head * part; i < part; i++)
          out[at + i] += (weights[s] / sum) * value[other + i];
      }
    }
  }
  return out;
}

const gelu = (x) => (x * erfc(-x / Math.SQRT2)) / 2;

// States of all layers for the ids of the pieces; layer 0 is the embedding.
function encode({ arrays, layers, heads, epsilon }, ids) {
  const [n, size, { word, position }] = [ids.length, arrays.norm.weight.length, arrays];
  const embedded = Float64Array.from({ length: n * size }, (_, i) => {
    const [id, column] = [ids[Math.floor(i / size)], i % size];
    return word.whole[id * size + column] * word.scale[id];
  });
  let x = addAndNorm(embedded, position, arrays.norm, epsilon);
  const states = [x];
  for (let layer = 0; layer < layers; layer++) {
    const its = (name) => arrays[`${layer}.${name}`];
    const [query, key, value] = ["query", "key", "value"].map((name) => dense(x, n, its(name)));
    const mixed = attention(query, key, value, n, heads);
    x = addAndNorm(x, dense(mixed, n, its("output")), its("attention_norm"), epsilon);
    const hidden = dense(x, n, its("up")).map(gelu);
    x = addAndNorm(x, dense(hidden, n, its("down")), its("block_norm"), epsilon);
    states.push(x);
  }
  return states;
}
