"""The input of a label method in one turn, which is all that it may look at, and its output."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from holdtrue.budget import Budget
from holdtrue.kinds.labels.prompts import Words
from holdtrue.kinds.labels.record import LabelAttempt
from holdtrue.kinds.labels.verdict import NotRead
from holdtrue.ledger.approval import Approve
from holdtrue.ledger.belief_revision import Revision
from holdtrue.ledger.beliefs import Belief, BeliefBase
from holdtrue.logic.formula import Formula
from holdtrue.models.chat import ChatModel
from holdtrue.models.sampling import Sampling
from holdtrue.record import Label
from holdtrue.solving.result import Witness

WayOfAsking = Literal["one", "bundle"]
"""Whether queries are asked one at a time or all at once."""


@dataclass(frozen=True, slots=True)
class LabelTurn:
    """One turn as a label method sees it.

    `premises` are the case's sentences, `premise_texts` those of them that the solver knows, by the names of its rules.
    `queries` maps the ids asked in this turn to how they are asked, `statements` to what they are about, in sentences;
    `formulas` says the same of those that could be formalized. `base` holds what is believed before the turn;
    `beliefs` are sentences of it to show, None where queries are asked all at once. `witness` is the one from which
    the control `one_model` reads its labels, None where the premises have none. `approve` is asked about retractions.
    `not_read` names premises and queries, earlier ones too, of which no formula is known.
    """

    model: ChatModel
    premises: tuple[str, ...]
    premise_texts: Mapping[str, str]
    queries: Mapping[str, str]
    statements: Mapping[str, str]
    formulas: Mapping[str, Formula]
    base: BeliefBase
    beliefs: tuple[str, ...] | None
    witness: Witness | None
    words: Words
    number: int
    sampling: Sampling
    budget: Budget
    approve: Approve | None = None
    not_read: NotRead = field(default_factory=NotRead)


@dataclass(frozen=True, slots=True)
class LabelPlayed:
    """`LabelPlayed` is what a label method did: every attempt, the labels of the last one, and the beliefs after it.

    `new` is what the labels commit to; which of them still stand follows from the beliefs. `revision` says what
    happened to these; None where the premises themselves cannot all hold.
    """

    attempts: tuple[LabelAttempt, ...]
    labels: Mapping[str, Label]
    new: tuple[Belief, ...]
    base: BeliefBase
    revision: Revision | None
