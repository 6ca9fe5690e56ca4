"""This package holds the benchmarks. It makes and reads problems, and knows which answers are right."""
