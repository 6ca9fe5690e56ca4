"""Assignments: what is measured of conversations about values of variables."""
