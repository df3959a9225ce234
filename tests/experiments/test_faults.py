"""Nothing is silently wrong: runs that are killed, files that are torn, schedules of one's own."""

import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace

import jax.numpy as jnp
import numpy as np
import psutil
import pytest
from booksource import ROOT
from compiled import alike
from interrupted import stopped_after
from tiny import TINY

from slrbook.command.making import make
from slrlib import store
from slrlib.dynamics import constant, inverse_decay
from slrlib.dynamics.schedules import held, identity, values
from slrlib.experiments import ALL, PAPER, descent, load, run
from slrlib.experiments.catalogue import STORED

SHORT = replace(PAPER["fig7b"], steps=400, log_every=20, repetitions=4)
BRIEF = replace(TINY, steps=120, early=(40, 10), repetitions=8)  # two parts, all chunks alike


def all_equal(some, others):
    return all(np.array_equal(x, y) for x, y in zip(some, others, strict=True))


def same(a, b):
    return all_equal(leaves(a), leaves(b))


def close(a, b):
    """Equal but for rounding."""
    np.testing.assert_allclose(a.excess_risk, b.excess_risk, rtol=1e-9)


def leaves(result):
    return [x for field in result for x in (field if isinstance(field, tuple) else [field])]


class Own:
    """A schedule whose ``repr`` is that of any other, as two functions at one address have."""

    def __init__(self, lam):
        self.lam = lam

    def __call__(self, t):
        return self.lam + 0.0 * jnp.asarray(t, float)

    def __repr__(self):
        return "<function <lambda> at 0x7f0000000000>"


OTHER_PROCESS = """
import sys
from dataclasses import replace
import jax
jax.config.update("jax_enable_x64", True)
import test_faults as t
from slrlib.experiments import descent
for folder, lam, chunks in ((sys.argv[1], 0.1, 100), (sys.argv[2], 0.2, 7)):
    plain, made = t.descent.advance, []
    def advance(*given):
        if len(made) == chunks:
            raise KeyboardInterrupt
        made.append(1)
        return plain(*given)
    descent.advance = advance
    try:
        t.run(replace(t.SHORT, schedule=t.Own(lam)), folder=folder)
    except KeyboardInterrupt:
        pass
    descent.advance = plain
"""


def test_a_schedule_of_one_s_own_is_known_by_its_values_in_another_process(tmp_path, monkeypatch):
    """Another process made the whole run at lam = 0.1, and 7 of 20 chunks of that at 0.2."""
    whole, begun = tmp_path / "whole", tmp_path / "begun"
    path = os.pathsep.join([str(ROOT / "tests" / "experiments"), str(ROOT / "tests" / "helpers")])
    done = subprocess.run(
        [sys.executable, "-c", OTHER_PROCESS, str(whole), str(begun)],
        env=alike(PYTHONPATH=os.pathsep.join([str(ROOT), path])),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    one, two = (replace(SHORT, schedule=Own(lam)) for lam in (0.1, 0.2))
    assert repr(one.schedule) == repr(two.schedule)
    with monkeypatch.context() as patched:
        stopped_after(0, descent, "advance", patched)
        found = run(one, folder=whole)  # read, not run
    np.testing.assert_allclose(found.excess_risk, run(SHORT).excess_risk, rtol=1e-9)
    with monkeypatch.context() as patched:
        made = stopped_after(100, descent, "advance", patched)
        again = run(two, folder=begun)
        assert len(made) == 13  # the first seven were not run again
    close(again, run(two))
    close(run(two, folder=whole), again)  # never that of another schedule
    assert np.max(np.abs(again.excess_risk - found.excess_risk)) > 0.1


def test_what_tells_a_schedule():
    assert identity(constant(0.1), 40) == {"lam0": 0.1, "rate": 0.0}
    assert identity(held(inverse_decay(2.0, 1e-4), 7), 40)["until"] == 7.0
    own = [identity(Own(x), 40) for x in (0.1, 0.1, 0.2)]
    assert own[0] == own[1] != own[2]
    late = identity(lambda t: jnp.where(t < 40, 0.1, 0.3), 40)  # apart at the last step only
    assert late != own[0] and identity(lambda t: jnp.where(t < 41, 0.1, 0.3), 40) == own[0]
    assert identity(held(Own(0.1), 7), 40) == own[0]
    np.testing.assert_allclose(values(inverse_decay(1.0, 0.5), 2), [1, 2 / 3, 0.5])


@pytest.mark.parametrize(
    "schedule, sentence",
    [
        (
            lambda t: 0.1 - 0.01 * jnp.asarray(t, float),
            "schedule must give a finite lam of zero or more, got -0.0",
        ),
        (
            lambda t: jnp.nan * jnp.asarray(t, float),
            "schedule must give a finite lam of zero or more, got nan at step",
        ),
        (lambda t: jnp.ones(3), r"schedule must give one number a step, got shape \(3,\)"),
        ("fast", "schedule must be a function of the step"),
    ],
)
@pytest.mark.parametrize("name", ["fig7b", "fig9"])
def test_a_schedule_that_is_none_is_refused(name, schedule, sentence):
    short = replace(ALL[name], schedule=schedule, steps=40, log_every=20, repetitions=2)
    with pytest.raises(ValueError, match=f"^{sentence}"):
        run(short)


def test_training_that_diverges_says_so_and_keeps_what_was_before(tmp_path):
    e = replace(BRIEF, repetitions=2, learning_rate=30.0, early=(1, 1), steps=41)
    sentence = (
        r"^tiny diverged at step \d+: reduce learning_rate, got 30\.0; "
        r"the rows before are kept in .*npz$"
    )
    for _ in range(2):  # the second time it begins behind the rows that are kept
        with pytest.raises(ValueError, match=sentence):
            run(e, folder=tmp_path)
    arrays, header = store.load(e.file(tmp_path))
    assert header["chunks"] < header["of"] and np.all(np.isfinite(arrays["excess_risk"]))
    with pytest.raises(ValueError, match=r"diverged at step \d+: reduce learning_rate, got 30\.0$"):
        run(e)
    with pytest.raises(ValueError, match="no finished result of tiny with these parameters in "):
        load(e, tmp_path)


def torn(file, rng):
    """Ways in which a file is spoilt: cut, or one byte changed."""
    whole = file.read_bytes()
    for part in (0, 1, len(whole) // 3, len(whole) - 1):
        yield whole[:part]
    for place in rng.sample(range(len(whole)), 300):
        yield whole[:place] + bytes([whole[place] ^ (1 << rng.randrange(8))]) + whole[place + 1 :]


def test_a_spoilt_file_gives_one_sentence_or_the_same_numbers(tmp_path):
    path = tmp_path / "x.npz"
    store.save(path, {"x": np.linspace(0, 1, 40), "n": np.arange(3)}, {"seed": 1})
    arrays, header = store.load(path)
    refused = 0
    for content in list(torn(path, random.Random(0))):
        path.write_bytes(content)
        try:
            again, its = store.load(path)
        except store.CorruptFile as sentence:
            assert str(sentence).startswith("path must be a file that slrlib.store wrote, got ")
            refused += 1
        else:  # a date or some such
            assert its == header and all(np.array_equal(again[n], arrays[n]) for n in arrays)
    assert refused > 150


def test_a_torn_result_is_refused(tmp_path):
    run(SHORT, folder=tmp_path)
    file = SHORT.file(tmp_path)
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    sentence = r"^corrupt file .*7b-.*npz: delete it and run the experiment again$"
    for read in (run, load, lambda e, folder: make([e], folder, processes=1, progress=False)):
        with pytest.raises(ValueError, match=sentence):
            read(SHORT, folder=tmp_path)


OUTDATED = (
    "computed with revision 1 of this experiment; the current revision is 2: recompute with "
    "--afresh"
)


def test_a_result_of_another_revision_is_read_with_a_warning(tmp_path, caplog, monkeypatch):
    made = run(SHORT, folder=tmp_path)
    assert store.load(SHORT.file(tmp_path))[1]["revision"] == 1
    assert same(run(SHORT, folder=tmp_path), made) and same(load(SHORT, tmp_path), made)
    assert not caplog.records
    monkeypatch.setattr(type(SHORT), "revision", 2)
    assert same(run(SHORT, folder=tmp_path), made) and same(load(SHORT, tmp_path), made)
    said = [record.getMessage() for record in caplog.records]
    assert said == [f"{SHORT.file(tmp_path)} was {OUTDATED}", f"{SHORT.name} was {OUTDATED}"]


def test_an_unfinished_run_of_another_revision_starts_over(tmp_path, monkeypatch):
    with monkeypatch.context() as patched:
        stopped_after(7, descent, "advance", patched)
        with pytest.raises(KeyboardInterrupt):
            run(SHORT, folder=tmp_path)
    monkeypatch.setattr(type(SHORT), "revision", 2)
    calls = stopped_after(100, descent, "advance", monkeypatch)
    run(SHORT, folder=tmp_path)
    assert len(calls) == 20 and store.load(SHORT.file(tmp_path))[1]["revision"] == 2


def test_the_stored_results_are_of_the_current_revisions(caplog):
    for name in STORED:
        load(name, ROOT / "results")
    assert not caplog.records


def test_a_folder_that_cannot_be_written_is_refused_before_anything_is_computed(
    tmp_path, monkeypatch
):
    (tmp_path / "file").touch()
    monkeypatch.setattr(type(SHORT), "compute", None)
    sentence = rf"^{tmp_path}/file/deep cannot be written \(Not a directory\): choose a path "
    with pytest.raises(OSError, match=sentence):
        run(SHORT, folder=tmp_path / "file" / "deep")


def test_what_is_finished_is_read_without_a_bar(tmp_path, capfd):
    run(SHORT, folder=tmp_path)
    run(SHORT, folder=tmp_path, progress=True)
    assert make([SHORT], tmp_path) == 0
    assert capfd.readouterr() == ("", "")


def test_an_unknown_name_is_one_sentence():
    with pytest.raises(KeyError) as wrong:
        PAPER["fig4"]
    assert str(wrong.value) == "name must be an experiment (similar: fig4a, fig4b), got 'fig4'"
    assert "fig4" not in PAPER and PAPER.get("fig4") is None
    with pytest.raises(ValueError, match=r"^name must be an experiment \(similar: fig8"):
        ALL["fig8x"]


MAKE = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # as on a terminal
sys.path += [{tests!r}, {helpers!r}]
from dataclasses import replace
from slrlib.experiments import ALL
from slrbook.results import main
for name in ("fig7a", "fig7b"):  # 101 is prime, so this makes 101 chunks
    ALL[name] = replace(ALL[name], steps=101 * 20_000, log_every=20_000)
sys.exit(main())
"""


def making(folder):
    """The making of two long runs, once both processes are at work."""
    script = MAKE.format(tests=str(ROOT / "tests"), helpers=str(ROOT / "tests" / "helpers"))
    line = [sys.executable, "-c", script, str(folder), "fig7a", "fig7b"]
    keys = {"stderr": subprocess.PIPE, "text": True, "cwd": ROOT, "start_new_session": True}
    return subprocess.Popen(line, env=alike(), **keys)


def wait_for_a_chunk(making, folder):
    while not list(folder.glob("fig7*.npz")):
        assert making.poll() is None
        time.sleep(0.1)
    return psutil.Process(making.pid).children(recursive=True)


def test_one_ctrl_c_stops_the_making_and_leaves_no_process(tmp_path):
    with making(tmp_path) as run:
        its = wait_for_a_chunk(run, tmp_path)
        os.killpg(run.pid, signal.SIGINT)  # what a terminal sends, to all of them
        said = run.stderr.read()
    assert run.returncode == 130
    assert said.endswith("\nstopped; the same command goes on\n") and "Traceback" not in said
    assert "Warning" not in said
    assert len(its) >= 2 and not psutil.wait_procs(its, timeout=60)[1]


KILLED = """
import os, random, signal, sys, time
import jax
jax.config.update("jax_enable_x64", True)
import numpy as np
import test_faults as t
from slrlib import store
from slrlib.experiments import descent, training
rng, folder, plain, kills, seen = random.Random(1), *sys.argv[1:], 0, set()
EACH = (t.BRIEF, t.SHORT)
def forked(work, *given):  # everything is imported, nothing is computed yet: a fork is safe
    child = os.fork()
    if not child:
        os._exit(int(work(*given) is False))
    return child
def alone():  # so that no compiling is left to do
    for e in EACH:
        np.savez(f"{plain}/{e.name}.npz", *t.leaves(t.run(e)))
def made(e, report):
    for module, name in ((descent, "advance"), (training, "advance_training")):
        def reported(*given, advance=getattr(module, name)):
            os.write(report, b".")
            return advance(*given)
        setattr(module, name, reported)
    t.run(e, folder=folder)
def the_same():
    for e in EACH:
        with np.load(f"{plain}/{e.name}.npz") as wanted:
            assert t.all_equal(t.leaves(t.run(e, folder=folder)), wanted.values())
assert os.waitpid(forked(alone), 0)[1] == 0
while kills < 10:
    e, (hear, report) = EACH[kills % 2], os.pipe()
    child, begun = forked(made, e, report), []
    os.close(report)
    for _ in range(rng.randrange(2, 9)):  # chunks: the first begins with tracing
        begun += [time.monotonic()] * len(os.read(hear, 1))
    between = min([0.02, *np.diff(begun)])  # what a chunk takes here, its writing included
    time.sleep(rng.uniform(0, between))
    os.kill(child, signal.SIGKILL)
    killed, file = os.waitpid(child, 0)[1] != 0, e.file(folder)
    os.close(hear)
    kills += killed
    seen.add((e.name, store.load(file)[1]["chunks"] if file.exists() else 0))
    if not killed or rng.random() < 0.3:
        file.unlink(missing_ok=True)
assert len(seen) > 2, seen
assert os.waitpid(forked(the_same), 0)[1] == 0
"""


def test_ten_kills_at_random_moments_change_no_bit(tmp_path):
    """Each kill comes while chunks are made and written, as the victim tells when one begins."""
    places = [ROOT, ROOT / "tests" / "experiments", ROOT / "tests" / "helpers"]
    folder, plain = tmp_path / "killed", tmp_path / "plain"
    plain.mkdir()
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", KILLED, str(folder), str(plain)],
        env=alike(PYTHONPATH=os.pathsep.join(map(str, places))),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    left = sorted(path.name for path in folder.rglob("[!.]*"))
    assert left == sorted(each.file(tmp_path).name for each in (BRIEF, SHORT))
