"""Answers that are candidates for a solution: problems, methods, and the fields that their records add.

A `SearchProblem` has `Requirement`s. `find_search_method` finds one of `SEARCH_PRESETS` by name. `candidate_outcome`
gives the outcome of one candidate, and `search_outcome` that of a whole search.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdtrue.namespace import namespace

if TYPE_CHECKING:
    from holdtrue.kinds.search.method import SEARCH_PRESETS as SEARCH_PRESETS
    from holdtrue.kinds.search.method import SearchMethod as SearchMethod
    from holdtrue.kinds.search.method import find_search_method as find_search_method
    from holdtrue.kinds.search.problem import Requirement as Requirement
    from holdtrue.kinds.search.problem import SearchProblem as SearchProblem
    from holdtrue.kinds.search.record import CandidateOutcome as CandidateOutcome
    from holdtrue.kinds.search.record import SearchAttempt as SearchAttempt
    from holdtrue.kinds.search.record import SearchDetail as SearchDetail
    from holdtrue.kinds.search.record import SearchRecord as SearchRecord
    from holdtrue.kinds.search.record import SearchStep as SearchStep
    from holdtrue.kinds.search.record import candidate_outcome as candidate_outcome
    from holdtrue.kinds.search.record import search_outcome as search_outcome
else:
    __all__, __getattr__, __dir__ = namespace(
        __name__,
        {
            ".problem": "SearchProblem Requirement",
            ".method": "SearchMethod SEARCH_PRESETS find_search_method",
            ".record": (
                "CandidateOutcome SearchAttempt SearchDetail SearchRecord SearchStep candidate_outcome search_outcome"
            ),
        },
    )
