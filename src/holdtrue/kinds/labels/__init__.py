"""Labels: what premises say of statements."""
