"""The commands: ``figure`` is ``python -m slrlib NAME``, ``making`` is what `make results` runs.

They need nothing of the extra `book`, but for a picture.
"""
