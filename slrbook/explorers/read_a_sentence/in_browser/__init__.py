"""The language model on a page: 8-bit weights, word pieces and layers, run in a Worker.

``weights`` rounds and packs the weights, ``site`` writes the files of the site; ``pieces.js`` and
``encoder.js`` compute, ``worker.js`` answers requests, and ``load.js`` runs in the page itself.
"""
