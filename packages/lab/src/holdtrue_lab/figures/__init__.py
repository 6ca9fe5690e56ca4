"""This package computes statistics, and writes tables and drawings of plain rows."""
