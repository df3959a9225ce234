"""The model itself on a page: its weights in eight bits, its word pieces, its layers, in a Worker.

``weights`` rounds and writes them, ``site`` puts everything beside the pages; ``pieces.js`` and
``encoder.js`` compute, ``worker.js`` answers, ``load.js`` is what a page has of it.
"""
