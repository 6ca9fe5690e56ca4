"""Readers for the notations in which models write logic programs: text to formulas and alerts, nothing executed."""
