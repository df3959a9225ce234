"""The landscape: ``spec.py`` says what it is, ``view.js`` and ``divide.js`` draw it."""
