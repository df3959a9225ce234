// The layers of the encoder, as in slrlib.language.encoder: n tokens of one sentence, no padding.
// States are rows of doubles; a matrix is rows of whole numbers in eight bits, each with its scale.

// out = x W^T + bias for x of n rows. Two rows of W meet four of x at a time, so that each number
// that is fetched is used several times.
function dense(x, n, { whole, scale, bias }) {
  const [rows, columns] = [scale.length, whole.length / scale.length];
  const full = new Float64Array((n + 3 - ((n + 3) % 4)) * columns);
  full.set(x);
  const out = new Float64Array((full.length / columns) * rows);
  for (let row = 0; row < rows; row += 2) pairOfRows(full, whole, columns, row, out, rows);
  for (let t = 0, i = 0; t < n; t++) {
    for (let row = 0; row < rows; row++, i++) out[i] = out[i] * scale[row] + bias[row];
  }
  return out.subarray(0, n * rows);
}

function pairOfRows(x, whole, columns, row, out, rows) {
  const [p, q] = [row * columns, (row + 1) * columns];
  for (let a = 0, at = row; a < x.length; a += 4 * columns, at += 4 * rows) {
    const [b, c, d] = [a + columns, a + 2 * columns, a + 3 * columns];
    let pa = 0,
      pb = 0,
      pc = 0,
      pd = 0,
      qa = 0,
      qb = 0,
      qc = 0,
      qd = 0;
    for (let i = 0; i < columns; i++) {
      const u = whole[p + i],
        v = whole[q + i];
      const xa = x[a + i],
        xb = x[b + i],
        xc = x[c + i],
        xd = x[d + i];
      (pa += u * xa), (pb += u * xb), (pc += u * xc), (pd += u * xd);
      (qa += v * xa), (qb += v * xb), (qc += v * xc), (qd += v * xd);
    }
    (out[at] = pa), (out[at + rows] = pb), (out[at + 2 * rows] = pc), (out[at + 3 * rows] = pd);
    (out[at + 1] = qa),
      (out[at + rows + 1] = qb),
      (out[at + 2 * rows + 1] = qc),
      (out[at + 3 * rows + 1] = qd);
  }
}

// Each row of x + y centred, of variance one, then scaled and shifted.
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

// Each head mixes the values with softmax weights of its own part of queries and keys.
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

// States of all layers, layer 0 the embedding, for the numbers of the pieces.
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
