"""What the page says of the questions of an explorer, asked without a page."""

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
CHOSEN = {"look": {"guess": 1, "look": 5}}  # what a hand does in the picture


@functools.cache
def asked(explorer):
    """For each step its values, figures, truth, the lines "as Python", and what each guess gets."""
    shown = f"const SHOWN = {json.dumps(CHOSEN)};\n"
    return Engine(explorer.program(), shown).data(_ASK)
