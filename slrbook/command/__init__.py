"""The commands: ``python -m slrlib NAME`` runs ``figure``, and `make results` runs ``making``.

They need the extra `book` only to draw a picture.
"""
