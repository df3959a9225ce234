"""What the pages are made of, and with: ``picture``, ``explorers`` and the printer ``javascript``;
running the chapters and building the site.

``python -m slrbook.build`` is what `make book` runs. Of slrlib
only ``python -m slrlib`` imports this: ``command`` reads the line and answers it.
"""
