"""Read SMT-LIB scripts as first-order sentences."""
