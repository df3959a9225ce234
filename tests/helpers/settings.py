"""Random settings of the explorers, including the ends of ranges, and their addresses."""

import math

import numpy as np

# Slow controls get smaller values; the settings of a block share one line of the landscape.
MOST = {
    "puzzle": {"steps": 20_000},
    "landscape": {"steps": 20_000},
    "fixed_points": {"steps": 20_000},
    "descent": {"steps": 2_000, "d": 1_000},  # a larger d makes most steps unstable
    "see_m": {"steps": 20_000},
    "random_starts": {"d": 40},
    "laboratory": {"steps": 200, "runs": 5, "batch": 3},
}
SHARED = {"landscape": ("lam", "alpha", "d", "gamma")}
BLOCK = 25


def value(random, control, most=math.inf):
    """One value of a control: often an end of its range, else uniform on its slider."""
    low, high = control.low, min(control.high, most)
    page = control.page
    if page["stops"]:
        return float(random.choice([stop for stop in page["stops"] if stop <= high]))
    if random.random() < 0.3:
        return float(random.choice([low, high, control.paper if control.paper <= high else low]))
    if page["log"]:
        found = 10 ** random.uniform(math.log10(low), math.log10(high))
    else:
        found = random.uniform(low, high)
    found = round(found) if control.whole else float(f"{found:.3g}")
    return float(min(max(found, low), high))


def settings(explorer, count, seed=0):
    """``count`` settings of an explorer, each a dictionary of all its controls."""
    random = np.random.default_rng(seed)
    most = MOST.get(explorer.stem(), {})
    drawn = []
    for i in range(count):
        one = {
            name: value(random, control, most.get(name, math.inf))
            for name, control in explorer.controls().items()
            if name != "playing"
        }
        if i % BLOCK:
            one |= {name: drawn[-1][name] for name in SHARED.get(explorer.stem(), ())}
        if explorer.stem() == "descent" and i % 10:
            one["seed"] = 0.0  # one start; thirty would take thirty times as long
        drawn.append(one)
    return drawn


def address(explorer, values):
    """The part of an address that encodes these values."""
    paper = {name: control.paper for name, control in explorer.controls().items()}
    pairs = [f"{name}={value!r}" for name, value in values.items() if value != paper[name]]
    return f"{explorer.stem()}:{'&'.join(pairs)}"
