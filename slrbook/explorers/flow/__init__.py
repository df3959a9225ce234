"""The flow of data: ``spec.py`` defines the explorer, ``view.js`` and ``flow.js`` draw it."""
