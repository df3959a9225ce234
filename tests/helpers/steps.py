"""The page's feedback on an explorer's questions, evaluated without a page."""

import functools
import json

from js import Engine

_ASK = """SPEC.steps.map((step) => {
  const paper = Object.fromEntries(SPEC.controls.map((c) => [c.name, c.paper]));
  const values = { ...paper, ...step.state, ...SHOWN[step.click] };
  let result;
  for (const next of explorer.work ? explorer.work(values) : []) if (next) result = next;
  const { figures } = explorer.draw(values, result, {});
  const guesses = step.choices ? step.choices.map((_, i) => i) : [1, 5, 10];
  return {
    values, figures, truth: slr.truthOf(step, figures),
    lines: slr.pythonOf(SPEC, explorer, values, figures),
    said: guesses.map((guess) => slr.compared(step, guess, figures)),
  };
})"""
CHOSEN = {"look": {"guess": 1, "look": 5}}  # the reader's choices in the picture


@functools.cache
def asked(explorer):
    """The values, figures, true answer, "as Python" code and all feedback of each step."""
    shown = f"const SHOWN = {json.dumps(CHOSEN)};\n"
    return Engine(explorer.program(), shown).data(_ASK)
