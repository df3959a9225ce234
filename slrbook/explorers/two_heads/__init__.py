"""Two heads: ``spec.py`` says what it is, ``view.js`` draws it."""
