"""Programs that models wrote for logic puzzles, read by readers for their notations, and never executed.

python -m bench.programs FOLDER     # a table of what the stored programs of a folder say, and what clashes in them
"""
