"""Prompts of the published methods, and the readers of the replies."""
