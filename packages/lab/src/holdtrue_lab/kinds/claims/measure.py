"""Measure a run about claims: turn the entries of its journal into rows, without a model or a solver."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields

from holdtrue_lab.kinds.claims.entry import ClaimEntry
from holdtrue_lab.kinds.claims.method import METHODS, BaselineMethod
from holdtrue_lab.kinds.claims.metrics import ACCURACY, ITEMS, SCORE, VERIFIED, PlayedItem
from holdtrue_lab.kinds.claims.settings import played_methods
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.entry import Entry
from holdtrue_lab.kit.figure_rows import Answers, FigureMeasure, Settings, Traits
from holdtrue_lab.kit.folder import Measured
from holdtrue_lab.kit.groups import FigureRow
from holdtrue_lab.kit.plays import Play

# Control answerers ignore the question or ask no model for an answer, so any other method should do better.
CONTROLS = frozenset({"restate_premises", "solver_only"})
_ASKED = "asked"


@dataclass(frozen=True, slots=True)
class ClaimPlay(Play):
    """An item that was answered and has a score.

    `given` is the letter of the answer, or None. `verified` has two counts: the claims that the solver proved or
    refuted, and all claims.
    """

    given: str | None = None
    verified: tuple[int, int] = (0, 0)

    @property
    def score(self) -> float | None:
        """Return the score of the answer, or None if its claims were not verified."""
        return self.values("score").get(1)


class Answer(Answers[ClaimEntry]):
    """One item under one arm, with its single turn."""

    scored: bool
    given: str | None

    def add(self, entry: ClaimEntry) -> Answer:
        super().add(entry)
        self.scored = entry.score is not None
        self.given = None if entry.score is None else entry.score.given
        return self

    def play(self) -> ClaimPlay | None:
        play = super().play()
        if play is None or not self.scored:
            return None
        [added] = self.added
        value, checked = ITEMS.of(SCORE, added)
        return ClaimPlay(
            **{own.name: getattr(play, own.name) for own in fields(Play) if own.name != "figures"},
            figures={"score": {1: value}} if checked else {},
            given=self.given,
            verified=ITEMS.of(VERIFIED, added),
        )


def measure_run(entries: Iterable[Entry], settings: Settings) -> Measured[FigureRow]:
    """Measure a run with these settings."""
    return measure_claims(entries, played_methods(settings))


def measure_claims(entries: Iterable[Entry], methods: Mapping[str, BaselineMethod] = METHODS) -> Measured[FigureRow]:
    """Measure a run in which `methods`, by name, were played. A method with any other name counts as one that answers
    once.
    """
    return measure_of(methods)(entries)


def measure_of(methods: Mapping[str, BaselineMethod]) -> FigureMeasure[ClaimEntry]:
    """Return the measurement of runs with these methods.

    Rows count original items alone, and confidence intervals treat each item as one cluster. In the JSON of a row,
    `oracle` says whether its method used formulas or names of gold logic. `accept` names the grounds that it accepts.
    """

    def method_of(name: str) -> BaselineMethod:
        return methods.get(name) or BaselineMethod(name)

    def traits(arm: Arm, marks: frozenset[str], settings: Settings) -> Traits:
        method = method_of(arm.method)
        is_control, oracle = method.answerer in CONTROLS, method.verifies and arm.extractor.startswith("gold")
        asks = _ASKED in marks
        return Traits(
            title=_title(arm) if oracle else arm.method,
            asks_model=asks,
            is_control=is_control,
            baseline=not is_control and not method.verifies,
            told={"asks_model": asks, "oracle": oracle, "accept": method.check.accept},
        )

    return FigureMeasure(
        entry=ClaimEntry,
        metrics=ITEMS,
        accuracy=ACCURACY,
        said=lambda entry: "\0".join((entry.record.user_message, *entry.problem_lines)),
        traits=traits,
        marks=lambda entry: [_ASKED] if any(attempt.calls for attempt in entry.record.attempts) else [],
        form=_form,
        by_domain=True,
        fact=lambda entry: PlayedItem(entry, method_of(entry.method)),
        answers=Answer,
    )


def _title(arm: Arm) -> str:
    """Return the title of an oracle, which is a method that was given gold: its name and the kind of gold."""
    return f"{arm.method} (oracle {'entities' if arm.extractor.startswith('gold_entities') else 'formulas'})"


def _form(entry: ClaimEntry) -> tuple[str, str, str]:
    score = entry.score
    if score is None or score.perturbs is None:
        return "", "", ""
    return score.perturbation or "changed", score.perturbs, ""


def is_oracle(row: FigureRow) -> bool:
    """Return whether a row's method used formulas or names that people wrote."""
    return bool(row.told["oracle"])
