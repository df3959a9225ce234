"""Pinned versions, metadata, notices, and the wheel."""

import re
import tomllib
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest
import yaml
from fresh import python
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from slrbook.processor import FAST_XLA_FLAGS
from slrbook.tryit.site import ENGINE
from slrbook.tryit.wheel import WHEEL as MICROPYTHON
from slrlib.language.encoder import MINILM_SHA256
from slrlib.language.extra import WHEEL

ROOT = Path(__file__).parents[2]
METADATA = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = METADATA["project"]
NAMED_TEXT = {"Makefile", "LICENSE", "postBuild", "start"}
OURS = "slrlib slrbook book tests tools docs .github".split()
DATA = {".js", ".css", ".json"}


def pins() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    found = [line.split("==") for line in lines if line and not line.startswith("#")]
    return {canonicalize_name(name): pin for name, pin in found}


def requirements() -> list[Requirement]:
    extras = PROJECT["optional-dependencies"]
    lines = PROJECT["dependencies"] + extras["book"] + extras["test"] + extras["language"]
    return [Requirement(line) for line in lines]


def test_every_requirement_is_pinned_within_its_bounds():
    pinned = pins()
    for_developers = [Requirement(line) for line in METADATA["dependency-groups"]["dev"]]
    for requirement in requirements() + for_developers:
        pin = pinned.get(canonicalize_name(requirement.name))
        assert pin is not None, f"{requirement.name} is not in constraints.txt"
        assert requirement.specifier.contains(pin), f"{requirement} against {pin}"


def test_what_runs_here_is_what_is_pinned():
    pinned = pins()
    names = [canonicalize_name(requirement.name) for requirement in requirements()]
    assert {name: version(name) for name in names} == {name: pinned[name] for name in names}


def test_binder_compiles_with_the_flags_of_the_chapters():
    assert f'XLA_FLAGS="{FAST_XLA_FLAGS}"' in (ROOT / "start").read_text("utf-8")


def test_binder_installs_the_same_pins():
    environment = yaml.safe_load((ROOT / "environment.yml").read_text("utf-8"))
    pip = next(entry["pip"] for entry in environment["dependencies"] if isinstance(entry, dict))
    assert pip == ["-c constraints.txt", "-e .[lab,language]"]
    assert "python=3.11" in environment["dependencies"]
    assert PROJECT["requires-python"] == ">=3.11"


@pytest.mark.parametrize(
    ("name", "wheel", "holds"),
    [("model", WHEEL, MINILM_SHA256), ("micropython", MICROPYTHON, ENGINE)],
)
def test_a_wheel_is_pinned_by_hash_has_a_notice_and_comes_without_its_heavy_packages(
    name, wheel, holds
):
    file = ROOT / f"requirements-{name}.txt"
    lines = file.read_text("utf-8").replace("\\\n", "").splitlines()
    (line,) = [line for line in lines if not line.startswith("#")]
    requirement, hashed = line.split()
    assert requirement == wheel
    pin = re.fullmatch(r"--hash=sha256:([0-9a-f]{64})", hashed)[1]
    notices = (ROOT / "THIRD_PARTY.md").read_text("utf-8")
    assert all(each in notices for each in (pin, wheel.split("==")[1], holds))
    assert "--no-deps --require-hashes -r $$list" in (ROOT / "Makefile").read_text("utf-8")


def test_no_file_names_a_folder_of_somebodys_machine():
    private = re.compile("/" + r"(?:work|root|home|Users)/\w")
    text = {".py", ".md", ".yml", ".toml", ".txt", ".ipynb", ".js", ".css", ".json", ".cff", ".cfg"}
    every = [*ROOT.glob("*"), *(file for folder in OURS for file in (ROOT / folder).rglob("*"))]
    read = [file for file in every if file.suffix in text or file.name in NAMED_TEXT]
    read = [file for file in read if "node_modules" not in file.parts]
    assert len(read) > 30
    assert [file for file in read if private.search(file.read_text("utf-8"))] == []


def test_citations_and_the_changelog_speak_of_this_version():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
    assert citation["version"] == PROJECT["version"]
    assert f"## {PROJECT['version']}" in (ROOT / "CHANGELOG.md").read_text("utf-8")
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    for page in ("additions", "run_and_cite"):
        text = (ROOT / f"book/{page}.md").read_text("utf-8")
        entry = re.search(r"@misc\{.*?\n\}", text, re.S)[0]
        assert f"version {PROJECT['version']};" in entry
        assert f"year   = {{{config['copyright']}}}" in entry


LOADS = """
from slrlib.experiments import PAPER, load
from slrlib.experiments.registry import locate
print(locate(PAPER["fig9"])[0], load("fig9").step[-1])
"""


def test_the_wheel_holds_the_scripts_and_colors_that_it_needs(tmp_path):
    python("-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path), folder=ROOT)
    (wheel,) = tmp_path.glob("*.whl")
    inside = set(zipfile.ZipFile(wheel).namelist())
    files = [*(ROOT / "slrlib").rglob("*"), *(ROOT / "slrbook").rglob("*")]
    wanted = {x.relative_to(ROOT).as_posix() for x in files if x.suffix in {".py", *DATA}}
    assert {Path(name).suffix for name in wanted} == {".py", *DATA}
    assert wanted <= inside
    assert not [name for name in inside if name.startswith(("tests/", "book/"))]
    zipfile.ZipFile(wheel).extractall(tmp_path / "installed")
    (scripts,) = (tmp_path / "installed").glob("*.dist-info/entry_points.txt")
    assert "slrlib = slrlib.__main__:main" in scripts.read_text("utf-8")
    said = python("-c", LOADS, folder=tmp_path, PYTHONPATH=str(tmp_path / "installed"))
    assert said.split() == [str(tmp_path / "installed" / "slrlib" / "results"), "100000"]
