"""Explain a ledger: whether all of it can be kept, why not, how to mend it, and which values it settles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from holdtrue.budget import Budget, Deadline
from holdtrue.ledger.ledger import Ledger
from holdtrue.logic.formula import Variable
from holdtrue.record import AnswerStatus, Satisfiability, VerdictRecord
from holdtrue.solving.arithmetic import shortages
from holdtrue.solving.engine import EngineFault, Soft
from holdtrue.solving.explain.first_witness import first_witness
from holdtrue.solving.explain.mus import all_mus, smallest_mus
from holdtrue.solving.explain.nearest_answer import nearest
from holdtrue.solving.explain.possible_values import count_witnesses, possible_values
from holdtrue.solving.explain.relaxation import minimum_mcs
from holdtrue.solving.result import (
    AllMuses,
    BackgroundConflict,
    Core,
    Id,
    MinimumMcs,
    Nearest,
    Satisfiable,
    Unknown,
    Unsatisfiable,
    Witness,
)
from holdtrue.solving.route import reason_for
from holdtrue.verification.explanation_results import (
    Change,
    Conflict,
    Correction,
    Explained,
    Proof,
    Remaining,
    Suggestion,
    proof_of,
)
from holdtrue.verification.explanation_words import tell
from holdtrue.verification.logged_turn import LoggedIds
from holdtrue.verification.verifier import Verifier
from holdtrue.world.answer import Answer, Assignment, show_value
from holdtrue.world.world import Slot, World

MOST_ANSWERS = 1_000
"""The most answers that are counted."""


def explain_ledger(
    verifier: Verifier,
    ledger: Ledger,
    answer: Answer | None = None,
    *,
    every_conflict: bool = False,
    ids: LoggedIds | None = None,
) -> Explained:
    """Explain a ledger, and judge an answer by it if one is given.

    With `every_conflict`, it finds all conflicts instead of a smallest one. `ids` are the commitments' ids in a log.
    The verifier's budget limits everything together; if it ends, the result says which parts are unknown. Every step
    but the last may take at most half of the remaining time, so that each step gets some.
    """
    verifier.engine.hold(ledger.soft)
    deadline = verifier.budget.start()
    half = verifier.budget.until(deadline, 2)
    verdict = None if answer is None else verifier.verify(ledger, answer, budget=half)
    status, reason = _status(verifier, ledger, verdict, half)
    found = Explained(status, dict(ledger.active), ids, verdict, reason)
    if status is Satisfiability.UNSAT:
        found = _explain_unsat(found, verifier, ledger, answer, every_conflict, deadline)
    elif status is Satisfiability.SAT:
        found = _explain_sat(found, verifier, ledger, answer, deadline)
    # The engine comes last, because its reason also counts the questions.
    found = replace(found, engine=reason_for(verifier.engine))
    return replace(found, sentences=tuple(tell(found)))


def _status(
    verifier: Verifier, ledger: Ledger, verdict: VerdictRecord | None, budget: Budget
) -> tuple[Satisfiability, str | None]:
    if verdict is not None:
        return verdict.basis, verdict.reason if verdict.basis is Satisfiability.UNKNOWN else None
    match verifier.engine.decide(ledger.soft, budget):
        case Satisfiable():
            return Satisfiability.SAT, None
        case Unknown(reason):
            return Satisfiability.UNKNOWN, reason
    return Satisfiability.UNSAT, None


def _explain_sat(
    explained: Explained, verifier: Verifier, ledger: Ledger, answer: Answer | None, deadline: Deadline
) -> Explained:
    engine, world = verifier.engine, verifier.instance
    status = AnswerStatus.UNPARSED if explained.verdict is None else explained.verdict.answer
    if status in (AnswerStatus.UNPARSED, AnswerStatus.REFUSED, AnswerStatus.VIOLATING, AnswerStatus.INCOMPLETE):
        explained = replace(
            explained, suggestion=_suggest(verifier, ledger.soft, answer, verifier.budget.until(deadline, 2))
        )
    possible = possible_values(engine, ledger.soft, verifier.budget.until(deadline, 2))
    if isinstance(possible, Unknown):
        return replace(explained, reason=possible.reason)
    if isinstance(possible, Unsatisfiable):
        raise EngineFault(f"{engine.name} finds nothing possible in a ledger that has a witness")
    # Answers that differ only in optional values count once.
    answers = count_witnesses(
        engine, ledger.soft, verifier.budget.until(deadline), most=MOST_ANSWERS, variables=world.required or None
    )
    remaining = tuple(
        Remaining(slot.entity, slot.attribute, slot.label, variable, possible[variable.name])
        for slot, variable in _slots(world)
    )
    return replace(explained, remaining=remaining, answers=answers)


def _explain_unsat(
    explained: Explained, verifier: Verifier, ledger: Ledger, answer: Answer | None, every: bool, deadline: Deadline
) -> Explained:
    engine, soft = verifier.engine, ledger.soft
    smallest = smallest_mus(engine, soft, verifier.budget.until(deadline, 2))
    if isinstance(smallest, Satisfiable):
        raise EngineFault(f"{engine.name} calls a ledger impossible that has a witness")
    if isinstance(smallest, BackgroundConflict):
        return _blame_setting(explained, ledger)
    # If time ran out before the first step, all commitments together are still a core.
    clash = Core(tuple(soft)) if isinstance(smallest, Unknown) else smallest
    explained = replace(explained, conflicts=(_proved(ledger, clash.ids, proof_of(clash)),))
    if every:
        explained = _with_every_conflict(explained, ledger, all_mus(engine, soft, verifier.budget.until(deadline, 3)))
    correction = minimum_mcs(engine, soft, verifier.budget.until(deadline, 2), ledger.preference)
    if isinstance(correction, BackgroundConflict):
        return _blame_setting(explained, ledger)
    if isinstance(correction, Unknown):
        return replace(explained, reason=correction.reason)
    kept = {id: soft[id] for id in correction.kept}
    return replace(
        explained,
        correction=Correction(correction.set_aside, isinstance(correction, MinimumMcs)),
        suggestion=_suggest(verifier, kept, answer, verifier.budget.until(deadline)),
    )


def _blame_setting(explained: Explained, ledger: Ledger) -> Explained:
    """Report that the setting alone is impossible, with the reason if counting shows it."""
    counted = [f"{axiom.sentence}: {short}" for axiom in ledger.instance.axioms for short in shortages(axiom.formula)]
    return replace(
        explained,
        setting_impossible=True,
        counted=tuple(counted),
        conflicts=(),
        every_conflict=None,
        conflicts_reason=None,
    )


def _proved(ledger: Ledger, ids: tuple[Id, ...], proved: Proof) -> Conflict:
    return Conflict(ids, proved, tuple(short for id in ids for short in shortages(ledger.soft[id])))


def _with_every_conflict(
    explained: Explained, ledger: Ledger, every: AllMuses | Satisfiable | Unknown | BackgroundConflict
) -> Explained:
    """Replace the smallest conflict by all that were found, the smallest first."""
    (first,) = explained.conflicts
    if not isinstance(every, AllMuses):
        reason = every.reason if isinstance(every, Unknown) else None
        return replace(explained, every_conflict=False, conflicts_reason=reason)
    muses = list(every.muses)
    if first.proved != "core" and first.ids not in muses:
        muses.insert(0, first.ids)
    if not muses:
        return replace(explained, every_conflict=False, conflicts_reason=every.reason)
    least = len(muses[0]) if every.complete or first.proved == "smallest" else 0
    conflicts = tuple(_proved(ledger, ids, "smallest" if len(ids) == least else "minimal") for ids in muses)
    return replace(explained, conflicts=conflicts, every_conflict=every.complete, conflicts_reason=every.reason)


def _suggest(verifier: Verifier, soft: Soft, answer: Answer | None, budget: Budget) -> Suggestion | None:
    """Return the valid answer nearest to the given one, or the first one if none is given; None if time runs out."""
    engine, world = verifier.engine, verifier.instance
    if not isinstance(answer, Assignment):
        first = first_witness(engine, soft, budget)
        return Suggestion(world.render_answer(first.witness), False) if isinstance(first, Satisfiable) else None
    found = nearest(engine, soft, answer.values, budget)
    if not isinstance(found, Nearest):
        return None
    changes = tuple(_changes(world, answer, found.witness))
    return Suggestion(world.render_answer(found.witness), True, changes, found.optimal)


def _changes(world: World, answer: Assignment, witness: Witness) -> Iterator[Change]:
    """Yield the values that the answer must change, and the missing ones that it must add."""
    shown, missing = answer.shown(world.variables), answer.missing(world.variables, world.required)
    for slot, variable in _slots(world):
        before, after = shown.get(variable.name), show_value(variable, witness[variable.name])
        if before != after and (before is not None or variable.name in missing):
            yield Change(slot.entity, slot.attribute, slot.label, before, after)


def _slots(world: World) -> Iterator[tuple[Slot, Variable]]:
    """Return every variable with the entity and attribute that it belongs to."""
    return ((world.slot(name), variable) for name, variable in world.variables.items())
