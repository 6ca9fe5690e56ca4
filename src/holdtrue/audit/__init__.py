"""Audit logged turns in bulk: the verdicts of `check`, as many a second as millions of turns need."""
