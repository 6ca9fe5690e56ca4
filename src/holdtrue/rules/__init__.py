"""Rules over typed records: their types, their notation (CEL), their truth on values, and their formulas."""
