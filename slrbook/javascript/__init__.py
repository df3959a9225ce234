"""The printer from jaxpr to JavaScript: a page computes what the tested functions compute.

``graph`` holds the expressions, ``rules`` says what each primitive operation of JAX becomes,
``body`` writes a function from its graph, and ``printer`` is the door. ``runtime.js`` is what the
printed functions call: error functions, powers, random draws.
"""

from slrbook.javascript.printer import printed, runtime

__all__ = ["printed", "runtime"]
