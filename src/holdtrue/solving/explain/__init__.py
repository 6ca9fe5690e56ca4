"""Explain why formulas cannot hold together, and find out which could: one algorithm per file, over any engine."""
