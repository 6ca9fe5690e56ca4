"""Own side: what a session keeps while a conversation lasts, and the operations that are timed on it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from bench.solver.workload import Step
from holdtrue.budget import Budget
from holdtrue.ledger.ledger import Ledger, Proposal
from holdtrue.ledger.revision import propose
from holdtrue.logic.formula import Formula
from holdtrue.record import VerdictRecord
from holdtrue.solving.explain.classification import classify
from holdtrue.solving.explain.nearest_answer import nearest
from holdtrue.solving.result import (
    BackgroundConflict,
    Core,
    Entailed,
    Inconsistent,
    Independent,
    Nearest,
    Refuted,
    Satisfiable,
    Unknown,
    Unsatisfiable,
)
from holdtrue.solving.route import make_engine
from holdtrue.verification.verifier import Finding, Verifier
from holdtrue.world.answer import Assignment
from holdtrue.world.instance import Constraint, Instance

BUDGET = Budget(timeout_s=60.0)

Decided = Satisfiable | Unsatisfiable | Unknown
Classified = Entailed | Refuted | Independent | Inconsistent | Unknown
Mended = Nearest | Core | Unknown | BackgroundConflict


class Kept:
    """One conversation's engine, its formulas by id, and where they are needed its ledger and verifier."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.engine = make_engine(tuple(instance.variables.values()), instance.background)
        self.soft: dict[str, Formula] = {}
        self.ledger = Ledger(instance)
        self.verifier = Verifier(instance, self.engine, BUDGET)
        self.said: list[Constraint] = []
        self.turns = 0

    def add(self, said: Iterable[Constraint]) -> Decided:
        """The ledger's verdict after a turn: new constraints become formulas, and all are decided together."""
        self.note(said)
        self.engine.hold(self.soft)
        return self.engine.decide(self.soft, BUDGET)

    def note(self, said: Iterable[Constraint]) -> None:
        """New constraints become formulas, and nobody is asked."""
        for constraint in said:
            self.soft[f"C{len(self.soft) + 1:03d}"] = self.instance.formula(constraint)

    def enter(self, said: Sequence[Constraint]) -> None:
        """The same into the ledger, as the user's statements."""
        self.turns += 1
        self.said += said
        propose(self.ledger, self.engine, [Proposal(constraint) for constraint in said], self.turns, BUDGET)

    def stated(self, ids: Collection[str]) -> tuple[int, ...]:
        """Places, in what was said, of what these commitments say: of all, where something was said twice."""
        found = [self.ledger.find(constraint) for constraint in self.said]
        return tuple(place for place, one in enumerate(found) if one is not None and one.id in ids)

    def judge(self, values: Mapping[str, int]) -> Finding:
        return self.verifier.judge(self.ledger, Assignment(values))

    def extend(self, values: Mapping[str, int]) -> Decided:
        return self.engine.decide(self.soft, BUDGET, fixed=values)

    def classify(self, soft: Mapping[str, Formula], query: Constraint) -> Classified:
        return classify(self.engine, soft, self.instance.formula(query), BUDGET)

    def turn(self, step: Step) -> tuple[VerdictRecord, Classified, Mended | None]:
        """A whole turn of a conversation: fork, add, verdict with violated set, one query, nearest if violated."""
        self.ledger = self.ledger.fork()
        self.enter(step.said)
        verdict = self.verifier.verify(self.ledger, Assignment(step.stale))
        query = self.classify(self.ledger.soft, step.query)
        near = nearest(self.engine, self.ledger.soft, step.stale, BUDGET) if verdict.violated else None
        return verdict, query, near

    def first_answer(self) -> Mapping[str, int]:
        """A right answer to everything in the ledger."""
        found = self.engine.check(self.ledger.soft, BUDGET)
        if not isinstance(found, Satisfiable):
            raise ValueError("there is no right answer")
        return found.witness
