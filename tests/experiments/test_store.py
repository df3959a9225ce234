"""Stored results load unchanged, and a corrupt or foreign file is refused."""

import os

import numpy as np
import pytest

from slrlib import store

ARRAYS = {"x": np.linspace(0, 1, 7), "name": np.array(["a", "bc"]), "n": np.array(3)}
HEADER = {"seed": 1, "lam": 0.1, "of": ["fig4a", None, True]}


def test_it_comes_back_with_versions(tmp_path):
    path = tmp_path / "deep" / "result.npz"
    store.save(path, ARRAYS, HEADER)
    arrays, header = store.load(path)
    assert set(arrays) == set(ARRAYS)
    for name, array in ARRAYS.items():
        np.testing.assert_array_equal(arrays[name], array)
        assert arrays[name].dtype == array.dtype
    versions, machine = header.pop("versions"), header.pop("machine")
    assert machine == store.machine()
    assert header == HEADER and {"python", "jax", "numpy", "slrlib"} == set(versions)


def test_a_folder_that_cannot_be_written_is_named_before_anything_is_written(tmp_path):
    file = tmp_path / "file"
    file.touch()
    for path in (file / "x.npz", file / "deep" / "x.npz"):
        sentence = rf"^{path} cannot be written \(Not a directory\): choose"
        with pytest.raises(OSError, match=sentence):
            store.save(path, ARRAYS, HEADER)
    store.make_folder(tmp_path / "new" / "er")
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["er", "file", "new"]


def test_a_stopped_write_leaves_the_old_file_and_no_other(tmp_path, monkeypatch):
    path = tmp_path / "x.npz"
    store.save(path, {"x": np.zeros(3)}, HEADER)

    def stopped(*_, **__):
        raise KeyboardInterrupt

    for module, name in ((np, "savez_compressed"), (os, "replace")):
        with monkeypatch.context() as patched:
            patched.setattr(module, name, stopped)
            with pytest.raises(KeyboardInterrupt):
                store.save(path, {"x": np.ones(3)}, HEADER)
    assert os.listdir(tmp_path) == ["x.npz"]
    np.testing.assert_array_equal(store.load(path)[0]["x"], np.zeros(3))


@pytest.mark.parametrize("arrays", [{"x": np.array([None, {}])}, {"header": np.zeros(2)}])
def test_an_array_that_could_not_be_read_again_is_refused(arrays, tmp_path):
    (name,) = arrays
    with pytest.raises(ValueError, match=rf"^arrays must hold numbers or text .* got '{name}' of"):
        store.save(tmp_path / "x.npz", arrays, {})


def test_a_header_that_is_no_json_is_refused(tmp_path):
    with pytest.raises(ValueError):
        store.save(tmp_path / "x.npz", {}, {"x": float("nan")})  # JSON has no such number
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("kind", ["cut", "text", "other", "pickled"])
def test_a_broken_or_foreign_file_is_refused(kind, tmp_path):
    path = tmp_path / "x.npz"
    store.save(path, ARRAYS, HEADER)
    content = {"cut": path.read_bytes()[: path.stat().st_size // 2], "text": b"kappa, nu"}
    if kind in content:
        path.write_bytes(content[kind])
    else:
        arrays = {"other": {"x": np.zeros(2)}, "pickled": {"header": np.array([{}], dtype=object)}}
        np.savez(path, **arrays[kind])
    with pytest.raises(ValueError, match=r"^path must be a file that .* wrote, got .*x\.npz$"):
        store.load(path)
