"""Find the token: ``spec.py`` defines the explorer, ``view.js`` draws it."""
