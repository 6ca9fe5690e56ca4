"""The input of a search method in one trial, which is all that it may look at, and its output."""

from __future__ import annotations

from dataclasses import dataclass

from holdtrue.budget import SearchBudget
from holdtrue.kinds.search.certifier import Certifier
from holdtrue.kinds.search.prompts import Bounds
from holdtrue.kinds.search.record import SearchAttempt
from holdtrue.logic.formula import Variable
from holdtrue.models.chat import ChatModel
from holdtrue.models.sampling import Sampling


@dataclass(frozen=True, slots=True)
class SearchTurn:
    """One trial of a problem as a search method sees it: without gold, and without what is known of its structure.

    `constraint_texts` are the constraints as the model is told of them, (id, sentence); what they demand is known to
    the `certifier`. `sampling` carries the trial's own seed.
    """

    model: ChatModel
    setting: tuple[str, ...]
    variables: tuple[Variable, ...]
    constraint_texts: tuple[tuple[str, str], ...]
    certifier: Certifier
    limits: SearchBudget
    sampling: Sampling

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(variable.name for variable in self.variables)

    @property
    def bounds(self) -> tuple[Bounds, ...]:
        """The variables as the model is told of them."""
        return tuple((variable.name, variable.sort.low, variable.sort.high) for variable in self.variables)


@dataclass(frozen=True, slots=True)
class SearchPlayed:
    """`SearchPlayed` has all candidates, the text of the certified one or None, and the limit that ended it early."""

    attempts: tuple[SearchAttempt, ...]
    delivered: str | None
    exhausted: str | None = None
