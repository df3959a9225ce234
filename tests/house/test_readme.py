"""The Python block of the README runs and prints the documented output."""

import re
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")


def test_the_code_of_the_readme_prints_what_it_says(capsys):
    code = re.search(r"```python\n(.*?)```", README, re.S)[1]
    promised = re.search(r"```text\n(.*?)```", README, re.S)[1]
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out == promised


def test_every_command_of_make_is_named():
    targets = set(re.findall(r"^([a-z]+):[^#\n]*## ", (ROOT / "Makefile").read_text("utf-8"), re.M))
    others = re.search(r"`make help` lists all commands; the others are (.*?)\.\n", README, re.S)[1]
    named = {*re.findall(r"`([a-z]+)`", others), *re.findall(r"^make ([a-z]+)", README, re.M)}
    assert named | set(re.findall(r"`make ([a-z]+)`", README)) == targets


def test_the_versions_of_python_are_those_of_the_pins_and_of_the_tests():
    promised = re.search(r"Python (3\.\d+) to (3\.\d+)", README).groups()
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8"))
    assert tuple(workflow["jobs"]["test"]["strategy"]["matrix"]["python"]) == promised
    wanted = "Python {} to {}".format(*promised)
    for name in ("constraints.txt", "book/run_and_cite.md"):
        assert wanted in (ROOT / name).read_text("utf-8"), name


def test_every_file_that_the_readme_links_to_exists():
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", README) if "://" not in link]
    assert links and [link for link in links if not (ROOT / link).exists()] == []
