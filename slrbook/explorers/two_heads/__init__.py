"""Two heads: ``spec.py`` says what it is, ``view.js`` and ``heads.js`` draw it.

``table.py`` feeds it.
"""
