"""The flow of data: ``spec.py`` says what it is, ``view.js`` and ``flow.js`` draw it."""
