"""The landscape: ``spec.py`` defines the explorer, ``view.js`` and ``divide.js`` draw it."""
