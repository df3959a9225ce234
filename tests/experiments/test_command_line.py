"""``python -m slrlib NAME``: a short run of every kind, its output, and stopping and resuming."""

import csv
import json
import sys
from pathlib import Path

import numpy as np
import pytest
from interrupted import stopped_after

import slrbook
import slrlib
from slrbook.command import changed, main, meanings, numbers, shown
from slrlib import store
from slrlib.experiments import ALL, PAPER, descent
from slrlib.language import extra

DESCENT = "--steps 40 --log-every 20 --repetitions 4"
# The value of each number in a short run; other numbers keep their defaults.
SMALL = """d=12 L=4 steps=20 log_every=10 slow_steps=20 last_steps=10 stages=10 early=10,5
repetitions=4 runs=2 starts=3 together=2 points=9 sizes=10,40 longest=1 width=8 batch=8
test_points=32 lengths=2 looks=2,4 rates=0.01 pair_rates=0.1 most=512"""
SMALL = dict(number.split("=") for number in SMALL.split())


def short(name):
    """The command for ``name`` with small numbers; experiments that need the model keep theirs."""
    e = ALL[name]
    small = {n: SMALL[n] for n, x in numbers(e) if n in SMALL and x is not None}
    return [name, *(f"--{n}={x}" for n, x in small.items() if not e.needs_model)]


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    """Write nothing to the home directory of the user who runs the tests."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def columns(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return {name: [row[name] for row in rows] for name in rows[0]}


KINDS = {type(e): name for name, e in reversed(ALL.items())}  # the first name of each kind


PICTURES = {"fig4a": ".svg", "flip": ".pdf"}  # all other pictures are .png
STARTS = {".png": b"\x89PNG\r\n\x1a\n", ".pdf": b"%PDF", ".svg": b"<?xml"}


@pytest.mark.parametrize("name", [*KINDS.values(), "fig10"])
def test_each_line_in_short(name, tmp_path, capsys):
    """Experiments that need the model read their results from results/, as without the model."""
    e = ALL[name]
    picture = PICTURES.get(name, ".png") if e.draw else None
    outs = [str(tmp_path / f"{name}{kind}") for kind in (".csv", ".npz", picture) if kind]
    # one --out for all files, as here, or one --out for each file, as in the recipes
    asked = ["--out", *outs] if len(name) % 2 else [f"--out={out}" for out in outs]
    assert main([*short(name), "--quiet", *asked]) == 0
    said, wrong = capsys.readouterr()
    how = "read from" if e.needs_model else "computed in"
    assert said.startswith(f"{name}, {how}") and not wrong and "nan" not in said
    assert said.splitlines()[-len(outs) :] == outs
    if picture:
        drawn = Path(outs[2]).read_bytes()
        assert drawn.startswith(STARTS[picture]) and b"/Type3" not in drawn
    arrays, header = store.load(outs[1])
    table = columns(outs[0])
    first = Path(outs[0]).read_text("utf-8").splitlines()[0]
    assert json.loads(first.removeprefix("# experiment: ")) == header["experiment"]
    assert header["experiment"]["kind"] == type(e).__name__
    for key, array in arrays.items():
        if array.dtype.kind == "f":
            told = np.array([float(x) for x in table[key] if x])
            assert set(np.unique(told[~np.isnan(told)])) == set(np.unique(array[~np.isnan(array)]))
    assert not list((tmp_path / "cache").rglob("*.npz"))


def test_every_number_is_an_option():
    given = {"d": "1000", "lam0": "0.5", "rate": "0", "seed": "3", "on_manifold": "true"}
    e = changed(PAPER["fig4a"], given)
    told = e.task.d, e.schedule.lam0, e.schedule.rate, e.seed, e.on_manifold
    assert told == (1000, 0.5, 0, 3, True)
    assert changed(PAPER["fig5"], {"batch": "none"}).batch is None
    assert changed(PAPER["fig9"], {"until": "7"}).schedule.until == 7
    assert changed(ALL["hidden"], {"lengths": "20, 40"}).lengths == (20, 40)
    assert changed(PAPER["fig4a"], {"p": ",".join(["0.1"] * 10)}).task.p.shape == (10,)
    for e in ALL.values():  # the displayed value of an option parses back to itself
        own = {name: shown(x) for name, x in numbers(e) if not isinstance(x, float)}
        assert changed(e, own).fingerprint() == e.fingerprint()


@pytest.mark.parametrize(
    "line, sentence",
    [
        ("flop", "name must be an experiment (similar: flip), got 'flop'"),
        ("fig4a --d x", "d must be a number, got 'x'"),
        ("fig4a --lam0 -1", "lam0 must be positive, got -1.0"),
        ("fig4a --on-manifold maybe", "on_manifold must be true or false, got 'maybe'"),
        ("fig4a --log-every 7", "log_every must divide steps=120000, got 7"),
        (
            "fig4a --no 3",
            "unrecognized arguments: --no 3; python -m slrlib fig4a --help lists the options",
        ),
        ("fig8 --early 4", "early must be 2 values, got '4'"),
        ("fig4a --out x.jpg", "out must end in .pdf, .svg, .png, .csv or .npz, got 'x.jpg'"),
        ("table1 --out x.pdf", "table1 has no picture: it is printed, or written to .csv"),
    ],
)
def test_a_wrong_line_gets_one_sentence(line, sentence, capsys, monkeypatch):
    monkeypatch.setattr(extra, "missing", lambda: "")
    try:
        status = main([*line.split(), "--quiet"])
    except SystemExit as stop:
        status = stop.code
    assert status == 2 and capsys.readouterr() == ("", f"{sentence}\n")


def test_without_the_packages_of_a_picture_the_numbers_are_written(tmp_path, capsys, monkeypatch):
    monkeypatch.delattr(slrbook, "figures", raising=False)
    monkeypatch.setitem(sys.modules, "slrbook.figures", None)
    assert main(["flip", "--out", str(tmp_path / "x.csv")]) == 0
    capsys.readouterr()
    assert main(["flip", "--out", str(tmp_path / "x.pdf")]) == 1
    said = capsys.readouterr().err
    assert said.startswith("a picture needs ") and "pip install '.[book]'" in said
    assert not (tmp_path / "x.pdf").exists()


def test_the_same_line_goes_on(tmp_path, capsys):
    line = ["fig7b", *DESCENT.split(), "--out", str(tmp_path / "x.npz")]
    with stopped_after(1, descent, "followed"):
        assert main(line) == 130
    assert capsys.readouterr().err.endswith("stopped; the same command resumes the run\n")
    assert not (tmp_path / "x.npz").exists()
    with stopped_after(100, descent, "followed") as calls:
        assert main(line) == 0
        assert len(calls) == 1  # the first chunk was not run again
    assert not list((tmp_path / "cache").rglob("*.npz"))


def test_a_folder_keeps_the_result_until_it_is_wanted_afresh(tmp_path, capsys):
    line = ["fig7b", *DESCENT.split(), "--quiet", "--folder", str(tmp_path / "kept")]
    says = [capsys.readouterr().out.split()[1] for _ in range(2) if main(line) == 0]
    assert says == ["computed", "read"]
    assert main([*line, "--afresh"]) == 0 and "computed" in capsys.readouterr().out


def test_the_list_and_the_help(capsys):
    for line in (["--list"], ["--version"], [], ["fig4a", "--help"]):
        with pytest.raises(SystemExit) as stop:
            main(line)
        assert stop.value.code == 0
    said = capsys.readouterr().out
    assert set(ALL) <= set(said.split()) and f"\nslrlib {slrlib.__version__}\n" in said
    assert "--lam0" in said and "--on-manifold" in said
    assert "Dimension of a token, >= 2 [400]" in said
    for e in ALL.values():
        means = meanings(e)
        assert all(means.get(name) for name, _ in numbers(e)), e.name


def test_a_folder_that_cannot_be_written_is_named(tmp_path, capsys, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", f"{tmp_path}/file")
    for line in (["fig6", "--points", "5"], ["fig6", "--out", f"{tmp_path}/file/x/x.csv"]):
        assert main(line) == 2
        assert " cannot be written (Not a directory)" in capsys.readouterr().err
