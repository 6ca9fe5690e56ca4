"""The subdomain of investigations: one suspect is guilty, clues tell what that one has, and facts who has what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from holdtrue.lab.kit.words import listed
from holdtrue.lab.suites.cross_query.drawing import PEOPLE, draw_people, draw_true, every, untold
from holdtrue.lab.suites.cross_query.subdomain import Draft, Subdomain
from holdtrue.lab.suites.cross_query.underspecified.investigation_domain import INVESTIGATION_DOMAIN
from holdtrue.world.instance import Constraint, Instance

_TRAIT_KNOWN = 0.4
"""So often a premise tells whether a suspect has a trait."""
TRAITS = (
    "a motive", "a key to the safe", "a red car", "a limp", "a motorboat", "a tattoo", "a beard", "an umbrella",
    "a flashlight", "a ladder", "a police record", "a debt", "a camera", "a grey coat", "a large dog",
    "a pair of gloves", "a map of the house", "a twin", "a false passport", "a second phone",
)  # fmt: skip
_SUSPECTS = (
    "The suspects are {suspects}.",
    "The police question {suspects}.",
    "There are {count} suspects in the case: {suspects}.",
    "Somebody broke in, and the suspects are {suspects}.",
)
_ONE_GUILTY = (
    "Exactly one of them is guilty, and all others are innocent.",
    "Exactly one of these suspects did it: the culprit, who is guilty; the rest are innocent.",
    "One of them, and only one, is guilty; the other suspects are innocent.",
)
_TRAITS = (
    "It matters who of them has {traits}; any number of them may.",
    "Each of them may or may not have {traits}.",
    "Any of the suspects may have {traits}, several of these things, or none.",
)


def _draw_setting(rng: Random) -> tuple[Sequence[str], Mapping[str, Any]]:
    return draw_people(rng, 4, 6, PEOPLE), {"traits": rng.sample(TRAITS, rng.randint(3, 4))}


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


def _setting(rng: Random, instance: Instance) -> tuple[str, ...]:
    words = {
        "suspects": listed(instance.entities),
        "count": len(instance.entities),
        "traits": listed(instance.context["traits"], "or"),
    }
    return tuple(rng.choice(lines).format(**words) for lines in (_SUSPECTS, _ONE_GUILTY, _TRAITS))


INVESTIGATION = Subdomain("underspecified", INVESTIGATION_DOMAIN, _draw_setting, _draw, _setting)
