"""A reader's own Python on a page, without a server: *Try it* under a cell or an exercise.

MicroPython, compiled to WebAssembly, comes from a pinned wheel; ``classic`` makes a classic script
of its module, ``functions`` names what ``import slr`` offers, ``site`` puts all of it beside the
pages. ``editor.js`` is what a page loads at once, ``worker.js`` runs the code, ``plot.js`` draws,
and ``slr.py`` is the module that the reader's code imports.
"""
