"""Analyse policies: find faults in one before it runs, what two of them differ in, and what cases say of one.

`check_policy` returns the faults that are proved, and `analyse_policy` what is not decided, too. `compare_policies`
finds calls that one policy allows and the other does not. `read_cases` and `run_cases` test a policy; a `Situation` is
a call with all that a decision on it is made from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdtrue.namespace import namespace

if TYPE_CHECKING:
    from holdtrue.guard.analysis.case_file import read_cases as read_cases
    from holdtrue.guard.analysis.case_file import read_situation as read_situation
    from holdtrue.guard.analysis.case_running import run_cases as run_cases
    from holdtrue.guard.analysis.checking import analyse_policy as analyse_policy
    from holdtrue.guard.analysis.checking import check_policy as check_policy
    from holdtrue.guard.analysis.difference import compare_policies as compare_policies
    from holdtrue.guard.analysis.situation import Situation as Situation
else:
    __all__, __getattr__, __dir__ = namespace(
        __name__,
        {
            ".checking": "check_policy analyse_policy",
            ".difference": "compare_policies",
            ".case_file": "read_cases read_situation",
            ".case_running": "run_cases",
            ".situation": "Situation",
        },
    )
