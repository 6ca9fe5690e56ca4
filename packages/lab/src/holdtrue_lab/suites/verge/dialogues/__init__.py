"""This package has scripted dialogues in which some answers contradict earlier statements.

All statements have formulas.
"""
