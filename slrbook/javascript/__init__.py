"""The printer from jaxpr to JavaScript, with which a page runs the tested Python functions.

``graph`` holds the expressions, ``rules`` translates each primitive operation of JAX, ``body``
writes a function from its graph, and ``printer`` is the interface. The printed functions call
``runtime.js``: error functions, powers, random numbers.
"""

from slrbook.javascript.printer import printed, runtime

__all__ = ["printed", "runtime"]
