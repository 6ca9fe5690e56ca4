"""Statistics, tables and drawings over plain rows."""
