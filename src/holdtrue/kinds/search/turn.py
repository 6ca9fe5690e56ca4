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
    """The input of a search method in one trial. It has neither gold nor facts about the problem's structure.

    `constraint_texts` are the constraints as the model reads them, (id, sentence). The `certifier` has their formulas.
    `sampling` has the trial's seed.
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
        """Return the variables with their bounds, as the model reads them."""
        return tuple((variable.name, variable.sort.low, variable.sort.high) for variable in self.variables)


@dataclass(frozen=True, slots=True)
class SearchPlayed:
    """The output of a trial: all candidates, the certified one as text or None, and the limit that ended it early."""

    attempts: tuple[SearchAttempt, ...]
    delivered: str | None
    exhausted: str | None = None
