"""The subdomain of investigations: one suspect is guilty, clues tell what that one has, and facts who has what.

The suspects are the entities. Each has the attribute `guilty`, and one for each thing in the context's `traits`; all
have the values "no" and "yes".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from holdtrue.logic.formula import And, Formula, exactly
from holdtrue.world.domain import Attribute, Axiom, Domain
from holdtrue.world.instance import Constraint, EntityTerms, Instance
from holdtrue_lab.kit.words import listed
from holdtrue_lab.suites.cross_query.drawing import PEOPLE, draw_people, draw_true, every, lists_of_names, untold
from holdtrue_lab.suites.cross_query.subdomain import Draft, Subdomain
from holdtrue_lab.suites.cross_query.words import Words

_WORDS = Words("investigation")
_TRAIT_KNOWN = 0.4
"""So often a premise tells whether a suspect has a trait."""


def _guilty(suspect: EntityTerms) -> Formula:
    return suspect["guilty"].eq(1)


def _has(suspect: EntityTerms, trait: str) -> Formula:
    return suspect[trait].eq(1)


def _everybody(instance: Instance, rule: Callable[[EntityTerms], Formula]) -> Formula:
    return And(tuple(rule(instance[name]) for name in instance.entities))


def _laws(instance: Instance) -> Sequence[Axiom]:
    guilty = [_guilty(instance[name]) for name in instance.entities]
    return [Axiom("one_guilty", "exactly one of them is guilty", exactly(1, guilty))]


def _draw_setting(rng: Random) -> tuple[Sequence[str], Mapping[str, Any]]:
    return draw_people(rng, 4, 6, PEOPLE), {"traits": rng.sample(_WORDS.names["traits"], rng.randint(3, 4))}


def _draw(rng: Random, instance: Instance) -> Draft:
    suspects, traits = list(instance.entities), instance.context["traits"]
    truth = {name: rng.randint(0, 1) for name in instance.variables}
    culprit = rng.choice(suspects)
    truth |= {instance[who]["guilty"].name: int(who == culprit) for who in suspects}

    def some(count: int, *among: Constraint) -> list[Constraint]:
        return draw_true(rng, instance, truth, among, count)

    clues = [made for type in ("culprit_has", "culprit_lacks") for made in every(instance, type, traits)]
    owned = [made for type in ("has_trait", "lacks_trait") for made in every(instance, type, suspects, traits)]
    judged = [made for type in ("is_guilty", "is_innocent") for made in every(instance, type, suspects)]
    pairs = [made for type in ("one_of", "neither_of") for made in every(instance, type, suspects, suspects)]
    premises = some(rng.randint(2, 3), *clues)
    premises += some(rng.randint(0, 1), *every(instance, "only_culprit_has", traits))
    premises += some(round(_TRAIT_KNOWN * len(suspects) * len(traits)), *owned)
    premises += some(rng.randint(0, 1), *every(instance, "is_innocent", suspects))
    premises += some(rng.randint(0, 1), *every(instance, "one_of", suspects, suspects))
    premises += some(rng.randint(0, 2), *every(instance, "same_trait", suspects, suspects, traits))
    rng.shuffle(premises)
    asked = [*judged, *clues, *rng.sample(owned, len(owned) // 2), *rng.sample(pairs, len(pairs) // 2)]
    return Draft(instance, tuple(premises), untold(rng, instance, premises, asked))


def _setting(rng: Random, instance: Instance) -> Sequence[str]:
    return _WORDS.tell(
        rng,
        suspects=listed(instance.entities),
        count=len(instance.entities),
        traits=listed(instance.context["traits"], "or"),
    )


INVESTIGATION = Subdomain(
    "underspecified",
    Domain(
        name="investigation",
        context=lambda entities, given: lists_of_names("investigation", given, "traits"),
        attributes=lambda context: [Attribute(name, values=("no", "yes")) for name in ("guilty", *context["traits"])],
        axioms=_laws,
        constraint_types=_WORDS.kinds(
            {
                "culprit_has": lambda w, trait: _everybody(w, lambda who: _guilty(who).implies(_has(who, trait))),
                "culprit_lacks": lambda w, trait: _everybody(w, lambda who: _guilty(who).implies(~_has(who, trait))),
                "only_culprit_has": lambda w, trait: _everybody(w, lambda who: _has(who, trait).implies(_guilty(who))),
                "is_guilty": lambda w, who: _guilty(who),
                "one_of": lambda w, a, b: _guilty(a) | _guilty(b),
                "neither_of": lambda w, a, b: ~_guilty(a) & ~_guilty(b),
                "has_trait": lambda w, who, trait: _has(who, trait),
                "same_trait": lambda w, a, b, trait: _has(a, trait).iff(_has(b, trait)),
            }
        ),
    ),
    _draw_setting,
    _draw,
    _setting,
)
