"""A conversation that is guarded: what is said and shown in it, and what may be called because of it."""
