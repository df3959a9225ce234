"""The tour: ``spec.py`` defines it; ``view.js``, ``scenes.js`` and ``runs.js`` draw it."""
