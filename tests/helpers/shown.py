"""Evaluate explorers at given settings in V8, without a page."""

import json

import pytest
from js import Engine

_ASK = """%s.map((given) => {
  const values = { ...Object.fromEntries(SPEC.controls.map((c) => [c.name, c.paper])), ...given };
  let result;
  for (const next of explorer.work ? explorer.work(values, {}) : []) if (next) result = next;
  const { reading, figures, labels, panels } = explorer.draw(values, result, {});
  return { reading, figures, labels, panels, %s };
})"""


def engine_of(explorer):
    """Return a fixture for the program of an explorer in V8."""
    return pytest.fixture(scope="module")(lambda: Engine(explorer.program()))


def pictures(engine, settings, more=""):
    """Reading, figures, labels and panels at each setting; ``more`` are members in JavaScript."""
    return engine.data(_ASK % (json.dumps(settings), more))


def picture(engine, more="", **controls):
    return pictures(engine, [controls], more)[0]
