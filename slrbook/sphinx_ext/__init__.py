"""Extensions of Sphinx, listed in ``_config.yml``; each has a ``setup`` of its own.

``document``  roles, directives and changes of the document tree
``contents``  letters of a part, the head of a page, the list of pages, pages that moved
``formulas``  TeX as MathML
``publish``   what a page says of itself to search engines and to those who share it
``assets``    the scripts and styles that pages load, and the files for search and previews
``plain_notebooks``  the notebooks that Binder, Colab and the download buttons open
``slides``    the slides of the lecture, from the page for teachers
``api``       pages that are generated from the sources
"""
