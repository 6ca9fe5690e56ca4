"""Relational cases: who sits where, and who gets which office, team, colour or shift."""
