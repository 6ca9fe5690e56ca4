"""Scripted dialogues in which some answers drift: their text, their formulas, and what each drift contradicts."""
