"""Draw a draft, label its statements by a solver, and explain in words why a query has its label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from holdtrue.budget import UNLIMITED
from holdtrue.errors import SettingsError
from holdtrue.logic.formula import Formula
from holdtrue.record import Label
from holdtrue.solving.engine import Engine
from holdtrue.solving.explain.classification import classify
from holdtrue.solving.result import Entailed, Independent, Refuted, Satisfiable, Witness
from holdtrue.solving.route import make_engine
from holdtrue.world.instance import Constraint, Instance
from holdtrue_lab.kit.words import listed
from holdtrue_lab.suites.cross_query.subdomain import Draft, Subdomain


@dataclass(frozen=True, slots=True)
class Statement:
    """A candidate with its label; if that is UNKNOWN, `holds` is a witness in which it is true, and `fails` one in
    which it is false.
    """

    constraint: Constraint
    formula: Formula
    label: Label
    holds: Witness | None = None
    fails: Witness | None = None


@dataclass(frozen=True, slots=True)
class LabelledDraft:
    """A draft whose premises can all hold, with the sentences of its setting and its labelled statements.

    `premises` are named by number, counted on from the sentences of the setting, which come first. No two `statements`
    have the same canonical form, and none that of a premise.
    """

    draft: Draft
    setting: tuple[str, ...]
    premises: Mapping[str, Formula]
    engine: Engine
    statements: tuple[Statement, ...]

    @property
    def supply(self) -> Counter[Label]:
        """The number of statements with each label."""
        return Counter(statement.label for statement in self.statements)


def draw_labelled(rng: Random, subdomain: Subdomain) -> LabelledDraft | None:
    """Draw and label a draft; return None if its premises cannot all hold, or one is there twice."""
    entities, context = subdomain.draw_setting(rng)
    instance = subdomain.declaration.instance(entities, context)
    draft = subdomain.draw(rng, instance)
    setting = tuple(subdomain.setting(rng, instance))
    canonical_premises = {instance.canonical(made) for made in draft.premises}
    first = len(setting) + 1
    premises = {f"P{place}": instance.formula(made) for place, made in enumerate(draft.premises, first)}
    engine = make_engine(list(instance.variables.values()), instance.background)
    engine.hold(premises)
    found = engine.decide(premises, UNLIMITED)
    if not isinstance(found, Satisfiable) or len(canonical_premises) < len(draft.premises):
        return None
    candidates = {instance.canonical(made): made for made in draft.candidates if made.type in subdomain.query_types}
    statements = tuple(
        _label(engine, premises, instance, made, found.witness)
        for canonical, made in candidates.items()
        if canonical not in canonical_premises
    )
    return LabelledDraft(draft, setting, premises, engine, statements)


def _label(
    engine: Engine, premises: Mapping[str, Formula], instance: Instance, constraint: Constraint, witness: Witness
) -> Statement:
    formula = instance.formula(constraint)
    match classify(engine, premises, formula, UNLIMITED, witness=witness):
        case Entailed():
            return Statement(constraint, formula, Label.ENTAILED)
        case Refuted():
            return Statement(constraint, formula, Label.CONTRADICTED)
        case Independent(holds, fails):
            return Statement(constraint, formula, Label.UNKNOWN, holds, fails)
    raise SettingsError(f"{instance.sentence(constraint)}: no label could be proved")


MOST_SHOWN = 2
"""So many values of a situation are told."""


def because(label: Label, conflict: Sequence[int], texts: Sequence[str]) -> str:
    """Return why a statement has to hold, or cannot: the premises that settle it, by number (from 1) and in words."""
    quoted = [f"{place} ({texts[place - 1].rstrip('.')})" for place in conflict]
    premises = f"premise{'' if len(quoted) == 1 else 's'} {listed(quoted)}"
    return f"It follows from {premises}." if label is Label.ENTAILED else f"It clashes with {premises}."


def either_way(instance: Instance, statement: Formula, holds: Witness, fails: Witness) -> str:
    """Return why a statement is unknown: two situations that the premises allow, one with it and one without it."""
    about = {variable.name for variable in statement.variables}
    differ = [name for name in instance.variables if name in about and holds[name] != fails[name]][:MOST_SHOWN]
    yes, no = (listed([_value(instance, name, witness[name]) for name in differ]) for witness in (holds, fails))
    return f"The premises allow both: it holds with {yes}, and fails with {no}."


def _value(instance: Instance, name: str, value: int) -> str:
    entity = instance.slot(name).entity
    attribute = instance.attributes[name.removeprefix(f"{entity}.")]
    return f"{attribute.label} = {attribute.sort.show(value)} for {entity}"
