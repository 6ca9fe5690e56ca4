"""This package holds the parts that runs and reports of all suites share: plans, runner, journal, metrics and
tables.
"""
