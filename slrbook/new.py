"""Create an explorer, an experiment or a chapter: ``python -m slrbook.new explorer NAME``.

The new files are copies of those in ``slrbook/templates`` under the given name, and pass all tests.
Explorers and experiments are found without being listed; a chapter is added to ``_toc.yml``.
"""

import argparse
import keyword
import re
import sys
from pathlib import Path

from slrbook import chapters

TEMPLATES = Path(__file__).with_name("templates")
ROOT = TEMPLATES.parents[1]
KINDS = {  # its location, and the command to run after an edit
    "explorer": ("slrbook/explorers/{}", ".venv/bin/python -m slrbook.explorers.stills {}"),
    "experiment": ("slrlib/experiments/{}.py", ".venv/bin/python -m slrlib {}"),
    "chapter": ("book/{}.ipynb", "make chapter NAME={}"),
}


def renamed(text: str, name: str) -> str:
    """Rename a template; labels and quoted names get hyphens instead of underscores."""
    camel, dashed = name.title().replace("_", ""), name.replace("_", "-")
    text = re.sub(r'(?<=[-"])skeleton|skeleton(?=-)', dashed, text)
    return text.replace("Skeleton", camel).replace("skeleton", name)


def copy(template: Path, place: Path, name: str) -> None:
    """Copy a template, which is a file or a folder, to ``place`` under a new name."""
    if template.is_dir():
        for file in filter(Path.is_file, template.iterdir()):
            copy(file, place / file.name, name)
        return
    place.parent.mkdir(exist_ok=True)
    place.write_text(renamed(template.read_text("utf-8"), name), "utf-8")


def into_contents(root: Path, page: str) -> None:
    """Add a page to ``_toc.yml`` after the last page of Part II, so that no number changes."""
    (pages,) = (pages for caption, pages in chapters.parts(root) if caption.startswith("Part II,"))
    toc, last = root / "_toc.yml", re.compile(rf"^( *- file: ){pages[-1]}\n", re.M)
    toc.write_text(last.sub(rf"\g<0>\g<1>{page}\n", toc.read_text("utf-8")), "utf-8")


def problem(kind: str, place: Path, name: str) -> str:
    """Return why this name cannot be used; an empty text if it can."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        return (
            "NAME must start with a letter and contain only lowercase letters, digits and _, "
            f"got {name!r}"
        )
    taken = {file.stem for file in place.parent.iterdir()}
    if kind == "experiment":
        from slrlib.experiments import ALL

        taken |= {each.replace("-", "_") for each in ALL}
    return f"the name {name} is already in use: choose another one" if name in taken else ""


def make(kind: str, place: Path, name: str) -> str:
    """Create the files; return a message with the next step."""
    (template,) = TEMPLATES.glob(f"{kind}*")
    copy(template, place, name)
    if kind == "chapter":
        into_contents(ROOT, f"book/{name}")
    if kind == "explorer":
        from slrbook.explorers import stills  # only now, so that it finds the new folder

        stills.main([name])
    told = name.replace("_", "-") if kind == "experiment" else name
    where, line = place.relative_to(ROOT), KINDS[kind][1].format(told)
    return (
        f"Created {where}, which passes all tests. After an edit, run\n  {line}\n"
        "CONTRIBUTING.md lists all steps."
    )


def main(arguments: list[str] | None = None) -> None:
    """Create what the command line names."""
    parser = argparse.ArgumentParser("python -m slrbook.new", description=__doc__)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("name", metavar="NAME")
    given = parser.parse_args(arguments)
    place = ROOT / KINDS[given.kind][0].format(given.name)
    if wrong := problem(given.kind, place, given.name):
        sys.exit(f"nothing was created: {wrong}")
    print(make(given.kind, place, given.name))


if __name__ == "__main__":
    main()
