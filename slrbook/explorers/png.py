"""A PNG of pixels, with what Python has."""

import struct
import zlib


def png(width: int, height: int, rgba: list[int]) -> bytes:
    """An RGB image; every pixel is taken as opaque."""
    rows = [
        b"\0" + bytes(b for x in range(width) for b in rgba[4 * (y * width + x) :][:3])
        for y in range(height)
    ]

    def chunk(kind, data):
        check = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + check

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"".join(rows), 9))
    return b"\x89PNG\r\n\x1a\n" + body + chunk(b"IEND", b"")
