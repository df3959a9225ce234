"""A PNG of pixels."""

import base64
import io

from PIL import Image  # which matplotlib brings


def png(heat: dict) -> str:
    """The address that holds a heat map as an RGB image; every pixel is taken as opaque."""
    file = io.BytesIO()
    size = heat["width"], heat["height"]
    Image.frombytes("RGBA", size, bytes(heat["rgba"])).convert("RGB").save(
        file, "PNG", optimize=True
    )
    return f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}"
