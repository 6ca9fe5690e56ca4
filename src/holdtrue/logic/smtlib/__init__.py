"""This package reads and writes a safe part of SMT-LIB 2.6, also from untrusted text.

The reader accepts declarations, definitions and assertions, but no command that controls a solver. It returns a
`Script` of typed terms, so that the text never reaches a solver.
"""
