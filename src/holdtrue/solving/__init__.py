"""Solvers behind one protocol. No solver type leaves this floor."""
