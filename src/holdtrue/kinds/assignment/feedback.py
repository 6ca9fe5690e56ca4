"""Choose the content of the repair prompt that follows a failed check."""

from __future__ import annotations

import json
from dataclasses import replace

from holdtrue.kinds.assignment.method import Feedback
from holdtrue.kinds.assignment.prompts import RepairSignal
from holdtrue.kinds.assignment.solver_answers import NoProjection, project
from holdtrue.kinds.assignment.turn import Turn
from holdtrue.ledger.ledger import Ledger
from holdtrue.record import Trigger, VerdictRecord
from holdtrue.verification.words import quote
from holdtrue.world.answer import Answer, Assignment

SHOWN_ANSWER = 2000  # characters of a failed answer that is shown again

DETAILS: dict[Trigger, str] = {
    Trigger.CONSTRAINT_EXTRACTION_FAILED: "no constraint could be read from the latest turn",
    Trigger.UNSAT_LEDGER: "the committed constraints cannot all hold together",
    Trigger.ANSWER_PARSE_FAILED: "no JSON solution could be read from the answer",
    Trigger.ANSWER_REFUSED: "the previous reply declined to answer",
    Trigger.INCOMPLETE_ASSIGNMENT: "the solution leaves out required entities",
    Trigger.ANSWER_LEDGER_CONFLICT: "the solution violates committed constraints",
}


def repair_signal(
    feedback: Feedback,
    turn: Turn,
    ledger: Ledger,
    answer: Answer,
    text: str,
    verdict: VerdictRecord,
    *,
    quotes: bool = False,
) -> RepairSignal:
    """Return the content of the next repair prompt, as far as `feedback` allows. It never has a value of a witness.

    If `quotes` is true, the prompt quotes the failed answer in any case.
    """
    issues = tuple((code.value, _detail(code, verdict)) for code in verdict.triggers)
    if not feedback.triggers:
        issues = (("check_failed", "the previous answer did not pass the check"),)
    conflict = tuple(quote(ledger.active, verdict.mus)) if feedback.mus and verdict.mus else ()
    shown = (_shown(turn, answer, text) or None) if feedback.violated or quotes else None
    signal = RepairSignal(issues, conflict, answer=shown, change=_hint(feedback, turn, ledger, answer))
    if not feedback.violated:
        return signal
    broken = tuple(quote(ledger.active, verdict.violated or verdict.blame))
    return replace(signal, broken=broken, laws=verdict.background)


def _detail(code: Trigger, verdict: VerdictRecord) -> str:
    if code is Trigger.INCOMPLETE_ASSIGNMENT and verdict.missing:
        return f"{DETAILS[code]}: {', '.join(verdict.missing)}"
    return DETAILS[code]


def _shown(turn: Turn, answer: Answer, text: str) -> str:
    if isinstance(answer, Assignment):
        return json.dumps(answer.shown(turn.instance.variables), ensure_ascii=False)
    return text[:SHOWN_ANSWER]


def _hint(feedback: Feedback, turn: Turn, ledger: Ledger, answer: Answer) -> tuple[str, ...]:
    if not feedback.hint or not isinstance(answer, Assignment) or not answer.values:
        return ()
    projection = project(turn, ledger, answer.values)
    if isinstance(projection, NoProjection):
        return ()
    changed = (turn.instance.slot(name).entity for name in turn.instance.variables if name in projection.changed)
    return tuple(dict.fromkeys(changed))
