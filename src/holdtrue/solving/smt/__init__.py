"""Scripts decided by z3 in a process of its own, so that no text can hurt or hold up the one that asks."""
