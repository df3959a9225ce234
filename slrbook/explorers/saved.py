"""What an explorer shows, written to a file: a page that moves, or a picture of what is seen."""

from pathlib import Path

from slrbook import static
from slrbook.explorers import drawn


def ending(path: str | Path, *allowed: str) -> Path:
    """The path of a file with one of the endings that are ``allowed``."""
    if not isinstance(path, str | Path) or Path(path).suffix not in allowed:
        endings = " or ".join(filter(None, (", ".join(allowed[:-1]), allowed[-1])))
        raise ValueError(f"path must end in {endings}, got {str(path)!r}")
    if Path(path).is_dir():
        raise ValueError(f"path must be a file, got the folder {path}")
    return Path(path)


class Saved:
    """The part of an ``Explorer`` that writes files, at the controls as they are now."""

    question: str

    def save_html(self, path: str | Path) -> Path:
        """Write one HTML file that opens anywhere, moves without a kernel and asks no other host.

        It starts at the controls as they are now.
        """
        path = ending(path, ".html")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(static.alone(self.question, self.static_html()), "utf-8")
        return path

    def save(self, path: str | Path) -> Path:
        """Write what is seen at the controls as they are now: .svg, .png, or .html as a page.

        An SVG is drawn by V8 (``pip install mini-racer``), a PNG by a Chromium on the path too.
        """
        path = ending(path, ".svg", ".png", ".html")
        if path.suffix == ".html":
            return self.save_html(path)
        picture = drawn.svg(self.question, drawn.seen(self.program(), self.state(), self.memo()))
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
