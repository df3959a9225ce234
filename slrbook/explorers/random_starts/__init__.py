"""Random starts: ``spec.py`` defines the explorer, ``view.js`` draws it."""
