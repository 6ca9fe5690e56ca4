"""First-order sentences in SMT-LIB."""
