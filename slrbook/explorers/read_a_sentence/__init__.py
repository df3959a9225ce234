"""Read a sentence: ``spec.py`` defines it, ``view.js`` draws it, ``table.py`` has its data."""
