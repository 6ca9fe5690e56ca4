"""Simulated models that answer in free text."""
