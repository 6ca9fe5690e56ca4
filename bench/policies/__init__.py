"""Policies to measure with, and the same rules in other languages.

`rental` has 38 rules on one tool: as a policy, as plain Python (`rental_twin.py`), in Cedar and in CEL as far as each
says them. `airline` has what the rules of an airline are in Cedar and in CEL, with two calls for each.
"""
