"""This module builds a case from drafts. It chooses queries with the wanted labels, and words premises and queries.

A draft has premises and candidate statements. A solver labels the candidates. Drafts are drawn until a draft has
consistent premises, and candidates with the wanted labels. A text explains the label of each query. A *bundle* is the
list of a case's queries.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from holdtrue.budget import UNLIMITED
from holdtrue.errors import SettingsError
from holdtrue.kinds.labels.case import Case, Premise, Query
from holdtrue.logic.formula import Formula
from holdtrue.record import Label
from holdtrue.solving.engine import Engine
from holdtrue.solving.explain.classification import classify
from holdtrue.solving.result import Entailed, Independent, Refuted, Satisfiable, Witness
from holdtrue.solving.route import make_engine
from holdtrue.world.instance import Constraint, Instance
from holdtrue_lab.kit.constraints import sharing
from holdtrue_lab.kit.plan import deal
from holdtrue_lab.kit.words import listed
from holdtrue_lab.suites.cross_query import NAME
from holdtrue_lab.suites.cross_query.card import is_balanced
from holdtrue_lab.suites.cross_query.conflicts import Literal, Places, interacting, literals
from holdtrue_lab.suites.cross_query.subdomain import Draft, Subdomain


@dataclass(frozen=True, slots=True)
class Statement:
    """A `Statement` is a candidate with its label.

    If the label is UNKNOWN, the statement is true in the witness `holds`, and false in the witness `fails`.
    """

    constraint: Constraint
    formula: Formula
    label: Label
    holds: Witness | None = None
    fails: Witness | None = None


@dataclass(frozen=True, slots=True)
class LabelledDraft:
    """A `LabelledDraft` is a draft with consistent premises, the sentences of its setting, and its labelled statements.

    `premises` are named by numbers, which continue those of the setting's sentences. All `statements` have different
    canonical forms, which also differ from those of premises.
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
    """Draw and label a draft. Return None if its premises are inconsistent, or a premise is repeated."""
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
"""The largest number of values of a situation that an explanation shows."""


def because(label: Label, conflict: Sequence[int], texts: Sequence[str]) -> str:
    """Return the reason why a statement has to hold or cannot hold: the deciding premises, by number and in words.

    Numbers count from 1.
    """
    quoted = [f"{place} ({texts[place - 1].rstrip('.')})" for place in conflict]
    premises = f"premise{'' if len(quoted) == 1 else 's'} {listed(quoted)}"
    return f"It follows from {premises}." if label is Label.ENTAILED else f"It clashes with {premises}."


def either_way(instance: Instance, statement: Formula, holds: Witness, fails: Witness) -> str:
    """Return the reason why a statement is unknown: the premises allow a situation with it and another without it."""
    about = {variable.name for variable in statement.variables}
    differ = [name for name in instance.variables if name in about and holds[name] != fails[name]][:MOST_SHOWN]
    yes, no = (listed([_value(instance, name, witness[name]) for name in differ]) for witness in (holds, fails))
    return f"The premises allow both: it holds with {yes}, and fails with {no}."


def _value(instance: Instance, name: str, value: int) -> str:
    entity = instance.slot(name).entity
    attribute = instance.attributes[name.removeprefix(f"{entity}.")]
    return f"{attribute.label} = {attribute.sort.show(value)} for {entity}"


PATIENCE = 25
"""The number of drafts that are tried for exactly the wanted labels. After that, other labels are accepted too."""
PICKS = 3
"""The number of bundles that are picked from a draft; the one whose queries interact most is used."""
_DRAFTS = 100
_WORDINGS = 12


def build_case(rng: Random, subdomain: Subdomain, label_counts: Mapping[Label, int], id: str) -> Case:
    """Return a case whose labels have these numbers, or numbers as close to them as the subdomain allows.

    No two queries have the same words or the same canonical constraint. No query is a premise or follows from the
    setting alone. The labels are balanced (`card.is_balanced`). Raises `SettingsError` if no draft allows this.
    """
    for attempt in range(_DRAFTS):
        labelled = draw_labelled(rng, subdomain)
        if labelled is None:
            continue
        mix = label_counts if attempt < PATIENCE else _within(label_counts, labelled.supply)
        if all(labelled.supply[label] >= count for label, count in mix.items()) and is_balanced(
            list(Counter(mix).elements())
        ):
            chosen = _pick(rng, labelled, mix)
            if chosen is not None:
                return _tell(rng, subdomain, labelled, chosen, id)
    mix_words = ", ".join(f"{count} {label.value}" for label, count in label_counts.items())
    raise SettingsError(f"{subdomain.name}: none of {_DRAFTS} drafts gives a bundle like {mix_words}")


@dataclass(frozen=True, slots=True)
class _Chosen:
    """A `_Chosen` is a chosen statement with its literals; `conflict` has the numbers of the deciding premises."""

    statement: Statement
    literals: tuple[Literal, Literal]
    conflict: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Bundle:
    """A `_Bundle` holds statements in the order of their queries; `interacts_with` has the interacting earlier ones."""

    queries: tuple[_Chosen, ...]
    interacts_with: tuple[Places, ...]

    @property
    def interactions(self) -> int:
        return sum(map(len, self.interacts_with))


def _within(label_counts: Mapping[Label, int], supply: Mapping[Label, int]) -> dict[Label, int]:
    """Return the wanted numbers of labels, limited by the supply; labels with the largest surplus fill the rest."""
    mix = {label: min(count, supply[label]) for label, count in label_counts.items()}
    while sum(mix.values()) < sum(label_counts.values()):
        most = max(mix, key=lambda label: supply[label] - mix[label])
        mix[most] += 1
    return mix


def _pick(rng: Random, labelled: LabelledDraft, mix: Mapping[Label, int]) -> _Bundle | None:
    """Return a bundle with the labels of `mix`, or None if too few statements can be queries."""
    fit: dict[Constraint, _Chosen | None] = {}
    best: _Bundle | None = None
    for _ in range(PICKS):
        chosen = _choose(rng, labelled, mix, fit)
        if chosen is None:
            return None
        rng.shuffle(chosen)
        places = interacting(labelled.engine, labelled.premises, [own.literals for own in chosen])
        bundle = _Bundle(tuple(chosen), tuple(places))
        if best is None or bundle.interactions > best.interactions:
            best = bundle
    return best


def _choose(
    rng: Random, labelled: LabelledDraft, mix: Mapping[Label, int], fit: dict[Constraint, _Chosen | None]
) -> list[_Chosen] | None:
    """Return so many statements of each label as `mix` says, of many types; `fit` caches the results of `_fit`."""
    chosen: list[_Chosen] = []
    for label, count in mix.items():
        found: list[_Chosen] = []
        for statement in _mixed(rng, [own for own in labelled.statements if own.label is label]):
            if len(found) == count:
                break
            if statement.constraint not in fit:
                fit[statement.constraint] = _fit(labelled, statement)
            made = fit[statement.constraint]
            if made is not None:
                found.append(made)
        if len(found) < count:
            return None
        chosen += found
    return chosen


def _mixed(rng: Random, statements: Sequence[Statement]) -> tuple[Statement, ...]:
    return deal(rng.sample(statements, len(statements)), key=lambda own: own.constraint.type)


def _fit(labelled: LabelledDraft, statement: Statement) -> _Chosen | None:
    """Return the statement with its literals, or None if the setting alone decides it or it has too many conflicts."""
    both = literals(labelled.engine, labelled.premises, statement.formula, statement.label)
    if both is None:
        return None
    conflict = tuple(int(name[1:]) for name in both[1].conflict)
    return _Chosen(statement, both, conflict) if conflict or statement.label is Label.UNKNOWN else None


def _tell(rng: Random, subdomain: Subdomain, labelled: LabelledDraft, bundle: _Bundle, id: str) -> Case:
    draft, instance = labelled.draft, labelled.draft.instance
    premises = [Premise(text, setting=True) for text in labelled.setting]
    premises += [Premise(subdomain.say(rng, made), instance.formula(made), made) for made in draft.premises]
    return Case(
        id=id,
        suite=NAME,
        domain=subdomain.domain,
        subdomain=subdomain.name,
        logic_type=subdomain.logic_type,
        entities=instance.entities,
        variables=tuple(instance.variables.values()),
        laws=instance.background,
        premises=tuple(premises),
        queries=_ask(rng, subdomain, instance, bundle, [premise.text for premise in premises]),
        instance=instance,
    )


def _ask(
    rng: Random, subdomain: Subdomain, instance: Instance, bundle: _Bundle, premise_texts: Sequence[str]
) -> tuple[Query, ...]:
    shared = sharing(instance, [own.statement.constraint for own in bundle.queries])
    queries: list[Query] = []
    used = set(premise_texts)
    for place, own in enumerate(bundle.queries):
        statement = own.statement
        text = _say(rng, subdomain, statement.constraint, used)
        used.add(text)
        queries.append(
            Query(
                id=f"q{place}",
                text=text,
                label=statement.label,
                type=subdomain.query_types[statement.constraint.type],
                formula=statement.formula,
                constraint=statement.constraint,
                reasoning=_reasoning(instance, own, premise_texts),
                depends_on=shared[place],
                interacts_with=bundle.interacts_with[place],
            )
        )
    return tuple(queries)


def _say(rng: Random, subdomain: Subdomain, constraint: Constraint, used: set[str]) -> str:
    for _ in range(_WORDINGS):
        text = subdomain.say(rng, constraint)
        if text not in used:
            return text
    raise SettingsError(f"{subdomain.name}: {constraint.type} {constraint.args} cannot be told from another statement")


def _reasoning(instance: Instance, own: _Chosen, premise_texts: Sequence[str]) -> str:
    statement = own.statement
    if statement.holds is None or statement.fails is None:
        return because(statement.label, own.conflict, premise_texts)
    return either_way(instance, statement.formula, statement.holds, statement.fails)
