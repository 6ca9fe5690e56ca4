"""Measure a run of a suite about assignments, in one pass over the entries of its journal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any
from zlib import crc32

from holdtrue.kinds.assignment.method import PRESETS
from holdtrue.kinds.assignment.record import AssignmentRecord
from holdtrue.lab.kinds.assignment.entry import AssignmentEntry, TurnScore
from holdtrue.lab.kinds.assignment.measure import Rows
from holdtrue.lab.kinds.assignment.row import DriftRow
from holdtrue.lab.kinds.assignment.structure import Shape, joined
from holdtrue.lab.kit.arm import Arm, arm_of
from holdtrue.lab.kit.entry import Entry
from holdtrue.lab.kit.folder import Measured
from holdtrue.lab.kit.plays import ArmPlays, Asked, Play

# Kinds of attempts in which a check has a part.
_CHECKED = frozenset({"repair", "fallback"})


def measure_run(entries: Iterable[Entry], settings: Mapping[str, Any] | None = None) -> Measured[DriftRow]:
    """Measure a run that was made with these settings; the entries are read once, and their texts are not kept.

    The result's `rows` are one for each method, over all domains and by domain. Its `problems` have the shape of each
    problem, as `structure.structures` takes it.
    """
    rows = Rows()
    arms: defaultdict[Arm, _Arm] = defaultdict(_Arm)
    shapes: dict[Asked, Shape] = {}
    for entry in entries:
        rows.add(entry)
        if isinstance(entry, AssignmentEntry):
            conversation = arms[arm_of(entry)].add(entry)
            if conversation.finished:
                asked, shape = conversation.asked, conversation.shape()
                shapes[asked] = joined(shapes[asked], shape) if asked in shapes else shape
    plays = tuple(ArmPlays(name, arm.is_baseline(name.method), arm.plays) for name, arm in arms.items())
    return Measured(rows=tuple(rows.finish()), plays=plays, controls=_controls(settings or {}), problems=shapes)


def _controls(settings: Mapping[str, Any]) -> frozenset[str]:
    """The methods that never ask the model: presets, and those that the run's settings declare."""
    answerers = {name: method.answerer for name, method in PRESETS.items()}
    own = settings.get("own_methods", {})
    answerers |= {name: method.get("answerer", "model") for name, method in own.items()}
    return frozenset(name for name, answerer in answerers.items() if answerer != "model")


class _Arm:
    """The conversations of one arm, which is a model with a method, while their turns are read."""

    def __init__(self) -> None:
        self.plays: dict[Asked, Play] = {}
        self._open: dict[str, _Conversation] = {}
        self._asked_model = False
        self._checked = False

    def is_baseline(self, method: str) -> bool:
        """Whether the method asks the model and no check changes its answers, as `ArmPlays.baseline` defines it."""
        preset = PRESETS.get(method)
        if preset is None:
            return self._asked_model and not self._checked
        return preset.baseline

    def add(self, entry: AssignmentEntry) -> _Conversation:
        """Add one turn, and return its conversation up to this turn."""
        conversation = self._open.get(entry.problem)
        if conversation is None:
            conversation = self._open[entry.problem] = _Conversation(entry)
        conversation.add(entry)
        if conversation.finished:
            self.plays[conversation.asked] = conversation.play()
            del self._open[entry.problem]
        record = entry.record
        self._asked_model = self._asked_model or any(attempt.calls for attempt in record.attempts)
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
        if score is not None:
            self._right[entry.turn] = score.correct
            self._final = _gold_size(record, score)
        else:
            self._final = None

    @property
    def finished(self) -> bool:
        return self._played == self._turns

    @property
    def asked(self) -> Asked:
        """The problem as it was asked; this is known only after the last turn."""
        return self._problem, self._said

    def play(self) -> Play:
        return Play(self._domain, self._turns, self._right)

    def shape(self) -> Shape:
        # Variables are named `entity.attribute`.
        entities = len({name.rpartition(".")[0] for name in self._variables})
        return Shape(self._suite, self._domain, self._turns, entities or None, frozenset(self._types), self._final)


def _gold_size(record: AssignmentRecord, score: TurnScore) -> int:
    """Return how many constraints the gold ledger has: those that the ledger shares, and those that it lacks."""
    return len(record.holds) - score.phantoms + score.gaps


def _checked(record: AssignmentRecord) -> bool:
    """Whether a check had a part in what the turn delivered, or in that it delivered nothing."""
    return record.detail.projected or record.delivered is None or any(a.kind in _CHECKED for a in record.attempts)
