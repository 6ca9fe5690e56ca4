"""Why not, and what instead: one algorithm per file, over any engine."""
