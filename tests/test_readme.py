"""The Python block of the README runs, and prints what the README says it prints."""

import contextlib
import io
import re
from pathlib import Path

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")


def test_the_code_of_the_readme_prints_what_it_says():
    code = re.search(r"```python\n(.*?)```", README, re.S)[1]
    promised = re.search(r"```text\n(.*?)```", README, re.S)[1]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "README.md", "exec"), {})
    assert printed.getvalue() == promised


def test_the_two_commands_stand_first():
    assert re.findall(r"^make \w+", README, re.M)[:2] == ["make book", "make test"]


def test_every_file_that_the_readme_links_to_exists():
    root = Path(__file__).parents[1]
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", README) if "://" not in link]
    assert links and [link for link in links if not (root / link).exists()] == []
