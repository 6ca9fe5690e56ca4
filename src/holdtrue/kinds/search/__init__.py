"""Candidates: values that satisfy all constraints, or a claim that there are none."""
