"""This package has scripted dialogues in which some answers contradict earlier statements, with formulas of all
statements.
"""
