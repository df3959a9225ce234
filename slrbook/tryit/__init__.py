"""*Try it* under a cell or an exercise: readers run their own Python on a page, without a server.

MicroPython, compiled to WebAssembly, comes from a pinned wheel; ``classic`` converts its module to
a classic script, ``functions`` lists what ``import slr`` offers, and ``site`` writes the files of
the site. A page loads ``editor.js`` at once; ``worker.js`` runs the code, ``plot.js`` draws, and
``slr.py`` is the module that the reader's code imports.
"""
