"""Assignments: values for the variables of a world, turn by turn."""
