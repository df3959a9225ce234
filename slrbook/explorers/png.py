"""A PNG of pixels."""

import io

from PIL import Image  # which matplotlib brings


def png(width: int, height: int, rgba: list[int]) -> bytes:
    """An RGB image; every pixel is taken as opaque."""
    file = io.BytesIO()
    image = Image.frombytes("RGBA", (width, height), bytes(rgba)).convert("RGB")
    image.save(file, "PNG", optimize=True)
    return file.getvalue()
