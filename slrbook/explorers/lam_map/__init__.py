"""The map of lambda: ``spec.py`` defines the explorer, ``view.js`` draws it."""
