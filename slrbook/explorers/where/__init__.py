"""Where does it look: ``spec.py`` defines the explorer, ``view.js`` draws it."""
