"""Extensions of Sphinx, listed in ``_config.yml``; each has a ``setup`` of its own.

``settings``  the repository address from the environment; notebooks that were executed before
``document``  roles, directives and changes of the document tree
``formulas``  TeX as MathML
``pictures``  figures as files
``publish``   what a page says of itself to search engines and to those who share it
``assets``    the scripts and styles that pages load, and the files for search and previews
``api``       pages that are generated from the sources
"""
