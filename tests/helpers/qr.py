"""Read a QR code of level L again, by the tables of ISO/IEC 18004, with its errors counted."""

# Of each version: centers of the alignment patterns, blocks, check codewords of a block.
TABLE = {
    1: ((), 1, 7),
    2: ((6, 18), 1, 10),
    3: ((6, 22), 1, 15),
    4: ((6, 26), 1, 20),
    5: ((6, 30), 1, 26),
    6: ((6, 34), 2, 18),
    7: ((6, 22, 38), 2, 20),
    8: ((6, 24, 42), 2, 24),
    9: ((6, 26, 46), 2, 30),
    10: ((6, 28, 50), 4, 18),
    14: ((6, 26, 46, 66), 4, 30),
    20: ((6, 34, 62, 90), 8, 28),
}
MASKS = (
    lambda y, x: (y + x) % 2 == 0,
    lambda y, x: y % 2 == 0,
    lambda y, x: x % 3 == 0,
    lambda y, x: (y + x) % 3 == 0,
    lambda y, x: (y // 2 + x // 3) % 2 == 0,
    lambda y, x: y * x % 2 + y * x % 3 == 0,
    lambda y, x: (y * x % 2 + y * x % 3) % 2 == 0,
    lambda y, x: ((y + x) % 2 + y * x % 3) % 2 == 0,
)
POWERS = [1]
while len(POWERS) < 255:
    POWERS.append(POWERS[-1] * 2 ^ (0x11D if POWERS[-1] > 127 else 0))


def _taken(size: int, version: int) -> set:
    """The places of finders, timing, alignment, format and version."""
    centers = TABLE[version][0]
    corners = [(6, 6), (6, size - 7), (size - 7, 6)]
    near = {(y, x) for y in centers for x in centers if (y, x) not in corners}
    taken = {(y, x) for y in range(size) for x in range(size) if 6 in (y, x)}
    for y, x in ((y, x) for y in range(size) for x in range(size)):
        if (y < 9 and (x < 9 or x > size - 9)) or (x < 9 and y > size - 9):
            taken.add((y, x))
        if version >= 7 and sorted((y, x)) in ([a, b] for a in range(6) for b in _far(size)):
            taken.add((y, x))
        if any(max(abs(y - a), abs(x - b)) <= 2 for a, b in near):
            taken.add((y, x))
    return taken


def _far(size: int) -> range:
    return range(size - 11, size - 8)


def read(rows: list) -> tuple[str, int]:
    """(text, how many checks fail) of the rows of a code, true is dark."""
    size = len(rows)
    version = (size - 17) // 4
    _, many, checks = TABLE[version]
    told = [rows[8][x] for x in (0, 1, 2, 3, 4, 5, 7, 8)] + [
        rows[y][8] for y in (7, 5, 4, 3, 2, 1, 0)
    ]
    word = int("".join(str(int(bit)) for bit in told), 2) ^ 0b101010000010010
    mask, taken, bits = MASKS[word >> 10 & 7], _taken(size, version), []
    assert word >> 13 == 1  # level L
    for pair, right in enumerate([*range(size - 1, 6, -2), 5, 3, 1]):
        for i in range(size):
            y = i if pair % 2 else size - 1 - i
            bits += [rows[y][x] ^ mask(y, x) for x in (right, right - 1) if (y, x) not in taken]
    words = [
        int("".join(str(int(b)) for b in bits[i : i + 8]), 2) for i in range(0, len(bits) - 7, 8)
    ]
    data = len(words) - many * checks
    lengths = [data // many + (i >= many - data % many) for i in range(many)]
    blocks, stream = [[] for _ in lengths], iter(words)
    for i in range(max(lengths)):
        for block, length in zip(blocks, lengths, strict=True):
            if i < length:
                block.append(next(stream))
    joined = [word for block in blocks for word in block]
    for _ in range(checks):
        for block in blocks:
            block.append(next(stream))
    failed = sum(_value(block, root) != 0 for block in blocks for root in range(checks))
    whole = "".join(f"{word:08b}" for word in joined)
    head = 12 if version < 10 else 20
    assert whole[:4] == "0100"  # bytes
    length = int(whole[4:head], 2)
    text = bytes(int(whole[head + 8 * i : head + 8 * i + 8], 2) for i in range(length))
    return text.decode(), failed


def _value(block: list, root: int) -> int:
    """The polynomial of a block at a power of two."""
    total = 0
    for word in block:
        total = (0 if total == 0 else POWERS[(POWERS.index(total) + root) % 255]) ^ word
    return total
