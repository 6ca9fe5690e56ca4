"""Analyse policies: find faults in one policy, compare two, and run test cases against one.

`policy_analysis` proves faults, and lists the questions that stay open. `policy_comparison` finds calls that one policy
allows and the other does not. `case_file` and `case_running` test a policy. A `Situation` is a call with all inputs of
a decision on it.
"""
