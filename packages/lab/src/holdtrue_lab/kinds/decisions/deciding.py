"""Decide on one call of a recorded conversation under a method, and make the record of the decision."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from holdtrue.record import AnswerStatus, AttemptRecord, Satisfiability, TurnRecord, VerdictRecord
from holdtrue.solving.engine import cpu_s
from holdtrue_lab.kinds.decisions.entry import DecisionDetail, DecisionKind, DecisionRecord
from holdtrue_lab.kinds.decisions.method import DecisionMethod, DecisionSettings
from holdtrue_lab.kinds.decisions.problem import LabelledCall, RecordedConversation, short_id
from holdtrue_lab.kit.no_model import NO_MODEL

if TYPE_CHECKING:
    from holdtrue.guard.decision import Decision
    from holdtrue.guard.facts import Facts

_CONTROL = "a control looks at nothing"
_STATUS = {
    DecisionKind.ALLOW: AnswerStatus.RESPECTING,
    DecisionKind.BLOCK: AnswerStatus.VIOLATING,
    DecisionKind.ASK: AnswerStatus.UNDECIDED,
    DecisionKind.CONFIRM: AnswerStatus.INCOMPLETE,
}


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision with its verdict; `told` is the message to the agent if the call is stopped."""

    detail: DecisionDetail
    verdict: VerdictRecord
    told: str
    stops: bool


def decide(
    turn: int,
    problem: RecordedConversation,
    call: LabelledCall,
    method: DecisionMethod,
    facts: Facts,
    settings: DecisionSettings,
) -> DecisionRecord:
    """Decide on one call by the `facts` that were seen so far, and return the record of the turn."""
    clock, cpu = time.perf_counter(), cpu_s()
    decision = None if method.is_control else _decision(problem, call, method, facts, settings)
    place = (problem.task, problem.trial, call.message)
    record = record_of_decision(turn, call.said, (call.tool, call.text), method, settings, decision, place)
    return replace(record, solver_s=cpu_s() - cpu, elapsed_s=time.perf_counter() - clock)


Place = tuple[int | str, int, int]
"""The place of a call: the task or dialogue, the trial, and the message."""


def record_of_decision(
    turn: int,
    said: str,
    call: tuple[str, str],
    method: DecisionMethod,
    settings: DecisionSettings,
    decision: Decision | None,
    place: Place,
) -> DecisionRecord:
    """Return the record of a decision on a call, which is a tool and its arguments as text.

    `decision` is None for a control.
    """
    tool, arguments = call
    kind = DecisionKind(method.decider) if decision is None else DecisionKind(decision.kind)
    detail = DecisionDetail(*place, tool, arguments, kind, why=_CONTROL)
    decided = _by_control(detail, settings) if decision is None else _by_policy(detail, decision)
    text = f"{tool}({arguments})"
    return TurnRecord(
        turn=turn,
        user_message=said,
        method=method.name,
        model=NO_MODEL,
        variant=settings.mode,
        reader="none",
        attempts=(AttemptRecord(1, "answer", text, _shown(_values(arguments)), decided.verdict),),
        delivered=None if decided.stops else text,
        withheld=decided.told if decided.stops else None,
        solver_calls=decided.detail.by_solver,
        detail=decided.detail,
    )


def _values(arguments: str) -> Mapping[str, object] | None:
    """Return arguments as a mapping, or None if they are no JSON object."""
    try:
        found = json.loads(arguments)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _decision(
    problem: RecordedConversation, call: LabelledCall, method: DecisionMethod, facts: Facts, settings: DecisionSettings
) -> Decision:
    return problem.policy.check(
        call.tool,
        call.text,  # with the original text, no number is rounded, and the guard can refuse invalid JSON
        facts,
        now=settings.now,
        said=None,
        unsaid=method.unsaid,
        mode=settings.mode,
        listen=False,
        budget=settings.budget,
    )


def _by_control(detail: DecisionDetail, settings: DecisionSettings) -> Decided:
    verdict = VerdictRecord(Satisfiability.UNKNOWN, AnswerStatus.UNDECIDED, reason=_CONTROL)
    stops = detail.decision is not DecisionKind.ALLOW and settings.mode == "enforce"
    return Decided(detail, verdict, _CONTROL, stops)


def _by_policy(detail: DecisionDetail, decision: Decision) -> Decided:
    detail = replace(
        detail,
        rules=tuple(decision.rules),
        labelled_rules=tuple(dict.fromkeys(map(short_id, (*decision.rules, *decision.disputed)))),
        named=decision.disputed,
        assumptions=tuple(decision.assumptions),
        undecided=tuple(decision.coverage.undecided),
        unread=tuple(decision.coverage.unread),
        why=decision.why,
        record=decision.to_json(),
        by_solver=sum(finding.by == "solver" for finding in decision.findings),
    )
    kind = detail.decision
    unread = _values(detail.arguments) is None
    verdict = VerdictRecord(
        Satisfiability.SAT,
        AnswerStatus.UNPARSED if unread else _STATUS[kind],
        violated=detail.rules if kind is DecisionKind.BLOCK else (),
        missing=detail.rules if kind is DecisionKind.ASK else (),
        reason=detail.why if kind in (DecisionKind.ASK, DecisionKind.CONFIRM) else None,
    )
    return Decided(detail, verdict, decision.for_model, decision.stops)


def _shown(arguments: Mapping[str, object] | None) -> dict[str, str | int] | None:
    """Return the arguments as texts and whole numbers; all other values become JSON texts."""
    if arguments is None:
        return None
    return {
        name: value if isinstance(value, str | int) and not isinstance(value, bool) else json.dumps(value)
        for name, value in arguments.items()
    }
