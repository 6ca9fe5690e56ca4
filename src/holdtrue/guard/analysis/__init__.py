"""Analyse policies: find faults in one before it runs, what two of them differ in, and what cases say of one.

`check_policy` returns the faults that are proved, and `analyse_policy` what is not decided, too. `compare_policies`
finds calls that one policy allows and the other does not. `read_cases` and `run_cases` test a policy; a `Situation` is
a call with all that a decision on it is made from.
"""
