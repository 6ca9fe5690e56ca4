"""The names of simulated models that search: how often a call succeeds, what feedback adds to that, and how they fail.

`sim/search` never fails; `sim/search:p=0.2,core=0.2,conflict=0.3,claim=0.1,malformed=0.05@7` succeeds with
probability 0.2 a call, 0.4 where the prompt tells a core and 0.5 where it tells a conflict. Of its failures 10% are
false claims, 5% cannot be read, and the others are near misses. Its seed is 7.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

from holdtrue.lab.kit.simulation.names import RatedCharacter

EFFECTS: Mapping[str, str] = MappingProxyType(
    {
        "generic": "the prompt tells that a candidate failed, and no more than how",
        "core": "it also tells constraints that cannot hold with the candidate's values",
        "ranked": "it also tells which variables to revise and which to keep",
        "conflict": "it tells all that the candidate breaks, what was refuted before, or which values are kept for it",
        "witness": "it shows a solution",
    }
)
"""A prompt can tell these; each adds its own effect to the probability of success, in place of the others'."""
FAILURES: Mapping[str, str] = MappingProxyType(
    {
        "claim": "the claim that there is no solution, of a problem that has one",
        "outside": "a near miss with a value outside its bounds",
        "malformed": "a text in which no candidate can be read",
    }
)
"""A failure can look like these, with their shares of all failures; the others are near misses."""

_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class SearchCharacter(RatedCharacter):
    """The rates of a simulated model that searches.

    These are its probability of success `p` in one call, what each kind of feedback adds to it, the shares of the kinds
    of failures, and the share of values that a near miss changes. With probability `bound` a schema keeps a failure
    from being malformed, and with probability `greedy` a further draw at temperature 0 repeats the first one. A call
    takes `pace` seconds for each token that it generates, which are recorded and not waited for.
    """

    KIND: ClassVar[str] = "sim/search"
    FORMS: ClassVar[str] = (
        "a searcher is sim/search, or has numbers up to 1, such as sim/search:p=0.2,core=0.2,claim=0.1@7"
    )

    p: float = 1.0
    generic: float = 0.0
    core: float = 0.0
    ranked: float = 0.0
    conflict: float = 0.0
    witness: float = 0.0
    claim: float = 0.0
    outside: float = 0.0
    malformed: float = 0.0
    changed: float = 0.3
    bound: float = 0.0
    greedy: float = 0.0
    pace: float = 0.0

    def skill(self, feedback: str) -> float:
        """The probability of success after this kind of feedback, '' for none."""
        return self.p + (getattr(self, feedback) if feedback else 0.0)

    def fault(self) -> str:
        if max(map(self.skill, EFFECTS)) > 1 + _ROUNDING:
            return "p and an effect add up to more than 1"
        shares = sum(getattr(self, failure) for failure in FAILURES)
        return "the shares of failures add up to more than 1" if shares > 1 + _ROUNDING else ""
