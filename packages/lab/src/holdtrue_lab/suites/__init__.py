"""This package holds the benchmarks: how problems are made and read, and which answers are right."""
