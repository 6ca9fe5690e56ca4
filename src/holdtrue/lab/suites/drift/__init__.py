"""DRIFT-Bench: constraints that pile up over a conversation."""
