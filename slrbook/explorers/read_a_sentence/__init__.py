"""Read a sentence: ``spec.py`` says what it is, ``view.js`` draws it, ``table.py`` feeds it."""
