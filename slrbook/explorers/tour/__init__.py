"""The tour: ``spec.py`` says what it is; ``view.js``, ``scenes.js`` and ``runs.js`` draw it."""
