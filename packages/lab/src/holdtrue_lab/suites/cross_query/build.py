"""Build a case from drafts: choose queries with a wanted mix of labels, and put premises and queries into words.

Drafts are drawn until one has premises that can all hold, and candidates with the labels that are wanted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from holdtrue.errors import SettingsError
from holdtrue.kinds.labels.case import Case, Premise, Query
from holdtrue.record import Label
from holdtrue.world.instance import Constraint, Instance
from holdtrue_lab.kit.constraints import sharing
from holdtrue_lab.kit.plan import deal
from holdtrue_lab.suites.cross_query import NAME
from holdtrue_lab.suites.cross_query.card import is_balanced
from holdtrue_lab.suites.cross_query.conflicts import Literal, Places, interacting, literals
from holdtrue_lab.suites.cross_query.labelled import LabelledDraft, Statement, because, draw_labelled, either_way
from holdtrue_lab.suites.cross_query.subdomain import Subdomain

PATIENCE = 25
"""The number of drafts that are tried for exactly the wanted labels; after them other labels may fill up a draft."""
PICKS = 3
"""The number of bundles that are picked from a draft; the one whose queries interact most is taken."""
_DRAFTS = 100
_WORDINGS = 12


def build_case(rng: Random, subdomain: Subdomain, label_counts: Mapping[Label, int], id: str) -> Case:
    """Return a case with these numbers of labels, or as near to them as the subdomain allows.

    No two queries have the same words or the same canonical constraint, none is a premise, none follows from the
    setting alone, and the labels are balanced (`card.is_balanced`). Raises `SettingsError` where no draft allows that.
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
    """A statement that is asked about, with its literals, and the places (from 1) of the premises that settle it."""

    statement: Statement
    literals: tuple[Literal, Literal]
    conflict: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Bundle:
    """Statements in the order in which they are asked, and the earlier ones with which each interacts."""

    queries: tuple[_Chosen, ...]
    interacts_with: tuple[Places, ...]

    @property
    def interactions(self) -> int:
        return sum(map(len, self.interacts_with))


def _within(label_counts: Mapping[Label, int], supply: Mapping[Label, int]) -> dict[Label, int]:
    """The wanted mix as far as there are statements, filled up from the label with most of them to spare."""
    mix = {label: min(count, supply[label]) for label, count in label_counts.items()}
    while sum(mix.values()) < sum(label_counts.values()):
        most = max(mix, key=lambda label: supply[label] - mix[label])
        mix[most] += 1
    return mix


def _pick(rng: Random, labelled: LabelledDraft, mix: Mapping[Label, int]) -> _Bundle | None:
    """A bundle with these labels; None where too few statements are fit to be asked."""
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
    """So many statements of each label, of as many types as there are; what is found out about them goes into `fit`."""
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
    """In random order, but the types by turns."""
    return deal(rng.sample(statements, len(statements)), key=lambda own: own.constraint.type)


def _fit(labelled: LabelledDraft, statement: Statement) -> _Chosen | None:
    """The statement with its literals; None where the setting alone settles it, or too much speaks against it."""
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
    """The queries in words; `premise_texts` are the premises."""
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
    """The statement in words that were not used before."""
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
