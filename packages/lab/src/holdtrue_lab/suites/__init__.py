"""Benchmarks: their problems, how they are made and read, and when an answer is right."""
