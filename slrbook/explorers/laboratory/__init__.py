"""The laboratory: the paper's runs at any parameters, in the page."""
