"""A small, safe part of SMT-LIB 2.6: read from text that nobody vouches for, and written.

Reading lets in declarations, definitions and assertions, and nothing that could steer a solver. What comes out
is a `Script` of typed terms; the text itself never reaches a solver.
"""
