"""Begin an explorer, an experiment or a chapter: ``python -m slrbook.new explorer NAME``.

Each is a copy of what ``slrbook/templates`` holds, under its own name, and passes all tests. What
lists explorers, experiments and pages finds it; a chapter also gets its line in ``_toc.yml``.
"""

import argparse
import keyword
import re
import sys
from pathlib import Path

from slrbook import chapters

TEMPLATES = Path(__file__).with_name("templates")
ROOT = TEMPLATES.parents[1]
KINDS = {  # the place of each, and what to run after an edit
    "explorer": ("slrbook/explorers/{}", ".venv/bin/python -m slrbook.explorers.stills {}"),
    "experiment": ("slrlib/experiments/{}.py", ".venv/bin/python -m slrlib {}"),
    "chapter": ("book/{}.ipynb", "make chapter NAME={}"),
}


def renamed(text: str, name: str) -> str:
    """A template under another name, which has hyphens in labels and in quotes."""
    camel, dashed = name.title().replace("_", ""), name.replace("_", "-")
    text = re.sub(r'(?<=[-"])skeleton|skeleton(?=-)', dashed, text)
    return text.replace("Skeleton", camel).replace("skeleton", name)


def copy(template: Path, place: Path, name: str) -> None:
    """Write a file of the templates, or the files of a folder, to ``place``."""
    if template.is_dir():
        for file in filter(Path.is_file, template.iterdir()):
            copy(file, place / file.name, name)
        return
    place.parent.mkdir(exist_ok=True)
    place.write_text(renamed(template.read_text("utf-8"), name), "utf-8")


def into_contents(root: Path, page: str) -> None:
    """Add a page behind the last one of Part II in ``_toc.yml``, where it changes no number."""
    (pages,) = (pages for caption, pages in chapters.parts(root) if caption.startswith("Part II,"))
    toc, last = root / "_toc.yml", re.compile(rf"^( *- file: ){pages[-1]}\n", re.M)
    toc.write_text(last.sub(rf"\g<0>\g<1>{page}\n", toc.read_text("utf-8")), "utf-8")


def problem(kind: str, place: Path, name: str) -> str:
    """Why nothing can be made under this name; empty if it can."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        return f"NAME must be lowercase letters, digits and _, such as my_topic, got {name!r}"
    taken = {file.stem for file in place.parent.iterdir()}
    if kind == "experiment":
        from slrlib.experiments import ALL

        taken |= {each.replace("-", "_") for each in ALL}
    return f"the {kind} {name} is there already: choose another name" if name in taken else ""


def make(kind: str, place: Path, name: str) -> str:
    """Make it; return the words on what to do next."""
    (template,) = TEMPLATES.glob(f"{kind}*")
    copy(template, place, name)
    if kind == "chapter":
        into_contents(ROOT, f"book/{name}")
    if kind == "explorer":
        from slrbook.explorers import stills  # which finds it, now that it is there

        stills.main([name])
    told = name.replace("_", "-") if kind == "experiment" else name
    where, line = place.relative_to(ROOT), KINDS[kind][1].format(told)
    return f"{where} passes all tests. After an edit run\n  {line}\nand CONTRIBUTING.md tells more."


def main(arguments: list[str] | None = None) -> None:
    """Make what the command line asks for."""
    parser = argparse.ArgumentParser("python -m slrbook.new", description=__doc__)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("name", metavar="NAME")
    given = parser.parse_args(arguments)
    place = ROOT / KINDS[given.kind][0].format(given.name)
    if wrong := problem(given.kind, place, given.name):
        sys.exit(f"nothing was made: {wrong}")
    print(make(given.kind, place, given.name))


if __name__ == "__main__":
    main()
