"""Measure a run of a suite about assignments, in one pass over its journal, and say which methods it played."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any
from zlib import crc32

from holdtrue.errors import RecordError, SettingsError
from holdtrue.kinds.assignment.method import PRESETS, Method
from holdtrue.kinds.assignment.record import AssignmentRecord
from holdtrue_lab.kinds.assignment.entry import AssignmentEntry
from holdtrue_lab.kinds.assignment.facts import Facts
from holdtrue_lab.kinds.assignment.measure import rows_of
from holdtrue_lab.kinds.assignment.row import DriftRow
from holdtrue_lab.kinds.assignment.structure import Shape, joined
from holdtrue_lab.kit.arm import Arm, arm_of
from holdtrue_lab.kit.entry import Entry
from holdtrue_lab.kit.folder import Measured
from holdtrue_lab.kit.plays import ArmPlays, Play, ProblemKey

# Kinds of attempts in which a check has a part.
_CHECKED = frozenset({"repair", "fallback"})


def measure_run(entries: Iterable[Entry], settings: Mapping[str, Any] | None = None) -> Measured[DriftRow]:
    """Measure a run that was made with these settings; the entries are read once, and their texts are not kept.

    The result's `rows` are those of each method, in order of first appearance, over all domains and then by domain. Its
    `problems` have the shape of each problem, as `structure.structures` takes it. A failure counts only where nothing
    came after it: a problem that was tried again has its later result.
    """
    arms: defaultdict[Arm, _Arm] = defaultdict(_Arm)
    named: dict[tuple[str, str], Arm] = {}
    failures: dict[tuple[str, str, str], str] = {}
    shapes: dict[ProblemKey, Shape] = {}
    for entry in entries:
        if not isinstance(entry, AssignmentEntry):
            failures[entry.suite, entry.method, entry.problem] = entry.domain
            continue
        failures.pop((entry.suite, entry.method, entry.problem), None)
        name = named[entry.suite, entry.method] = arm_of(entry)
        conversation = arms[name].add(entry)
        if conversation.finished:
            asked, shape = conversation.key, conversation.shape()
            shapes[asked] = joined(shapes[asked], shape) if asked in shapes else shape
    plays = tuple(
        ArmPlays(name, arm.is_baseline(name.method), arm.plays, asks_model=arm.asked_model)
        for name, arm in arms.items()
    )
    for (suite, method, problem), domain in failures.items():
        # A method that failed before its first turn has left no record that says what it ran with.
        arms[named.get((suite, method), Arm(suite, "", "", "", method))].facts.fail(problem, domain)
    methods = played_methods(settings or {})
    rows = tuple(row for name, arm in arms.items() for row in rows_of(name, arm.facts, oracle=is_oracle(name, methods)))
    return Measured(rows=rows, plays=plays, controls=_controls(methods), problems=shapes)


def _controls(methods: Mapping[str, Method]) -> frozenset[str]:
    """The methods that never ask the model."""
    return frozenset(name for name, method in methods.items() if method.answerer != "model")


class _Arm:
    """The turns of one arm, which is a model with a method, while they are read."""

    def __init__(self) -> None:
        self.facts = Facts()
        self.plays: dict[ProblemKey, Play] = {}
        self._open: dict[str, _Conversation] = {}
        self.asked_model = False
        self._checked = False

    def is_baseline(self, method: str) -> bool:
        """Return whether the method asks the model and no check changes its answers (see `ArmPlays.baseline`)."""
        preset = PRESETS.get(method)
        if preset is None:
            return self.asked_model and not self._checked
        return preset.baseline

    def add(self, entry: AssignmentEntry) -> _Conversation:
        """Add one turn, and return its conversation up to this turn."""
        self.facts.add(entry)
        conversation = self._open.get(entry.problem)
        if conversation is None:
            conversation = self._open[entry.problem] = _Conversation(entry)
        conversation.add(entry)
        if conversation.finished:
            self.plays[conversation.key] = conversation.play()
            del self._open[entry.problem]
        record = entry.record
        self.asked_model = self.asked_model or any(attempt.calls for attempt in record.attempts)
        self._checked = self._checked or _checked(record)
        return conversation


class _Conversation:
    """One problem under one arm, as far as its turns have been read."""

    def __init__(self, first: AssignmentEntry) -> None:
        self._suite, self._domain, self._turns = first.suite, first.domain, first.turns
        self._problem = first.problem
        self._played = 0
        self._said = 0
        self._right: dict[int, bool] = {}
        self._variables: set[str] = set()
        self._types: set[str] = set()
        self._final: int | None = None

    def add(self, entry: AssignmentEntry) -> None:
        """Add the next turn."""
        record, score = entry.record, entry.score
        self._played += 1
        self._said = crc32(record.user_message.encode("utf-8", "surrogatepass") + b"\0", self._said)
        for attempt in record.attempts:
            self._variables.update(attempt.answer or ())
        self._types.update(event.type for event in record.events if event.type is not None)
        self._final = None
        if score is not None:
            self._right[entry.turn] = score.correct
            # So many constraints gold has: those of the ledger that it has too, and those that the ledger lacks.
            self._final = len(record.holds) - score.phantoms + score.gaps

    @property
    def finished(self) -> bool:
        return self._played == self._turns

    @property
    def key(self) -> ProblemKey:
        """The problem as it was asked; this is known only after the last turn."""
        return self._problem, self._said

    def play(self) -> Play:
        return Play(self._domain, self._turns, self._right)

    def shape(self) -> Shape:
        # Variables are named `entity.attribute`.
        entities = len({name.rpartition(".")[0] for name in self._variables})
        return Shape(self._suite, self._domain, self._turns, entities or None, frozenset(self._types), self._final)


def _checked(record: AssignmentRecord) -> bool:
    """Return whether a check had a part in what the turn delivered, or in that it delivered nothing."""
    return record.detail.projected or record.delivered is None or any(a.kind in _CHECKED for a in record.attempts)


def played_methods(settings: Mapping[str, Any]) -> dict[str, Method]:
    """Return presets and the run's own methods by name.

    `settings` are those in the folder of a run. Raises `RecordError` for settings that no run has written.
    """
    own = settings.get("own_methods") or {}
    return {**PRESETS, **{name: _read(name, saved) for name, saved in own.items()}}


def _read(name: str, saved: Mapping[str, Any]) -> Method:
    """Return a method that was written down by `describe_method`."""
    from pydantic import TypeAdapter, ValidationError

    try:
        return TypeAdapter(Method).validate_python({"name": name, **saved})
    except (SettingsError, ValidationError, TypeError) as error:
        raise RecordError(f"the run's settings of method {name!r} do not fit: {error}") from error


def is_oracle(arm: Arm, methods: Mapping[str, Method]) -> bool:
    """Return whether gold stood in the place of readings, and changed what the arm's method did.

    A method that reads nothing is none, though its turns are measured by the same gold. A method that the run's
    settings do not name is one: nobody can tell what it used.
    """
    method = methods.get(arm.method)
    return arm.gold and (method is None or method.uses_readings)
