// A QR code of a text: byte mode, error correction level L, versions 1 to 20 (ISO/IEC 18004).
// Rows of booleans, dark is true; a text of more than 858 bytes gives nothing. The standard lets a
// writer choose among eight masks; every code here has the checkerboard, which readers take as well.
const MASK = 0;
const CHECKS = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28];
const BLOCKS = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8];

function qr(words) {
  const bytes = [...new TextEncoder().encode(words)];
  for (let version = 1; version <= CHECKS.length; version++) {
    const free = codewords(version) - CHECKS[version - 1] * BLOCKS[version - 1];
    if (bytes.length + (version < 10 ? 2 : 3) <= free)
      return drawn(version, packed(bytes, free, version));
  }
}

// How many codewords fit beside the patterns of a version.
function codewords(version) {
  const across = version < 2 ? 0 : Math.floor(version / 7) + 2;
  const alignment = across && 25 * (across ** 2 - 3) - 10 * (across - 2);
  const modules = (17 + 4 * version) ** 2 - 3 * 64 - 2 * (4 * version + 1) - 31;
  return (modules - alignment - (version < 7 ? 0 : 36)) >> 3;
}

// Mode, length, bytes, end; then 0xec and 0x11 in turn.
function packed(bytes, free, version) {
  const bits = [];
  const put = (value, length) => {
    for (let i = length - 1; i >= 0; i--) bits.push((value >> i) & 1);
  };
  put(4, 4);
  put(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) put(byte, 8);
  put(0, 4);
  const data = [];
  for (let i = 0; i < bits.length; i += 8) data.push(parseInt(bits.slice(i, i + 8).join(""), 2));
  for (let i = 0; data.length < free; i++) data.push(i % 2 ? 0x11 : 0xec);
  return data;
}

// Products in GF(256), whose polynomial is x^8 + x^4 + x^3 + x^2 + 1.
function times(a, b) {
  let product = 0;
  for (let i = 7; i >= 0; i--) {
    product = (product << 1) ^ (product >> 7 ? 0x11d : 0);
    if ((b >> i) & 1) product ^= a;
  }
  return product;
}

// The remainder of the data by the Reed-Solomon generator with so many roots.
function checksOf(data, many) {
  let generator = [1];
  for (let i = 0, root = 1; i < many; i++, root = times(root, 2)) {
    const shifted = [...generator, 0];
    generator = shifted.map((c, j) => c ^ (j ? times(generator[j - 1], root) : 0));
  }
  const rest = [...data, ...Array(many).fill(0)];
  data.forEach((_, i) => {
    const factor = rest[i];
    generator.forEach((c, j) => (rest[i + j] ^= times(c, factor)));
  });
  return rest.slice(data.length);
}

// The data in blocks, each followed by its checks, read across the blocks.
function woven(version, data) {
  const [many, checks] = [BLOCKS[version - 1], CHECKS[version - 1]];
  const [short, long] = [Math.floor(data.length / many), data.length % many];
  const blocks = [];
  for (let i = 0, at = 0; i < many; i++) {
    const size = short + (i >= many - long ? 1 : 0);
    blocks.push(data.slice(at, (at += size)));
  }
  const across = (rows, length) =>
    Array.from({ length }, (_, i) => rows.flatMap((row) => row.slice(i, i + 1))).flat();
  const extra = blocks.map((block) => checksOf(block, checks));
  return [...across(blocks, short + 1), ...across(extra, checks)];
}

// The remainder of a value by a polynomial over two elements, behind the value itself.
function coded(value, polynomial, length) {
  let rest = value << length;
  for (let i = 31 - Math.clz32(rest); i >= length; i--)
    if ((rest >> i) & 1) rest ^= polynomial << (i - length);
  return (value << length) | rest;
}

function drawn(version, data) {
  const size = 17 + 4 * version;
  const fixed = Array.from({ length: size }, () => Array(size).fill(null)); // the patterns
  const set = (x, y, dark) => {
    if (fixed[y]?.[x] !== undefined) fixed[y][x] = Boolean(dark);
  };
  const rings = (x, y, radius, isDark) => {
    for (let dx = -radius; dx <= radius; dx++)
      for (let dy = -radius; dy <= radius; dy++)
        set(x + dx, y + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))));
  };
  for (let i = 0; i < size; i++) set(6, i, i % 2 === 0), set(i, 6, i % 2 === 0);
  const places = aligned(version, size);
  for (const x of places)
    for (const y of places) {
      const corner = (x === 6 && (y === 6 || y > size - 8)) || (y === 6 && x > size - 8);
      if (!corner) rings(x, y, 2, (far) => far !== 1);
    }
  const finder = (far) => far !== 2 && far !== 4;
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ])
    rings(x, y, 4, finder);
  if (version >= 7) {
    const bits = coded(version, 0x1f25, 12);
    for (let i = 0; i < 18; i++) {
      const [a, b] = [size - 11 + (i % 3), Math.floor(i / 3)];
      set(a, b, (bits >> i) & 1), set(b, a, (bits >> i) & 1);
    }
  }
  const format = coded(8 | MASK, 0x537, 10) ^ 0x5412;
  for (let i = 0; i < 15; i++) {
    const dark = (format >> i) & 1;
    const near = i < 6 ? i : i < 8 ? i + 1 : 0; // beside the first finder, down, then left
    if (i < 8) set(8, near, dark), set(size - 1 - i, 8, dark);
    else set(i === 8 ? 7 : 14 - i, 8, dark), set(8, size - 15 + i, dark);
  }
  set(8, size - 8, true);
  const bits = woven(version, data).flatMap((byte) =>
    [7, 6, 5, 4, 3, 2, 1, 0].map((i) => (byte >> i) & 1),
  );
  const path = snake(size).filter(([x, y]) => fixed[y][x] === null);
  path.forEach(([x, y], at) => (fixed[y][x] = Boolean(bits[at]) !== ((x + y) % 2 === 0)));
  return fixed;
}

function aligned(version, size) {
  if (version === 1) return [];
  const many = Math.floor(version / 7) + 2;
  const step = 2 * Math.ceil((size - 13) / (2 * (many - 1)));
  return [6, ...Array.from({ length: many - 1 }, (_, i) => size - 7 - i * step)];
}

// All places in the order of the data: pairs of columns from the right, up and down in turn.
function snake(size) {
  const places = [];
  let up = true;
  for (let right = size - 1; right > 0; right -= 2, up = !up) {
    if (right === 6) right = 5;
    for (let i = 0; i < size; i++)
      for (const x of [right, right - 1]) places.push([x, up ? size - 1 - i : i]);
  }
  return places;
}
