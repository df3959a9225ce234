"""What the processes of one test run find out once, for all of them."""

import fcntl
import pickle
import tempfile
from pathlib import Path

import pytest

FOLDER = pytest.StashKey()


def folder(config) -> str:
    """A folder for the processes of this run, made by the first and gone with it."""
    if FOLDER not in config.stash:
        config.stash[FOLDER] = tempfile.TemporaryDirectory()
    return config.stash[FOLDER].name


def once(config, find):
    """What ``find()`` gives: the first process that asks looks, the others wait for its answer.

    To start a browser costs seconds, and two answers would be two lists of tests.
    """
    place = getattr(config, "workerinput", {}).get("shared")
    if place is None:  # there is one process only
        return find()
    with open(Path(place) / find.__name__, "a+b") as answer:
        fcntl.flock(answer, fcntl.LOCK_EX)  # given back with the file, however this ends
        answer.seek(0)
        said = answer.read()
        if not said:
            said = pickle.dumps(find())
            answer.write(said)
    return pickle.loads(said)
