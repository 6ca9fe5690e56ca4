"""Whether labels can be right together: with the premises, with what was believed before, and with each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from holdtrue.budget import Budget
from holdtrue.domains.answer import Unparsed
from holdtrue.ledger.rules import Rules
from holdtrue.logic.formula import Formula
from holdtrue.record import AnswerStatus, LedgerStatus, VerdictRecord, turn_outcome
from holdtrue.solving.result import Core, Mus, Satisfiable, Unknown, Unsatisfiable

Formulas = Mapping[str, Formula]


def verify_labels(
    rules: Rules,
    believed: Formulas,
    new: Formulas,
    budget: Budget,
    *,
    missing: tuple[str, ...] = (),
    none: Unparsed | None = None,
) -> VerdictRecord:
    """The verdict on an answer whose labels commit to `new`; no name is that of a rule, a belief and a label at once.

    `violated` names what the premises alone refute; `mus` is one conflict, of the first of these if there is one, and
    `blame` the queries in it. `missing` got no label: the rest is judged all the same, and where nothing else is wrong
    the answer is incomplete. `none` says why there is no answer at all: then only the premises are judged.
    """
    verdict = _verify(rules, believed, new, budget, missing)
    if none is None:
        return verdict
    outcome = turn_outcome(verdict.ledger, none.status)
    return replace(verdict, answer=none.status, outcome=outcome, missing=missing, reason=none.reason)


def _verify(rules: Rules, believed: Formulas, new: Formulas, budget: Budget, missing: tuple[str, ...]) -> VerdictRecord:
    engine = rules.engine
    found = engine.decide({}, budget)
    if isinstance(found, Unknown):
        return _verdict(LedgerStatus.UNKNOWN, AnswerStatus.UNDECIDED, reason=found.reason)
    if not isinstance(found, Satisfiable):
        ids, minimal = _conflict(rules, {}, budget)
        reason = "the premises cannot all hold"
        return _verdict(LedgerStatus.UNSAT, AnswerStatus.UNDECIDED, mus=ids, minimal=minimal, reason=reason)
    if new:
        found = engine.decide({**believed, **new}, budget)
    if isinstance(found, Unknown):
        return _verdict(LedgerStatus.SAT, AnswerStatus.UNDECIDED, reason=found.reason)
    if isinstance(found, Satisfiable):
        status = AnswerStatus.INCOMPLETE if missing else AnswerStatus.RESPECTING
        return _verdict(LedgerStatus.SAT, status, missing=missing)
    alone = {id: engine.decide({id: formula}, budget) for id, formula in new.items()}
    violated = tuple(id for id, result in alone.items() if isinstance(result, Unsatisfiable))
    ids, minimal = _conflict(rules, {violated[0]: new[violated[0]]} if violated else {**believed, **new}, budget)
    return _verdict(
        LedgerStatus.SAT,
        AnswerStatus.VIOLATING,
        violated=violated,
        blame=tuple(id for id in ids if id not in rules.rules),
        missing=missing,
        mus=ids,
        minimal=minimal,
    )


def _conflict(rules: Rules, beliefs: Formulas, budget: Budget) -> tuple[tuple[str, ...], bool]:
    """The names in one conflict, and whether it was proved that none of them can be spared."""
    found = rules.conflict(beliefs, budget)
    return (found.ids, isinstance(found, Mus)) if isinstance(found, Mus | Core) else ((), False)


def _verdict(
    ledger: LedgerStatus,
    status: AnswerStatus,
    *,
    violated: tuple[str, ...] = (),
    blame: tuple[str, ...] = (),
    missing: tuple[str, ...] = (),
    mus: tuple[str, ...] | None = None,
    minimal: bool = True,
    reason: str | None = None,
) -> VerdictRecord:
    return VerdictRecord(
        ledger,
        status,
        turn_outcome(ledger, status),
        violated=violated,
        blame=blame,
        missing=missing,
        mus=mus,
        mus_minimal=minimal,
        reason=reason,
    )
