"""The parts of the pages (``picture``, ``explorers``, the printer ``javascript``) and the code that
runs the chapters and builds the site.

`make book` runs ``python -m slrbook.build``. In slrlib, only ``python -m slrlib`` imports this
package: its command line is in ``command``.
"""
