"""Extensions of Sphinx, listed in ``_config.yml``; each has a ``setup`` of its own.

``document``  roles, directives, formulas as MathML, and changes of the document tree
``contents``  letters of a part, the head of a page, lists of pages, statements and public names
``publish``   metadata of pages for search engines and shared links; slides
``assets``    the scripts and styles that pages load, and the files for search and previews
``plain_notebooks``  the notebooks that Binder, Colab and the download buttons open
"""
