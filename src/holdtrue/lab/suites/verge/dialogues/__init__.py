"""Scripted dialogues in which some answers drift: what was said, what it means, and what it clashes with."""
