"""Simulated models that answer with candidates."""
