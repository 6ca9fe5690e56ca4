"""Plan the calls of a round: the failure that each prompt reports, its details, and the values to ask for.

Failed candidates are ranked, to choose the ones to continue from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from holdtrue.kinds.search.conflict import ask_for, minimised_conflict, upstream_core
from holdtrue.kinds.search.method import SearchMethod
from holdtrue.kinds.search.prompts import SearchSignal
from holdtrue.kinds.search.record import CandidateOutcome, SearchAttempt, SearchStep, candidate_outcome
from holdtrue.kinds.search.turn import SearchTurn
from holdtrue.record import AnswerStatus
from holdtrue.solving.result import Satisfiable

# The most refuted assignments in a prompt, and the most values that they may have together.
MOST_REFUTED = 8
MOST_REFUTED_VALUES = 200
# The function that finds the conflict for each kind of feedback.
_SOUGHT = {"core": upstream_core, "ranked": upstream_core, "conflict": minimised_conflict}


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """The plan of one call. It asks for a candidate after the failure of attempt `mends`, which `signal` describes.

    `asked` are the variables to give values for, or () for all. The others are `kept`.
    """

    signal: SearchSignal | None = None
    mends: int | None = None
    asked: tuple[str, ...] = ()
    kept: Mapping[str, int] = field(default_factory=dict)


def plan_round(method: SearchMethod, turn: SearchTurn, attempts: Sequence[SearchAttempt]) -> tuple[PlannedCall, ...]:
    """Return the plans for all calls of the next round, after all `attempts` so far have failed."""
    k = turn.limits.k
    last = attempts[-k:]
    match method.feedback:
        case "none":
            return (PlannedCall(),) * k
        case "generic" | "core":
            return (_planned_call(method, turn, last[-1], attempts),) * k
        case "ranked":
            return (_planned_call(method, turn, best(last, 1)[0], attempts),) * k
        case "conflict":
            # If there are more than two calls, the better failure gets more of them.
            calls = [_planned_call(method, turn, failure, attempts) for failure in best(attempts, min(k, 2))]
            second = max(1, (k - 1) // 2) if len(calls) > 1 else 0
            return (calls[0],) * (k - second) + (calls[-1],) * second


def with_conflicts(
    method: SearchMethod, turn: SearchTurn, attempts: Sequence[SearchAttempt]
) -> tuple[SearchAttempt, ...]:
    """Return the attempts with the conflicts that the method reports or ranks by."""
    if method.feedback == "core":
        return (*attempts[:-1], _with_conflict(method, turn, attempts[-1]))
    return tuple(_with_conflict(method, turn, attempt) for attempt in attempts)


def _with_conflict(method: SearchMethod, turn: SearchTurn, attempt: SearchAttempt) -> SearchAttempt:
    step = attempt.step
    # The conflict of a repeated candidate is kept at its first attempt. Only complete assignments that fail have one.
    if step is None or step.repeated or not attempt.answer or attempt.verdict.answer is not AnswerStatus.VIOLATING:
        return attempt
    if method.feedback not in _SOUGHT:
        return attempt
    found = _SOUGHT[method.feedback](turn.certifier, _values(attempt))
    return replace(attempt, step=replace(step, conflict=found.ids, revise=found.revise))


def _planned_call(
    method: SearchMethod, turn: SearchTurn, failure: SearchAttempt, attempts: Sequence[SearchAttempt]
) -> PlannedCall:
    """Plan a call after this failure. An undecided claim is not reported, since nobody knows whether it is wrong."""
    signal, step = _signal(method, failure), failure.step or SearchStep(1)
    if signal is None:
        return PlannedCall()
    match method.feedback:
        case "core":
            signal = replace(signal, core=step.conflict, witness=_witness(method, turn, signal))
        case "ranked":
            # Without a core, it is not known which values to keep.
            keep = _others(turn, step.revise) if step.conflict else ()
            witness = _witness(method, turn, signal)
            signal = replace(signal, core=step.conflict, revise=step.revise, keep=keep, witness=witness)
        case "conflict":
            signal = replace(signal, refuted=_refuted(turn, attempts, failure))
            if signal.kind in ("not_satisfied", "outside_bounds"):
                return _conflict_call(method, turn, failure, signal, step)
    return PlannedCall(signal, failure.attempt)


def _conflict_call(
    method: SearchMethod, turn: SearchTurn, failure: SearchAttempt, signal: SearchSignal, step: SearchStep
) -> PlannedCall:
    """Report everything that an assignment breaks, and ask for the values that cannot stay, or for all."""
    conflict_signal = replace(signal, violated=failure.verdict.violated, conflict=step.conflict, revise=step.revise)
    if not method.partial:
        return PlannedCall(conflict_signal, failure.attempt)
    values = _values(failure)
    asked = ask_for(turn.certifier, step.revise, values)
    kept = {name: values[name] for name in _others(turn, asked)} if asked else {}
    return PlannedCall(conflict_signal, failure.attempt, asked, kept)


def _others(turn: SearchTurn, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in turn.names if name not in names)


def _witness(method: SearchMethod, turn: SearchTurn, signal: SearchSignal) -> Mapping[str, int] | None:
    """Return the solver's solution after a false claim, if the method reveals it."""
    if not method.reveal_witness or signal.kind != "false_unsat_claim":
        return None
    found = turn.certifier.solution
    return found.witness if isinstance(found, Satisfiable) else None


def _signal(method: SearchMethod, failure: SearchAttempt) -> SearchSignal | None:
    """Describe how a candidate failed, with details if the method's feedback is more than generic."""
    verdict, details = failure.verdict, method.feedback != "generic"
    given = _values(failure) or None
    match candidate_outcome(failure):
        case CandidateOutcome.FAILED_SCHEMA:
            reason = verdict.reason or f"there is no value for {', '.join(verdict.missing)}"
            return SearchSignal("not_json", given, (reason,) if details else ())
        case CandidateOutcome.REJECTED_DOMAIN:
            return SearchSignal("outside_bounds", given, verdict.background if details else ())
        case CandidateOutcome.FAILED_CERTIFICATION:
            return SearchSignal("not_satisfied", given)
        case CandidateOutcome.FALSE_UNSAT_CLAIM:
            return SearchSignal("false_unsat_claim")
        case _:
            return None


def _refuted(turn: SearchTurn, attempts: Sequence[SearchAttempt], last: SearchAttempt) -> tuple[Mapping[str, int], ...]:
    """Return the different failed assignments, the latest first, without the one that the prompt is about."""
    found: list[Mapping[str, int]] = []
    for attempt in reversed(attempts):
        values = _values(attempt)
        wrong = values and attempt.verdict.answer is AnswerStatus.VIOLATING
        if wrong and values != last.answer and values not in found:
            found.append(values)
    return tuple(found[: min(MOST_REFUTED, MOST_REFUTED_VALUES // len(turn.variables))])


def _values(attempt: SearchAttempt) -> dict[str, int]:
    return {name: value for name, value in (attempt.answer or {}).items() if isinstance(value, int)}


Key = tuple[int, ...]
_UNKNOWN = 10**6  # a conflict that was not found in time ranks last


def best(failures: Sequence[SearchAttempt], n: int) -> tuple[SearchAttempt, ...]:
    """Return the best `n` of the failures, the best one first. Of repeated candidates, only the first counts.

    An assignment is better than a claim, and a claim than an unreadable reply. Then fewer values out of bounds, fewer
    broken constraints, a smaller conflict, fewer variables in it, and fewer repetitions are better. Ties go to the
    earlier one.
    """
    given = Counter(map(_identity, failures))
    different = {_identity(failure): failure for failure in reversed(failures)}.values()
    ranked = sorted(different, key=lambda failure: (rank(failure, given[_identity(failure)]), failure.attempt))
    return tuple(ranked[:n])


def rank(failure: SearchAttempt, given: int = 1) -> Key:
    """Return the sort key of a failure, least for the best one. `given` counts how often the candidate was given."""
    verdict = failure.verdict
    step = failure.step or SearchStep(1)
    return (
        _kind(failure),
        len(verdict.background),
        len(verdict.violated),
        len(step.conflict) or _UNKNOWN,
        len(step.revise) or _UNKNOWN,
        given,
    )


def _kind(failure: SearchAttempt) -> int:
    if failure.verdict.answer in (AnswerStatus.UNPARSED, AnswerStatus.REFUSED, AnswerStatus.INCOMPLETE):
        return 2
    return 0 if failure.answer else 1


def _identity(failure: SearchAttempt) -> object:
    """Return equal values for equal candidates. An unreadable reply equals no other."""
    if _kind(failure) == 2:
        return failure.attempt
    return frozenset((failure.answer or {}).items())
