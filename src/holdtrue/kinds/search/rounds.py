"""Plan the calls of a round for each method: which failure a prompt reports, in what detail, and which values it asks
for.

Failing candidates are ranked, to choose which ones to go on from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from holdtrue.kinds.search.conflict import Conflict, ask_for, minimised_conflict, upstream_core
from holdtrue.kinds.search.method import SearchMethod
from holdtrue.kinds.search.prompts import SearchSignal
from holdtrue.kinds.search.record import CandidateOutcome, SearchAttempt, SearchStep, candidate_outcome
from holdtrue.kinds.search.turn import SearchTurn
from holdtrue.record import AnswerStatus
from holdtrue.solving.result import Satisfiable

# So many refuted assignments are listed at most, and no more than have so many values in all: a prompt has to fit.
MOST_REFUTED = 8
MOST_REFUTED_VALUES = 200
# How the conflict is found that each kind of feedback speaks of.
_SOUGHT = {"core": upstream_core, "ranked": upstream_core, "conflict": minimised_conflict}


@dataclass(frozen=True, slots=True)
class Plea:
    """The plan of one call: it asks for a candidate, after the failure of attempt `mends`, which `signal` describes.

    `asked` are the variables to give values for, () for all; the others are `kept`.
    """

    signal: SearchSignal | None = None
    mends: int | None = None
    asked: tuple[str, ...] = ()
    kept: Mapping[str, int] = field(default_factory=dict)


def plan_round(method: SearchMethod, turn: SearchTurn, attempts: Sequence[SearchAttempt]) -> tuple[Plea, ...]:
    """Return the plans of the next round, one for each of its calls, after all `attempts` so far have failed."""
    k = turn.limits.k
    last = attempts[-k:]
    match method.feedback:
        case "none":
            return (Plea(),) * k
        case "generic" | "core":
            return (_plea(method, turn, last[-1], attempts),) * k
        case "ranked":
            return (_plea(method, turn, best(last, 1)[0], attempts),) * k
        case "conflict":
            # The better failure gets more, where there are more than two calls.
            pleas = [_plea(method, turn, failure, attempts) for failure in best(attempts, min(k, 2))]
            second = max(1, (k - 1) // 2) if len(pleas) > 1 else 0
            return (pleas[0],) * (k - second) + (pleas[-1],) * second


def with_conflicts(
    method: SearchMethod, turn: SearchTurn, attempts: Sequence[SearchAttempt]
) -> tuple[SearchAttempt, ...]:
    """Return the attempts with the conflicts that the method's feedback tells, or ranks by."""
    if method.feedback == "core":
        return (*attempts[:-1], _with_conflict(method, turn, attempts[-1]))
    return tuple(_with_conflict(method, turn, attempt) for attempt in attempts)


def _with_conflict(method: SearchMethod, turn: SearchTurn, attempt: SearchAttempt) -> SearchAttempt:
    step = attempt.step
    # What was given before has its conflict there. Only whole assignments that fail have one.
    if step is None or step.repeated or not attempt.answer or attempt.verdict.answer is not AnswerStatus.VIOLATING:
        return attempt
    if method.feedback not in _SOUGHT:
        return attempt
    found = _SOUGHT[method.feedback](turn.certifier, _values(attempt))
    return replace(attempt, step=replace(step, conflict=found.ids, revise=found.revise))


def _plea(method: SearchMethod, turn: SearchTurn, failure: SearchAttempt, attempts: Sequence[SearchAttempt]) -> Plea:
    """Ask after this failure; an undecided claim cannot be told of, as nobody knows whether it is wrong."""
    signal, step = _signal(method, failure), failure.step or SearchStep(1)
    if signal is None:
        return Plea()
    match method.feedback:
        case "core":
            signal = replace(signal, core=step.conflict, witness=_witness(method, turn, signal))
        case "ranked":
            # Without a core nothing is known of what to keep.
            keep = _others(turn, step.revise) if step.conflict else ()
            witness = _witness(method, turn, signal)
            signal = replace(signal, core=step.conflict, revise=step.revise, keep=keep, witness=witness)
        case "conflict":
            signal = replace(signal, refuted=_refuted(turn, attempts, failure))
            if signal.kind in ("not_satisfied", "outside_bounds"):
                return _conflict_plea(method, turn, failure, signal, step)
    return Plea(signal, failure.attempt)


def _conflict_plea(
    method: SearchMethod, turn: SearchTurn, failure: SearchAttempt, signal: SearchSignal, step: SearchStep
) -> Plea:
    """Tell all that an assignment breaks, and ask for those of its values that cannot stay, or for all."""
    conflict_signal = replace(signal, violated=failure.verdict.violated, conflict=step.conflict, revise=step.revise)
    if not method.partial:
        return Plea(conflict_signal, failure.attempt)
    values = _values(failure)
    asked = ask_for(turn.certifier, Conflict(step.conflict, step.revise, _others(turn, step.revise)), values)
    kept = {name: values[name] for name in _others(turn, asked)} if asked else {}
    return Plea(conflict_signal, failure.attempt, asked, kept)


def _others(turn: SearchTurn, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in turn.names if name not in names)


def _witness(method: SearchMethod, turn: SearchTurn, signal: SearchSignal) -> Mapping[str, int] | None:
    """The solver's own solution after a false claim, for methods that reveal it."""
    if not method.reveal_witness or signal.kind != "false_unsat_claim":
        return None
    found = turn.certifier.solution
    return found.witness if isinstance(found, Satisfiable) else None


def _signal(method: SearchMethod, failure: SearchAttempt) -> SearchSignal | None:
    """Return how a candidate failed, with the details only for methods that tell more than that."""
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
    """The assignments that failed, each once, the latest first; without the one that the prompt is about."""
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
_UNKNOWN = 10**6  # a conflict that was not found in time is no small one


def best(failures: Sequence[SearchAttempt], n: int) -> tuple[SearchAttempt, ...]:
    """The best `n` of the failures, the best one first; of the same candidate given several times the first one.

    Better is an assignment than a claim, and a claim than what could not be read; then fewer values out of bounds,
    fewer constraints broken, a smaller conflict, fewer variables in it, and what was repeated less; then the earlier.
    """
    given = Counter(map(_identity, failures))
    different = {_identity(failure): failure for failure in reversed(failures)}.values()
    ranked = sorted(different, key=lambda failure: (rank(failure, given[_identity(failure)]), failure.attempt))
    return tuple(ranked[:n])


def rank(failure: SearchAttempt, given: int = 1) -> Key:
    """Return the sort key of a failure, the least for the best one; `given` is how often the candidate was given."""
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
    """Equal for the same candidate; what could not be read is like nothing else."""
    if _kind(failure) == 2:
        return failure.attempt
    return frozenset((failure.answer or {}).items())
