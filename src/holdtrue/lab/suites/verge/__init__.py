"""Claims held against a context: puzzles and premises with gold answers, and what models really wrote about them."""

SUITE = "verge"
