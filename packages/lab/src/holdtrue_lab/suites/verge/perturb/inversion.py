"""Draw pairs of items about policies: something that is permitted is forbidden instead."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from holdtrue_claims.fol.syntax import Implies, Not
from holdtrue_claims.fol.vocabulary import Entity, Vocabulary
from holdtrue_lab.kinds.claims.dialogue import Statement
from holdtrue_lab.kit.words import capitalized
from holdtrue_lab.suites.verge.perturb.pair import PEOPLE, Draft, Trait, arrange, for_all


@dataclass(frozen=True, slots=True)
class Permission:
    """A predicate of what somebody may do: "enter the archive", "entering the archive"."""

    name: str
    do: str
    doing: str

    @property
    def trait(self) -> Trait:
        return Trait(self.name, f"may {self.do}", f"may not {self.do}")


POLICIES: tuple[tuple[tuple[Trait, Trait, Trait], tuple[Permission, Permission]], ...] = (
    (
        (
            Trait("Trainee", "is a trainee", "is not a trainee"),
            Trait("Badge", "carries a blue badge", "does not carry a blue badge"),
            Trait("Volunteer", "works as a volunteer", "does not work as a volunteer"),
        ),
        (
            Permission("MayEnterArchive", "enter the archive", "entering the archive"),
            Permission("MayBorrowMaps", "borrow the old maps", "borrowing the old maps"),
        ),
    ),
    (
        (
            Trait("Resident", "lives in the valley", "does not live in the valley"),
            Trait("Licence", "holds a fishing licence", "does not hold a fishing licence"),
            Trait("Boat", "owns a boat", "does not own a boat"),
        ),
        (
            Permission("MayFish", "fish in the upper lake", "fishing in the upper lake"),
            Permission("MayMoor", "moor at the north pier", "mooring at the north pier"),
        ),
    ),
    (
        (
            Trait("Intern", "is an intern", "is not an intern"),
            Trait("Contract", "has a temporary contract", "does not have a temporary contract"),
            Trait("NightShift", "works on the night shift", "does not work on the night shift"),
        ),
        (
            Permission("MayUseRepository", "use the private repository", "using the private repository"),
            Permission("MayTravel", "travel at the firm's expense", "travelling at the firm's expense"),
        ),
    ),
    (
        (
            Trait("Guest", "is a guest of the hotel", "is not a guest of the hotel"),
            Trait("Wristband", "wears a green wristband", "does not wear a green wristband"),
            Trait("Dog", "travels with a dog", "does not travel with a dog"),
        ),
        (
            Permission("MaySwim", "swim after ten o'clock", "swimming after ten o'clock"),
            Permission("MayDine", "dine on the terrace", "dining on the terrace"),
        ),
    ),
)
"""Traits in an order in which rules lead from one to the next, and two permissions."""
LEADS = ("Everyone who {one} {other}.", "Whoever {one} {other}.", "If someone {one}, that person {other}.")
PERMITTED = (
    "Everyone who {says} may {do}.",
    "Whoever {says} may {do}.",
    "If someone {says}, that person may {do}.",
    "{Doing} is permitted to everyone who {says}.",
)
FORBIDDEN = (
    "Nobody who {says} may {do}.",
    "Whoever {says} may not {do}.",
    "If someone {says}, that person may not {do}.",
    "{Doing} is forbidden to everyone who {says}.",
)
"""The opposite of each sentence of `PERMITTED`, in the same order."""


def draw_inversion(rng: Random) -> Draft:
    """Draw a pair in which rules lead from what somebody is, by what they have, to what they may do."""
    traits, permissions = rng.choice(POLICIES)
    start, middle, aside = traits
    asked, other = rng.sample(permissions, 2)
    one, two = rng.sample(PEOPLE, 2)
    leads = rng.choice(LEADS).format(one=start.says, other=middle.says)
    statements = [
        Statement(leads, for_all(Implies(start.of_x, middle.of_x))),
        start.tell(one, holds=True),
        _ruling(rng.randrange(len(PERMITTED)), aside, other, permitted=rng.random() < 0.5),
        aside.tell(two, holds=rng.random() < 0.5),
        middle.tell(two, holds=rng.random() < 0.5),
    ]
    common, place = arrange(statements, rng)
    wording, permitted = rng.randrange(len(PERMITTED)), rng.random() < 0.5
    predicates = (*traits, *(act.trait for act in permissions))
    return Draft(
        Vocabulary(
            (Entity(one, "person"), Entity(two, "person")), tuple(each.predicate("person") for each in predicates)
        ),
        common,
        place,
        _ruling(wording, middle, asked, permitted=permitted),
        _ruling(wording, middle, asked, permitted=not permitted),
        asked.trait.tell(one, holds=rng.random() < 0.5),
    )


def _ruling(wording: int, trait: Trait, act: Permission, *, permitted: bool) -> Statement:
    text = (PERMITTED if permitted else FORBIDDEN)[wording]
    may = act.trait.of_x
    return Statement(
        text.format(says=trait.says, do=act.do, Doing=capitalized(act.doing)),
        for_all(Implies(trait.of_x, may if permitted else Not(may))),
    )
