"""What an explorer shows, written to a file: a page that moves, or a picture of what is seen."""

from pathlib import Path

from slrbook import static
from slrbook.explorers import drawn


class Saved:
    """The part of an ``Explorer`` that writes files, at the controls as they are now."""

    title: str

    def save_html(self, path: str | Path) -> Path:
        """Write one HTML file that opens anywhere, moves without a kernel and asks no other host.

        It starts at the controls as they are now.
        """
        path = Path(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(static.alone(self.title, self.static_html()), "utf-8")
        return path

    def save(self, path: str | Path) -> Path:
        """Write what is seen at the controls as they are now: .svg, .png, or .html as a page.

        An SVG is drawn by V8 (``pip install mini-racer``), a PNG by a Chromium on the path too.
        """
        if not isinstance(path, str | Path) or Path(path).suffix not in (".svg", ".png", ".html"):
            raise ValueError(f"path must end in .svg, .png or .html, got {str(path)!r}")
        path = Path(path)
        if path.suffix == ".html":
            return self.save_html(path)
        picture = drawn.svg(self.title, drawn.seen(self.program(), self.state(), self.memo()))
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".svg":
            path.write_text(picture, "utf-8")
        else:
            drawn.photographed(picture, path)
        return path

    def memo(self) -> dict:
        """What the picture depends on besides the controls, as the view remembers it."""
        return {}

    # What an explorer has.

    def static_html(self) -> str:
        raise NotImplementedError

    def state(self) -> dict:
        raise NotImplementedError

    @classmethod
    def program(cls) -> str:
        raise NotImplementedError
