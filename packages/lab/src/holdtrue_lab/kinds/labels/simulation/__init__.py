"""Simulated models that answer with labels."""
