"""The premises of a conversation: sentences that were told, the formulas that they were read as, and whether they fit.

Every value here is whole: what is said later makes a new one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from holdtrue.budget import Budget
from holdtrue.claim_record import AlertRecord, ContextRecord, PremiseRecord
from holdtrue.errors import FormulaError
from holdtrue.kinds.claims.context import Context, InconsistentContext
from holdtrue.logic.fol.alert import Alert
from holdtrue.logic.fol.ground import Things, ground, variables_of
from holdtrue.logic.fol.notation import write_fol
from holdtrue.logic.fol.syntax import Sentence
from holdtrue.logic.fol.vocabulary import Function, Predicate, Vocabulary, laws
from holdtrue.logic.formula import Formula
from holdtrue.solving.result import Mcs, Satisfiable


@dataclass(frozen=True, slots=True)
class Premise:
    """A sentence that was told; `sentence` and `formula` are None where nothing could be made of it."""

    id: str
    text: str
    source: str = "context"
    sentence: Sentence | None = None
    formula: Formula | None = None
    refined: int = 0
    alerts: tuple[Alert, ...] = ()

    def record(self) -> PremiseRecord:
        written = None if self.sentence is None else write_fol(self.sentence)
        return PremiseRecord(self.id, self.text, written, self.source, self.refined, alert_records(self.alerts))


@dataclass(frozen=True)
class Premises:
    """What claims are tested against.

    `told` are the sentences in order, `statements` what the question is about (by the letters of its `options`, or as
    `gold_logic.STATEMENT`), `alerts` what is wrong with the vocabulary. `budget` is for each question to a
    solver.
    """

    vocabulary: Vocabulary
    told: tuple[Premise, ...]
    budget: Budget
    fresh: int = 2
    statements: Mapping[str, Premise] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    alerts: tuple[Alert, ...] = ()

    @cached_property
    def things(self) -> Things:
        named = self.vocabulary.things
        return Things(named.names, self.fresh, named.sorts)

    @cached_property
    def laws(self) -> tuple[Formula, ...]:
        """What holds of the vocabulary's functions, whatever anybody says."""
        return laws(self.vocabulary)

    @cached_property
    def formulas(self) -> Mapping[str, Formula]:
        """The premises that say something, by their ids."""
        return {premise.id: premise.formula for premise in self.told if premise.formula is not None}

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """Every premise in words, by its id."""
        return {premise.id: premise.text for premise in self.told}

    @cached_property
    def context(self) -> Context:
        """The premises alone: they say whether all of them can hold."""
        return self.context_with(())

    def context_with(self, formulas: Iterable[Formula]) -> Context:
        """The premises, for questions about these formulas; raises `FormulaError` where a name is two things."""
        variables = variables_of((*self.formulas.values(), *self.laws, *formulas))
        return Context(self.formulas, variables, self.budget, self.laws)

    @cached_property
    def consistent(self) -> bool:
        """Whether it is known that all premises can hold."""
        return isinstance(self.context.status, Satisfiable)

    def say(self, sentence: Sentence) -> Formula:
        """What a sentence says here; raises `FormulaError` where that is nothing."""
        return ground(sentence, self.things, self.vocabulary.ranges)

    def without(self, ids: Iterable[str]) -> Premises:
        """The same where these were not said."""
        gone = set(ids)
        return replace(self, told=tuple(premise for premise in self.told if premise.id not in gone))

    @cached_property
    def record(self) -> ContextRecord:
        status = self.context.status
        clash = status if isinstance(status, InconsistentContext) else None
        correction = self.context.correction() if clash is not None else None
        return ContextRecord(
            things={entity.name: entity.sort for entity in self.vocabulary.entities},
            words={name_of(word): word.meaning for word in _words(self.vocabulary)},
            premises=tuple(premise.record() for premise in self.told),
            status="inconsistent" if clash else "consistent" if isinstance(status, Satisfiable) else "unknown",
            conflict=clash.premises if clash else (),
            minimal=clash.minimal if clash else True,
            set_aside=tuple(correction.set_aside) if isinstance(correction, Mcs) else (),
            alerts=alert_records(self.alerts),
        )


def grounded(premise: Premise, premises: Premises) -> Premise:
    """The premise with the formula of its sentence, or with an alert that says why it has none."""
    if premise.sentence is None:
        return replace(premise, formula=None)
    try:
        return replace(premise, formula=premises.say(premise.sentence))
    except FormulaError as error:
        alert = Alert("unsupported", str(error), write_fol(premise.sentence))
        return replace(premise, formula=None, alerts=(*premise.alerts, alert))


def plain(text: str) -> str:
    """A sentence without what makes no difference: capitals, spaces, the full stop."""
    return " ".join(text.casefold().strip(" .").split())


def alert_records(alerts: Sequence[Alert]) -> tuple[AlertRecord, ...]:
    return tuple(AlertRecord(alert.kind, alert.message, alert.text, alert.position) for alert in alerts)


def name_of(word: Predicate | Function) -> str:
    """A predicate or a function as it is shown: `Teaches(x, y)`, `place(x) in 1..5`."""
    places = ", ".join("xyzuvw"[: len(word.sorts)])
    shown = f"{word.name}({places})" if places else word.name
    return f"{shown} in {word.low}..{word.high}" if isinstance(word, Function) else shown


def _words(vocabulary: Vocabulary) -> tuple[Predicate | Function, ...]:
    return (*vocabulary.predicates, *vocabulary.functions)
