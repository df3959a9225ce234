"""Where does it look: ``spec.py`` says what it is, ``view.js`` draws it."""
