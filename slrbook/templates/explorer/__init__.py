"""How the excess risk depends on one overlap."""
