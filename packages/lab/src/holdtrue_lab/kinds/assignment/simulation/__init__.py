"""Simulated models that answer with assignments."""
