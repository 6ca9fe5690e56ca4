"""The published methods that the pipeline of claims is compared with, and control methods."""

FALLBACK = "fallback"
"""The kind of an attempt that answers without a program, after no program has proved an option."""
