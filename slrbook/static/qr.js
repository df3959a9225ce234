// A QR code of a text: byte mode, error correction level L, version 15 (ISO/IEC 18004). Rows of
// booleans, dark is true; a text of more than 520 bytes gives undefined. The standard offers eight
// masks; this encoder always uses the checkerboard.
const SIZE = 77; // modules
const FREE = 523; // data codewords, in blocks
const [BLOCKS, CHECKS] = [6, 22]; // blocks, and error correction codewords per block
const ALIGNED = [6, 26, 48, 70];
const [VERSION, FORMAT] = [0xf928, 0x77c4]; // the bits that encode version, level and mask

function qr(words) {
  const bytes = [...new TextEncoder().encode(words)];
  if (bytes.length + 3 <= FREE) return drawn(packed(bytes));
}

// Mode, length, bytes, terminator; then 0xec and 0x11 alternately as padding.
function packed(bytes) {
  const bits = [];
  const put = (value, length) => {
    for (let i = length - 1; i >= 0; i--) bits.push((value >> i) & 1);
  };
  put(4, 4);
  put(bytes.length, 16);
  for (const byte of bytes) put(byte, 8);
  put(0, 4);
  const data = [];
  for (let i = 0; i < bits.length; i += 8) data.push(parseInt(bits.slice(i, i + 8).join(""), 2));
  for (let i = 0; data.length < FREE; i++) data.push(i % 2 ? 0x11 : 0xec);
  return data;
}

// Products in GF(256) with the polynomial x^8 + x^4 + x^3 + x^2 + 1.
function times(a, b) {
  let product = 0;
  for (let i = 7; i >= 0; i--) {
    product = (product << 1) ^ (product >> 7 ? 0x11d : 0);
    if ((b >> i) & 1) product ^= a;
  }
  return product;
}

// The remainder of the data modulo the Reed-Solomon generator with this number of roots.
function checksOf(data) {
  let generator = [1];
  for (let i = 0, root = 1; i < CHECKS; i++, root = times(root, 2)) {
    const shifted = [...generator, 0];
    generator = shifted.map((c, j) => c ^ (j ? times(generator[j - 1], root) : 0));
  }
  const rest = [...data, ...Array(CHECKS).fill(0)];
  data.forEach((_, i) => {
    const factor = rest[i];
    generator.forEach((c, j) => (rest[i + j] ^= times(c, factor)));
  });
  return rest.slice(data.length);
}

// The data in blocks, each followed by its check codewords, interleaved.
function woven(data) {
  const short = Math.floor(FREE / BLOCKS);
  const blocks = [];
  for (let i = 0; i < BLOCKS; i++)
    blocks.push(data.slice(i * short, i === BLOCKS - 1 ? FREE : (i + 1) * short));
  const across = (rows, length) =>
    Array.from({ length }, (_, i) => rows.flatMap((row) => row.slice(i, i + 1))).flat();
  const extra = blocks.map(checksOf);
  return [...across(blocks, short + 1), ...across(extra, CHECKS)];
}

function drawn(data) {
  const fixed = Array.from({ length: SIZE }, () => Array(SIZE).fill(null)); // the function patterns
  const set = (x, y, dark) => {
    if (fixed[y]?.[x] !== undefined) fixed[y][x] = Boolean(dark);
  };
  const rings = (x, y, radius, isDark) => {
    for (let dx = -radius; dx <= radius; dx++)
      for (let dy = -radius; dy <= radius; dy++)
        set(x + dx, y + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))));
  };
  for (let i = 0; i < SIZE; i++) set(6, i, i % 2 === 0), set(i, 6, i % 2 === 0);
  for (const x of ALIGNED)
    for (const y of ALIGNED) {
      const corner = (x === 6 && (y === 6 || y === 70)) || (y === 6 && x === 70);
      if (!corner) rings(x, y, 2, (far) => far !== 1);
    }
  const finder = (far) => far !== 2 && far !== 4;
  for (const [x, y] of [
    [3, 3],
    [SIZE - 4, 3],
    [3, SIZE - 4],
  ])
    rings(x, y, 4, finder);
  for (let i = 0; i < 18; i++) {
    const [a, b] = [SIZE - 11 + (i % 3), Math.floor(i / 3)];
    set(a, b, (VERSION >> i) & 1), set(b, a, (VERSION >> i) & 1);
  }
  for (let i = 0; i < 15; i++) {
    const dark = (FORMAT >> i) & 1;
    const near = i < 6 ? i : i < 8 ? i + 1 : 0; // along the first finder, down, then left
    if (i < 8) set(8, near, dark), set(SIZE - 1 - i, 8, dark);
    else set(i === 8 ? 7 : 14 - i, 8, dark), set(8, SIZE - 15 + i, dark);
  }
  set(8, SIZE - 8, true);
  const bits = woven(data).flatMap((byte) => [7, 6, 5, 4, 3, 2, 1, 0].map((i) => (byte >> i) & 1));
  const path = snake().filter(([x, y]) => fixed[y][x] === null);
  path.forEach(([x, y], at) => (fixed[y][x] = Boolean(bits[at]) !== ((x + y) % 2 === 0)));
  return fixed;
}

// All modules in the order of the data: pairs of columns from the right, alternately up and down.
function snake() {
  const places = [];
  let up = true;
  for (let right = SIZE - 1; right > 0; right -= 2, up = !up) {
    if (right === 6) right = 5;
    for (let i = 0; i < SIZE; i++)
      for (const x of [right, right - 1]) places.push([x, up ? SIZE - 1 - i : i]);
  }
  return places;
}
