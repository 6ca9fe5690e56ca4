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
    """The input of a label method in one turn.

    `premises` are the case's sentences. `premise_texts` maps the names P1, P2, ... of the premises that have a formula
    to their sentences. `queries`, `statements` and `formulas` map the id of each query of this turn to its wording, its
    statement and its known formula. `base` has the beliefs before the turn. `beliefs` are the sentences of beliefs to
    show, or None if queries are asked all at once. The control `one_model` reads its labels from `witness`, which is
    None if the premises have none. `approve` is asked about retractions. `not_read` names premises and queries, also
    earlier ones, that have no formula.
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
    """The output of a label method in one turn: all attempts, the last labels, and the beliefs after them (`base`).

    `new` are the beliefs that the labels commit to; some may already be given up again. `revision` describes how the
    beliefs changed; it is None if the premises cannot all hold.
    """

    attempts: tuple[LabelAttempt, ...]
    labels: Mapping[str, Label]
    new: tuple[Belief, ...]
    base: BeliefBase
    revision: Revision | None
