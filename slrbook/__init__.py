"""What the pages are made of, and with: ``picture``, ``explorers`` and the printer ``javascript``;
running the chapters, building the site, timing and comparing.

``python -m slrbook.build`` is what `make book` runs; see ``execute`` for one chapter, ``times`` for
the table of `make times` and ``anywhere`` for that of `make anywhere`. Of slrlib only
``python -m slrlib`` imports this: ``command`` reads the line and answers it.
"""
