"""Published methods that the pipeline is measured against, and controls."""

FALLBACK = "fallback"
"""The kind of an attempt that answers without a program, where no program proved an option."""
