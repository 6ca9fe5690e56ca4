"""Solvers behind one protocol. The types of solver libraries stay within this package."""
