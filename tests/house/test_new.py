"""``python -m slrbook.new`` in a copy of the project: its output passes all tests unchanged."""

import shutil

import pytest
import yaml
from booksource import ROOT
from compiled import alike
from fresh import python
from smallbook import settings

LEFT = shutil.ignore_patterns(".*", "_build", "results", "__pycache__")
TESTS = """tests/explorers/test_explore.py tests/explorers/test_as_python.py
tests/explorers/test_steps.py tests/experiments/test_command_line.py
tests/pages/test_notebooks.py tests/pages/test_contents.py""".split()


def run(folder, *line, code=None):
    """The output of Python in ``folder``, with the package from there or from ``code``."""
    return python(*line, folder=folder, **alike(PYTHONPATH=str(code or folder)))


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """A copy of the project with an additional explorer, experiment and chapter."""
    folder = tmp_path_factory.mktemp("new") / "clone"
    shutil.copytree(ROOT, folder, ignore=LEFT)
    (folder / "results").symlink_to(ROOT / "results")
    for kind in ("explorer", "experiment", "chapter"):
        run(folder, "-m", "slrbook.new", kind, "my_trial")
    return folder


def test_each_is_found_and_passes_the_tests_that_all_others_pass(clone):
    only = ["-m", "not browser", "-k", "my_trial or my-trial"]
    said = run(clone, "-m", "pytest", "-v", "-p", "no:cacheprovider", *TESTS, *only)
    for test in ("the_stored_still_is_fresh", "the_lines_find_what_is_shown", "takeaways"):
        assert test in said


def test_the_experiment_runs_with_numbers_of_ones_own(clone):
    said = run(clone, "-m", "slrlib", "my-trial", "--starts", "5", "--lams", "0.1")
    assert "median excess risk: " in said and said.count("at lam = 0.1") == 1


def test_the_chapter_runs_and_its_page_is_written(clone, tmp_path):
    (tmp_path / "book").mkdir()
    shutil.copy(clone / "book" / "my_trial.ipynb", tmp_path / "book")
    (tmp_path / "book" / "intro.md").write_text("# A small book\n\nWords.\n", "utf-8")
    (tmp_path / "references.bib").touch()
    (tmp_path / "_config.yml").write_text(yaml.safe_dump(settings()), "utf-8")
    parts = yaml.safe_load((clone / "_toc.yml").read_text("utf-8"))["parts"][1:2]
    assert parts[0]["chapters"].pop() == {"file": "book/my_trial"}
    parts[0]["chapters"] = [{"file": "book/my_trial"}]
    toc = {"format": "jb-book", "root": "book/intro", "parts": parts}
    (tmp_path / "_toc.yml").write_text(yaml.safe_dump(toc), "utf-8")
    run(tmp_path, "-m", "slrbook.build", code=clone)
    page = (tmp_path / "_build" / "html" / "book" / "my_trial.html").read_text("utf-8")
    assert page.count('class="slr-check slr-holds"') == 1 and "0.495" in page


@pytest.mark.parametrize(
    ("kind", "name", "sentence"),
    [
        ("explorer", "puzzle", "the name puzzle is already in use: choose another one"),
        ("explorer", "base", "the name base is already in use: choose another one"),
        ("experiment", "phases", "the name phases is already in use: choose another one"),
        ("chapter", "task", "the name task is already in use: choose another one"),
        ("chapter", "My topic", "NAME must start with a letter and contain only lowercase letters"),
    ],
)
def test_another_name_is_asked_for_in_one_sentence(kind, name, sentence):
    from slrbook import new

    with pytest.raises(SystemExit, match=f"^nothing was created: {sentence}"):
        new.main([kind, name])
