"""The metrics of turns about assignments: accuracy, failures, alarms, repairs, and costs.

Each wrong turn has one *channel*, which is its reason. The channel `drift` says nothing by itself, because a method
that projects keeps its ledger by construction. So `CHANNELS` always has `ledger_gap` too, and every row its accuracy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

from holdtrue.errors import RecordError, SettingsError
from holdtrue.kinds.assignment.method import PRESETS, Method
from holdtrue.record import (
    DRAWN,
    CallRecord,
    ReplyKind,
    Satisfiability,
    Trigger,
    TurnOutcome,
    channel,
    total,
)
from holdtrue_lab.figures.statistics import Estimate, Rate, clustered, ratios
from holdtrue_lab.kinds.assignment.entry import AssignmentEntry, TurnScore
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.figure_rows import FigureMeasure, Traits
from holdtrue_lab.kit.metrics import Metric, Metrics, Units, shares

LAST_TURN = 10  # the metric of retention compares this turn with the first
_CRITIQUE = "critique"  # the purpose of a call that gives no answer
_VOTE = "vote"  # the kind of an attempt that repeats one of the samples
_CHECKED = frozenset({"repair", "fallback"})  # the kinds of attempts that follow a failed check


@dataclass(frozen=True, slots=True)
class Share:
    """The number of wrong turns in one channel, and their share in 0..1, which is None if no turn is wrong."""

    turns: int
    share: float | None


@dataclass(frozen=True, slots=True)
class Depth:
    """The accuracy at one turn number, over the problems that have this turn."""

    turn: int
    accuracy: Rate


@dataclass(frozen=True, slots=True)
class Fired:
    """The counts of one trigger, which is a code for a fault of a turn.

    `first` and `final` count the turns in which the trigger fired on the first attempt, and on the final attempt.
    `events` counts all attempts on which it fired, except votes, which only repeat a sample (DRIFT-Bench, table 6).
    """

    first: int
    final: int
    events: int


@dataclass(frozen=True, slots=True)
class Retried:
    """The retried turns on whose first attempt one trigger fired (DRIFT-Bench, table 10).

    `accuracy` is the share of right delivered answers in those turns that have gold. `sat` is the share of turns with a
    satisfiable ledger at the end.
    """

    turns: int
    accuracy: Rate
    sat: Rate


def _scored(judge: Callable[[AssignmentEntry, TurnScore], Any]) -> Callable[[AssignmentEntry], Any]:
    """Return `judge` for turns that have gold, and None for other turns."""
    return lambda turn: None if turn.score is None else judge(turn, turn.score)


def _count(judge: Callable[[AssignmentEntry, TurnScore], Any]) -> Callable[[AssignmentEntry], int]:
    scored = _scored(judge)
    return lambda turn: int(scored(turn) or 0)


def _if(condition: object, value: object) -> bool | None:
    return bool(value) if condition else None


def _alarmed(turn: AssignmentEntry) -> bool:
    return bool(turn.record.attempts[0].verdict.triggers)


def is_retried(turn: AssignmentEntry) -> bool:
    """Return whether a turn had another attempt after the first. Samples and votes do not count."""
    return any(attempt.kind not in DRAWN for attempt in turn.record.attempts[1:])


def _clipped(turn: AssignmentEntry) -> bool:
    calls = (call for attempt in turn.record.attempts for call in attempt.calls)
    return any(call.kind is ReplyKind.CUT and call.purpose != _CRITIQUE for call in calls)


def _unread(turn: AssignmentEntry) -> bool:
    readings = chain(turn.record.readings, turn.record.final.readings)
    return any(reading.status != "accepted" for reading in readings)


def _outcome(turn: AssignmentEntry) -> TurnOutcome:
    return turn.record.final.verdict.outcome


TURNS = Metrics[AssignmentEntry]()
PLAYED = TURNS.total("turns", lambda turn: 1)
SCORED = TURNS.total("scored", lambda turn: turn.score is not None)
DECIDED = TURNS.total("decided", lambda turn: _outcome(turn) is not TurnOutcome.UNDECIDED)
"""These metrics count the played turns, the turns that have gold, and the turns whose verdict is not undecided. Rates
of right answers are over the turns that have gold."""

RIGHT = TURNS.share("accuracy", _scored(lambda turn, score: score.correct), "accu\u00adracy")
UPSTREAM_RIGHT = TURNS.share("upstream_accuracy", _scored(lambda turn, score: score.upstream_correct), "up\u00adstream")
OUTCOMES = TURNS.tally("outcomes", _outcome, tuple(TurnOutcome))
WRONG = TURNS.total("wrong", _count(lambda turn, score: not score.correct))


def _split(values: Iterable[Any], among: Iterable[Any]) -> dict[Any, Share]:
    counts = Counter(value for value in values if value is not None)
    wrong = counts.total()
    return {each: Share(counts[each], counts[each] / wrong if wrong else None) for each in among}


CHANNELS = TURNS.worked_out(
    "channels",
    _scored(lambda turn, score: None if score.correct else channel(_outcome(turn))),
    lambda units: _split((own for unit in units for own in unit), map(channel, TurnOutcome)),
)


def _upstream(name: str, status: Satisfiability) -> Metric[AssignmentEntry, Share]:
    return TURNS.worked_out(
        name,
        _scored(lambda turn, score: None if score.upstream_correct else score.upstream_ledger),
        lambda units: _split((own for unit in units for own in unit), [status])[status],
    )


UPSTREAM_DRIFT = _upstream("upstream_drift", Satisfiability.SAT)
UPSTREAM_UNSAT = _upstream("upstream_unsat", Satisfiability.UNSAT)
UPSTREAM_OTHER = _upstream("upstream_other", Satisfiability.UNKNOWN)
"""The reasons for wrong turns. Each wrong turn has exactly one of our channels, and exactly one published channel."""

ALARM_PRECISION = TURNS.share(
    "alarm.precision",
    _scored(lambda turn, score: _if(_alarmed(turn), not score.first_correct)),
    "alarm preci\u00adsion",
)
ALARM_RECALL = TURNS.share(
    "alarm.recall", _scored(lambda turn, score: _if(not score.first_correct, _alarmed(turn))), "alarm recall"
)
"""These metrics tell how well a trigger on the first attempt predicts that this attempt is wrong."""

RETRIED = TURNS.total("repair.retried", is_retried)
FIXED = TURNS.total("repair.fixed", _count(lambda turn, score: score.correct and not score.first_correct))
HARMED = TURNS.total("repair.harmed", _count(lambda turn, score: not score.correct and score.first_correct))
STILL_RIGHT = TURNS.total("repair.still_right", _count(lambda turn, score: score.correct and score.first_correct))
STILL_WRONG = TURNS.total("repair.still_wrong", _count(lambda turn, score: not (score.correct or score.first_correct)))
"""Except for `RETRIED`, these metrics count turns by the correctness of the first attempt and of the final answer."""

PHANTOMS = TURNS.total("ledger.phantoms", _count(lambda turn, score: score.phantoms))
GAPS = TURNS.total("ledger.gaps", _count(lambda turn, score: score.gaps))
WITH_PHANTOMS = TURNS.total("ledger.turns_with_phantoms", _count(lambda turn, score: score.phantoms > 0))
WITH_GAPS = TURNS.total("ledger.turns_with_gaps", _count(lambda turn, score: score.gaps > 0))
CHURN = TURNS.share("ledger.churn", _scored(lambda turn, score: (score.churn, score.churn_of)))
"""These metrics compare the ledger with gold, by sums of commitments and by numbers of turns. `CHURN` is a share of
values: those that differ from the last delivered answer, out of the values that both answers give."""


def _by_turn(units: Units) -> tuple[Depth, ...]:
    numbers = sorted({turn for unit in units for turn, right in unit if right is not None})
    columns = [[[right for turn, right in unit if turn == number] for unit in units] for number in numbers]
    return tuple(map(Depth, numbers, shares(columns)))


def _turn_and_right(turn: AssignmentEntry) -> tuple[int, bool | None]:
    return turn.turn, RIGHT.of(turn)


DEPTH = TURNS.worked_out("depth", _turn_and_right, _by_turn)


ACTIVE_STEP = 3
"""The width of the classes of turns by their number of constraints."""


def _active_and_right(turn: AssignmentEntry) -> tuple[int, bool | None]:
    """Return the class of a turn by its gold constraints so far: the largest number in it."""
    score = turn.score
    active = 0 if score is None else len(turn.record.holds) - score.phantoms + score.gaps
    return -(-active // ACTIVE_STEP) * ACTIVE_STEP, RIGHT.of(turn)


LOAD = TURNS.worked_out("load", _active_and_right, _by_turn)


def _ends(units: Units) -> tuple[list[int | None], list[int | None]]:
    """Return, for each problem, whether turn 10 is right, and whether turn 1 is right; None if a turn has no score."""
    by_problem = [{turn: right for turn, right in unit if right is not None} for unit in units]
    last, first = ([known.get(turn) for known in by_problem] for turn in (LAST_TURN, 1))
    return last, first


def _column(values: Sequence[int | None]) -> tuple[list[int], list[int]]:
    return [int(value or 0) for value in values], [int(value is not None) for value in values]


def _published_retention(units: Units) -> Estimate:
    last, first = _ends(units)
    [found] = ratios([(_column(last), _column(first))])
    return found


def _both_ends(units: Units) -> list[tuple[int, int]]:
    last, first = _ends(units)
    return [(one, two) if one is not None and two is not None else (0, 0) for one, two in zip(last, first, strict=True)]


def _retention(units: Units) -> Rate:
    both = _both_ends(units)
    [found] = clustered([([int(last) for last, _ in both], [int(first) for _, first in both])])
    return found


def _with_both(units: Units) -> int:
    last, first = _ends(units)
    return sum(one is not None and two is not None for one, two in zip(last, first, strict=True))


RETENTION = TURNS.worked_out("retention.published", _turn_and_right, _published_retention)
RETENTION_OF_SAME = TURNS.worked_out("retention.same_problems", _turn_and_right, _retention)
WITH_BOTH_ENDS = TURNS.worked_out("retention.problems", _turn_and_right, _with_both)
"""Retention is the accuracy at turn 10 divided by the accuracy at turn 1, which may exceed 1.

`RETENTION` takes each accuracy over all problems that have the turn (DRIFT-Bench, table 3). `RETENTION_OF_SAME` takes
both over the problems that have both turns. So problems that end before turn 10 do not count in it.
"""


def _events(turn: AssignmentEntry) -> tuple[tuple[Trigger, ...], tuple[Trigger, ...], tuple[Trigger, ...]]:
    attempts = turn.record.attempts
    events = (code for attempt in attempts if attempt.kind != _VOTE for code in attempt.verdict.triggers)
    return attempts[0].verdict.triggers, attempts[-1].verdict.triggers, tuple(events)


def _fired(units: Units) -> dict[Trigger, Fired]:
    turns = [turn for unit in units for turn in unit]
    first, final, events = (Counter(code for turn in turns for code in turn[place]) for place in range(3))
    return {code: Fired(first[code], final[code], events[code]) for code in Trigger}


TRIGGERS = TURNS.worked_out("triggers", _events, _fired)

AfterRetry = tuple[tuple[Trigger, ...], bool | None, bool]


def _after_retry(turn: AssignmentEntry) -> AfterRetry | None:
    """Return the triggers of the first attempt, whether the turn is right, and whether its ledger is satisfiable."""
    if not is_retried(turn):
        return None
    sat = turn.record.final.verdict.basis is Satisfiability.SAT
    return turn.record.attempts[0].verdict.triggers, RIGHT.of(turn), sat


def _retried(units: Units) -> dict[Trigger, Retried]:
    columns = [
        [[turn[value] for turn in unit if turn is not None and code in turn[0]] for unit in units]
        for code in Trigger
        for value in (1, 2)
    ]
    found = iter(shares(columns))
    return {code: Retried(sat.of, right, sat) for code, right, sat in zip(Trigger, found, found, strict=False)}


AFTER_RETRY = TURNS.worked_out("after_retry", _after_retry, _retried)
"""Figures of retried turns by the trigger on the first attempt. If several triggers fired, a turn counts for each."""

CLIPPED = TURNS.share("truncation.clipped", _clipped)
UNCLIPPED_RIGHT = TURNS.share(
    "truncation.accuracy", _scored(lambda turn, score: None if _clipped(turn) else score.correct)
)
"""In a clipped turn, the token limit clipped an answer, even if a retry mended it (DRIFT-Bench, table 8). `CLIPPED` is
the share of such turns, and `UNCLIPPED_RIGHT` the accuracy of all other turns that have gold."""

_COSTS: Mapping[str, tuple[str, str]] = {
    "calls": ("calls", ".2f"),
    "prompt_tokens": ("prompt tokens", ".0f"),
    "completion_tokens": ("com\u00adpletion tokens", ".0f"),
    "seconds": ("seconds", ".2f"),
}


def _own_calls(turn: AssignmentEntry) -> Iterator[CallRecord]:
    return chain(turn.record.extraction, *(attempt.calls for attempt in turn.record.attempts))


def _costs(
    place: str, calls: Callable[[AssignmentEntry], Iterable[CallRecord]], solver_s: Callable[[AssignmentEntry], float]
) -> Iterator[Metric[AssignmentEntry, float]]:
    """Declare mean costs of a turn. Seconds are the recorded latency of the calls plus the solver's time."""

    def spent(name: str, turn: AssignmentEntry) -> float:
        usage = total(call.usage for call in calls(turn))
        return usage.latency_s + solver_s(turn) if name == "seconds" else float(getattr(usage, name))

    def mean(units: Units) -> float:
        turns: list[float] = [number for unit in units for number in unit]
        return sum(turns) / max(1, len(turns))

    for name, (title, form) in _COSTS.items():
        yield TURNS.worked_out(f"{place}.{name}", partial(spent, name), mean, title, f"{{:{form}}}".format)


COST = tuple(_costs("cost", _own_calls, lambda turn: turn.record.solver_s))
COST_OF_MEASURING = tuple(_costs("measuring", lambda turn: turn.record.measuring, lambda turn: 0.0))

PROJECTED = TURNS.share("projected", lambda turn: turn.record.detail.projected, "pro\u00adjected")
ABSTAINED = TURNS.share("abstained", lambda turn: turn.record.delivered is None, "ab\u00adstained")
UNREAD = TURNS.share("unread", _unread, "not all read")
"""The shares of turns in which the solver made the answer, no answer was delivered, or a sentence was not read. A
sentence also counts as unread if it was read with doubt."""


@dataclass(frozen=True, slots=True)
class Shape:
    """The properties of one problem that its turns show.

    `entities` are the entities in answers, whose variables are named `entity.attribute`. `types` are the constraint
    types that were read. `final` is the number of gold constraints at the last turn, or None if it has no score.
    """

    domain: str
    turns: int
    entities: frozenset[str]
    types: frozenset[str]
    final: int | None

    def __or__(self, other: Shape) -> Shape:
        """Return the properties that the turns of both `Shape`s show together."""
        final = other.final if self.final is None else self.final
        return Shape(self.domain, self.turns, self.entities | other.entities, self.types | other.types, final)


def _shape(turn: AssignmentEntry) -> Shape:
    record, score = turn.record, turn.score
    answers = (attempt.answer or () for attempt in record.attempts)
    # Gold has all constraints of the ledger except the phantoms, and also the gaps.
    final = None if score is None else len(record.holds) - score.phantoms + score.gaps
    return Shape(
        turn.domain,
        turn.turns,
        frozenset(name.rpartition(".")[0] for answer in answers for name in answer),
        frozenset(event.type for event in record.events if event.type is not None),
        final if turn.turn == turn.turns else None,
    )


def played_methods(settings: Mapping[str, Any]) -> dict[str, Method]:
    """Return the presets and the run's own methods, by name.

    `settings` come from the folder of a run. Raises `RecordError` if no run can have written them.
    """
    own = settings.get("own_methods") or {}
    return {**PRESETS, **{name: _read(name, saved) for name, saved in own.items()}}


def _read(name: str, saved: Mapping[str, Any]) -> Method:
    """Return a method from the JSON form that `describe_method` writes."""
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(Method).validate_python({"name": name, **saved})
    except (SettingsError, ValidationError, TypeError) as error:
        raise RecordError(f"the run's settings of method {name!r} do not fit: {error}") from error


def is_oracle(arm: Arm, methods: Mapping[str, Method]) -> bool:
    """Return whether gold replaced the readings of messages and could change the method's answers.

    A method that reads no messages is no oracle, though the same gold measures its turns. A method that is missing in
    the run's settings counts as an oracle, because it is unknown whether it used gold.
    """
    method = methods.get(arm.method)
    return arm.gold and (method is None or method.uses_readings)


_ASKED, _WAS_CHECKED = "asked", "checked"


def _marks(turn: AssignmentEntry) -> Iterator[str]:
    """Yield a mark if the model was asked for answers, and another if a check influenced the delivered answer."""
    record = turn.record
    if any(attempt.calls for attempt in record.attempts):
        yield _ASKED
    if record.detail.projected or record.delivered is None or any(a.kind in _CHECKED for a in record.attempts):
        yield _WAS_CHECKED


def _traits(arm: Arm, marks: frozenset[str], settings: Mapping[str, Any]) -> Traits:
    methods, preset = played_methods(settings), PRESETS.get(arm.method)
    method, oracle = methods.get(arm.method), is_oracle(arm, methods)
    return Traits(
        title=f"oracle: {arm.method}" if oracle else arm.method,
        asks_model=_ASKED in marks,
        is_control=method is not None and method.answerer != "model",
        baseline=preset.baseline if preset else _ASKED in marks and _WAS_CHECKED not in marks,
        told={"oracle": oracle},
    )


MEASURE = FigureMeasure(
    entry=AssignmentEntry,
    metrics=TURNS,
    accuracy=RIGHT,
    said=lambda turn: turn.record.user_message,
    traits=_traits,
    marks=_marks,
    by_domain=True,
    unfinished=True,
    shape=_shape,
)
