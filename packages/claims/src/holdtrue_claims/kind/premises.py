"""The premises of a conversation about claims: sentences with their formulas, and whether they are consistent.

All values are immutable: a later sentence makes a new `Premises`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError
from holdtrue.solving.result import Mcs, Satisfiable
from holdtrue_claims.claim_record import AlertRecord, ContextRecord, PremiseRecord
from holdtrue_claims.fol.alert import Alert
from holdtrue_claims.fol.meaning import Stated, state
from holdtrue_claims.fol.notation import write_fol
from holdtrue_claims.fol.syntax import Sentence
from holdtrue_claims.fol.vocabulary import Function, Predicate, Vocabulary
from holdtrue_claims.kind.context import Context, InconsistentContext

EARLIER = "claim"
"""The source of a claim of an earlier answer."""


@dataclass(frozen=True, slots=True)
class Premise:
    """A `Premise` is a text with its first-order `sentence` and its `formula`, which are None if it has no meaning.

    `confirmed`: a person wrote the formula, or it was chosen among its near variants.
    """

    id: str
    text: str
    source: str = "context"
    sentence: Sentence | None = None
    formula: Stated | None = None
    refined: int = 0
    alerts: tuple[Alert, ...] = ()
    confirmed: bool = False

    def record(self) -> PremiseRecord:
        written = None if self.sentence is None else write_fol(self.sentence)
        alerts = alert_records(self.alerts)
        return PremiseRecord(self.id, self.text, written, self.source, self.refined, alerts, self.confirmed)


@dataclass(frozen=True)
class Premises:
    """`Premises` are the premises that claims are tested against.

    `entries` are the premises in order. `statements` are the statements of the question, by the letters of its
    `options`, or as `gold_logic.STATEMENT`. `alerts` describe faults of the vocabulary. `budget` limits each question
    to a solver.
    """

    vocabulary: Vocabulary
    entries: tuple[Premise, ...]
    budget: Budget
    statements: Mapping[str, Premise] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    alerts: tuple[Alert, ...] = ()

    @cached_property
    def stated(self) -> tuple[Premise, ...]:
        """Return the premises without earlier claims of the assistant, which prove nothing."""
        return tuple(premise for premise in self.entries if premise.source != EARLIER)

    @cached_property
    def formulas(self) -> Mapping[str, Stated]:
        """Return the formulas of the stated premises that have one, by id."""
        return {premise.id: premise.formula for premise in self.stated if premise.formula is not None}

    @cached_property
    def earlier(self) -> Mapping[str, Stated]:
        """Return the formulas of earlier claims, by id. New claims have to be consistent with them."""
        return {own.id: own.formula for own in self.entries if own.source == EARLIER and own.formula is not None}

    @cached_property
    def unread(self) -> tuple[str, ...]:
        """Return the ids of the stated premises without a formula, which may decide a claim that others leave open."""
        return tuple(premise.id for premise in self.stated if premise.formula is None)

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """Return the text of every premise, by id."""
        return {premise.id: premise.text for premise in self.entries}

    @cached_property
    def context(self) -> Context:
        """Return the premises in a solver, without any claim; its `status` says whether all can hold."""
        return Context(self.formulas, self.vocabulary, self.budget)

    @cached_property
    def consistent(self) -> bool:
        """Return whether it is known that all premises can hold."""
        return isinstance(self.context.status, Satisfiable)

    @cached_property
    def with_earlier(self) -> Context:
        """Return the premises and the earlier claims in a solver; its `status` says whether all can hold."""
        return Context({**self.formulas, **self.earlier}, self.vocabulary, self.budget)

    def say(self, sentence: Sentence) -> Stated:
        """Return a sentence as a formula. Raises `FormulaError` if it has no meaning in the vocabulary."""
        return state(sentence, self.vocabulary)

    def without(self, ids: Iterable[str]) -> Premises:
        """Return the premises without those with these ids."""
        gone = set(ids)
        return replace(self, entries=tuple(premise for premise in self.entries if premise.id not in gone))

    @cached_property
    def record(self) -> ContextRecord:
        status = self.context.status
        clash = status if isinstance(status, InconsistentContext) else None
        correction = self.context.correction() if clash is not None else None
        return ContextRecord(
            things={entity.name: entity.sort for entity in self.vocabulary.entities},
            words={name_of(word): word.meaning for word in self.vocabulary.applied},
            premises=tuple(premise.record() for premise in self.entries),
            status="inconsistent" if clash else "consistent" if isinstance(status, Satisfiable) else "unknown",
            conflict=clash.premises if clash else (),
            minimal=clash.minimal if clash else True,
            set_aside=tuple(correction.set_aside) if isinstance(correction, Mcs) else (),
            alerts=alert_records(self.alerts),
            closed=self.vocabulary.closed,
        )


def grounded(premise: Premise, premises: Premises) -> Premise:
    """Return the premise with the formula of its sentence, or with an alert that says why it has none."""
    if premise.sentence is None:
        return replace(premise, formula=None)
    try:
        return replace(premise, formula=premises.say(premise.sentence))
    except FormulaError as error:
        alert = Alert("unsupported", str(error), write_fol(premise.sentence))
        return replace(premise, formula=None, alerts=(*premise.alerts, alert))


def plain(text: str) -> str:
    """Return a sentence in lower case, with single spaces and without its full stop, for comparisons."""
    return " ".join(text.casefold().strip(" .").split())


def alert_records(alerts: Sequence[Alert]) -> tuple[AlertRecord, ...]:
    return tuple(AlertRecord(alert.kind, alert.message, alert.text, alert.position) for alert in alerts)


def name_of(word: Predicate | Function) -> str:
    """Return a predicate or a function as people see it: `Teaches(x, y)`, `place(x): whole, 1..5, distinct`."""
    places = ", ".join("xyzwuv"[: len(word.sorts)])
    shown = f"{word.name}({places})" if places else word.name
    if isinstance(word, Predicate):
        return shown
    low, high = ("" if end is None else str(end) for end in (word.low, word.high))
    ends = f", {low}..{high}" if low or high else ""
    return f"{shown}: {word.result}{ends}{', distinct' if word.distinct else ''}"
