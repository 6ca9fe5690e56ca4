"""Candidates: what is measured of searches for a solution."""
