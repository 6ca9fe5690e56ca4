"""Score turns against gold from their records alone, so that a run can be scored again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from itertools import accumulate

from holdtrue.budget import UNLIMITED
from holdtrue.kinds.assignment.record import AssignmentRecord
from holdtrue.logic.sorts import EnumSort
from holdtrue.record import AttemptRecord, Satisfiability
from holdtrue.solving.engine import Engine
from holdtrue.solving.route import make_engine
from holdtrue.verification.correctness import Correctness, is_correct, satisfies
from holdtrue.world.answer import Assignment
from holdtrue.world.instance import Constraint, Instance
from holdtrue_lab.kinds.assignment.entry import TurnScore
from holdtrue_lab.kinds.assignment.problem import Problem

# The published ledger has no such events. It keeps every constraint, so it would be unsat after them.
_CLASHES = frozenset({"rejected", "set_aside"})
_WRONG = Correctness(False, False)

AnswerValues = Mapping[str, str | int]


class Gold:
    """The gold constraints of one problem, turn by turn. All methods that play the problem share one `Gold`."""

    def __init__(self, problem: Problem) -> None:
        self.instance: Instance = problem.make_instance()
        self.by_turn = problem.gold_by_turn(self.instance)
        new = [self.by_turn[turn.number] for turn in problem.turns]
        self._until = list(accumulate(new, initial=()))
        self._canonical = [frozenset(map(self.instance.canonical, said)) for said in self._until]

    @cached_property
    def _engine(self) -> Engine:
        return make_engine(list(self.instance.variables.values()), self.instance.background)

    def until(self, turn: int) -> tuple[Constraint, ...]:
        """Return the gold constraints up to and including `turn`, which counts from 1."""
        return self._until[turn]

    def canonical(self, turn: int) -> frozenset[Constraint]:
        """Return the constraints of `until` in canonical form, in which all spellings of a constraint are equal."""
        return self._canonical[turn]

    def judge(self, turn: int, values: AnswerValues | None, missing: tuple[str, ...] = ()) -> Correctness:
        """Judge the answer in a record by the gold constraints up to `turn`; see `is_correct`.

        `missing` has the missing values by the verdict, because a record does not show that an optional value was given
        twice.
        """
        if values is None:
            return _WRONG
        answer = read_shown(self.instance, values)
        if len(answer.values) == len(self.instance.variables):
            # Only a partial answer needs a solver, so the solver is made only for partial answers.
            right = satisfies(self.instance, self.until(turn), answer.values)
            return Correctness(right, right)
        return is_correct(self.instance, self.until(turn), replace(answer, repeated=missing), self._engine, UNLIMITED)


class Scorer:
    """Scores the turns of one problem under one method. Turns must come in order, from the first."""

    def __init__(self, gold: Gold) -> None:
        self.gold = gold
        self._commitments: dict[str, Constraint] = {}
        self._clashed = False
        self._delivered: AnswerValues = {}

    def score(self, record: AssignmentRecord) -> TurnScore | None:
        """Return the score of the next turn, or None if the solver could not decide it in time.

        An answer that was not delivered counts as wrong.
        """
        first, final = record.attempts[0], record.final
        first_correct = self._judge(record.turn, first)
        if record.delivered is None:
            correct = _WRONG
        else:
            correct = first_correct if final is first else self._judge(record.turn, final)
        churn, churn_of = self._churn(record)
        # Later turns need this state, so it is updated before the early return.
        upstream_ledger = self._upstream_ledger(record)
        ledger, gold = self._ledger(record), self.gold.canonical(record.turn)
        if correct.correct is None or correct.upstream is None or first_correct.correct is None:
            return None
        return TurnScore(
            correct=correct.correct,
            upstream_correct=correct.upstream,
            first_correct=first_correct.correct,
            upstream_ledger=upstream_ledger,
            phantoms=len(ledger - gold),
            gaps=len(gold - ledger),
            churn=churn,
            churn_of=churn_of,
        )

    def _judge(self, turn: int, attempt: AttemptRecord) -> Correctness:
        return self.gold.judge(turn, attempt.answer, attempt.verdict.missing)

    def _ledger(self, record: AssignmentRecord) -> set[Constraint]:
        canonical = self.gold.instance.canonical
        for event in record.events:
            if event.type is not None:
                self._commitments[event.id] = canonical(Constraint(event.type, event.args))
        return {self._commitments[id] for id in record.holds}

    def _upstream_ledger(self, record: AssignmentRecord) -> Satisfiability:
        """Return the status of the ledger by the published rule, which never revises the ledger.

        After one malformed, rejected or set-aside constraint, the ledger stays unsat.
        """
        readings = (*record.readings, *record.final.readings)
        self._clashed |= any(reading.code is not None for reading in readings)
        self._clashed |= any(event.kind in _CLASHES for event in record.events)
        return Satisfiability.UNSAT if self._clashed else record.final.verdict.basis

    def _churn(self, record: AssignmentRecord) -> tuple[int, int]:
        """Return the number of values that changed since the last readable delivered answer, and of compared values.

        Only values that both answers give are compared.
        """
        shown = record.final.answer
        if record.delivered is None or shown is None:
            return 0, 0
        before, self._delivered = self._delivered, shown
        both = before.keys() & shown.keys()
        return sum(before[name] != shown[name] for name in both), len(both)


def read_shown(instance: Instance, shown: AnswerValues) -> Assignment:
    """Return the assignment that the values in an attempt's record show."""
    values: dict[str, int] = {}
    foreign: dict[str, str] = {}
    for name, value in shown.items():
        sort = instance.variables[name].sort
        number = sort.index(value) if isinstance(sort, EnumSort) and isinstance(value, str) else value
        if isinstance(number, int):
            values[name] = number
        else:
            foreign[name] = str(value)
    return Assignment(values, foreign)
