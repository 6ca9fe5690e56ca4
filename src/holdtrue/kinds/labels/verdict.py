"""Verify whether labels can all be right with the premises, with earlier beliefs, and with each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from holdtrue.budget import Budget
from holdtrue.ledger.beliefs import Rules
from holdtrue.logic.formula import Formula
from holdtrue.record import AnswerStatus, Satisfiability, VerdictRecord
from holdtrue.solving.result import Core, Mus, Satisfiable, Unknown, Unsatisfiable
from holdtrue.world.answer import Unparsed

Formulas = Mapping[str, Formula]


@dataclass(frozen=True, slots=True)
class NotRead:
    """The names of the `premises`, and of the `queries` up to this turn, that have no formula."""

    premises: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.premises) + len(self.queries)

    def __str__(self) -> str:
        parts = [_named("premise", "premises", self.premises), _named("query", "queries", self.queries)]
        verb = "was" if len(self) == 1 else "were"
        return f"{' and '.join(part for part in parts if part)} {verb} not read"


def verify_labels(
    rules: Rules,
    believed: Formulas,
    new: Formulas,
    budget: Budget,
    *,
    missing: tuple[str, ...] = (),
    none: Unparsed | None = None,
    not_read: NotRead = NotRead(),
) -> VerdictRecord:
    """Return the verdict on an answer whose labels commit to the formulas `new`.

    `refuted` names the queries that the premises alone refute. `mus` is one conflict, with the first refuted query if
    there is one, and `blame` has the queries in it. Queries in `missing` have no label. The other queries are judged
    nevertheless, and if their labels are right, the answer is incomplete. If there is no answer at all, `none` says
    why, and only the premises are judged. Labels that fit everything else are undecided if a sentence is `not_read`,
    since it might refute them. Rules, beliefs and labels must have different names.
    """
    verdict = _verify(rules, believed, new, budget, missing)
    if none is not None:
        return replace(verdict, answer=none.status, missing=missing, reason=none.reason)
    if not_read and verdict.answer is AnswerStatus.RESPECTING:
        return VerdictRecord(verdict.basis, AnswerStatus.UNDECIDED, reason=str(not_read))
    return verdict


def _named(one: str, several: str, names: Sequence[str]) -> str:
    return f"{one if len(names) == 1 else several} {', '.join(names)}" if names else ""


def _verify(rules: Rules, believed: Formulas, new: Formulas, budget: Budget, missing: tuple[str, ...]) -> VerdictRecord:
    engine = rules.engine
    found = engine.decide({}, budget)
    if isinstance(found, Unknown):
        return VerdictRecord(Satisfiability.UNKNOWN, AnswerStatus.UNDECIDED, reason=found.reason)
    if not isinstance(found, Satisfiable):
        ids, minimal = _conflict(rules, {}, budget)
        reason = "the premises cannot all hold"
        return VerdictRecord(Satisfiability.UNSAT, AnswerStatus.UNDECIDED, mus=ids, mus_minimal=minimal, reason=reason)
    if new:
        found = engine.decide({**believed, **new}, budget)
    if isinstance(found, Unknown):
        return VerdictRecord(Satisfiability.SAT, AnswerStatus.UNDECIDED, reason=found.reason)
    if isinstance(found, Satisfiable):
        status = AnswerStatus.INCOMPLETE if missing else AnswerStatus.RESPECTING
        return VerdictRecord(Satisfiability.SAT, status, missing=missing)
    alone = {id: engine.decide({id: formula}, budget) for id, formula in new.items()}
    refuted = tuple(id for id, result in alone.items() if isinstance(result, Unsatisfiable))
    ids, minimal = _conflict(rules, {refuted[0]: new[refuted[0]]} if refuted else {**believed, **new}, budget)
    return VerdictRecord(
        Satisfiability.SAT,
        AnswerStatus.VIOLATING,
        refuted=refuted,
        blame=tuple(id for id in ids if id not in rules.rules),
        missing=missing,
        mus=ids,
        mus_minimal=minimal,
    )


def _conflict(rules: Rules, beliefs: Formulas, budget: Budget) -> tuple[tuple[str, ...], bool]:
    """Return the names in one conflict, and whether it is proved to be minimal."""
    found = rules.conflict(beliefs, budget)
    return (found.ids, isinstance(found, Mus)) if isinstance(found, Mus | Core) else ((), False)
