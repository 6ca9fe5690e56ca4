"""Explain why something cannot hold, and what could hold instead: one algorithm per file, over any engine."""
