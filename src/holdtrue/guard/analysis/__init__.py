"""Analyse policies: find faults in one before it runs, what two of them differ in, and what cases say of one.

`checking` finds the faults that are proved, and tells what is not decided, too. `difference` finds calls that one
policy allows and the other does not. `case_file` and `case_running` test a policy; a `Situation` is a call with all
that a decision on it is made from.
"""
