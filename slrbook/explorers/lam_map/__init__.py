"""The map of lambda: ``spec.py`` says what it is, ``view.js`` draws it."""
