"""Draw pairs of items about policies: something that is permitted is forbidden instead."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from holdtrue.lab.kit.words import capitalized
from holdtrue.lab.suites.verge.perturb.pair import PEOPLE, Draft, Told, arrange
from holdtrue.logic.fol.syntax import Bound, Constant, Holds, Implies, Not, Quantified, Sentence
from holdtrue.logic.fol.vocabulary import Entity, Predicate, Vocabulary


@dataclass(frozen=True, slots=True)
class Trait:
    """A predicate and how it is said and denied of somebody: "carries a badge", "does not carry a badge"."""

    name: str
    says: str
    denies: str


@dataclass(frozen=True, slots=True)
class Permission:
    """A predicate of what somebody may do: "enter the archive", "entering the archive"."""

    name: str
    do: str
    doing: str


@dataclass(frozen=True, slots=True)
class Policy:
    """Traits in an order in which rules lead from one to the next, and two permissions."""

    traits: tuple[Trait, Trait, Trait]
    permissions: tuple[Permission, Permission]


POLICIES = (
    Policy(
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
    Policy(
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
    Policy(
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
    Policy(
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
    policy = rng.choice(POLICIES)
    start, middle, aside = policy.traits
    asked, other = rng.sample(policy.permissions, 2)
    one, two = rng.sample(PEOPLE, 2)
    told = [
        Told(
            rng.choice(LEADS).format(one=start.says, other=middle.says), _rule(start, Holds(middle.name, (Bound("x"),)))
        ),
        Told(f"{one} {start.says}.", _of(start.name, one)),
        _ruling(rng.randrange(len(PERMITTED)), aside, other, permitted=rng.random() < 0.5),
        _fact(rng, aside, two),
        _fact(rng, middle, two),
    ]
    common, place = arrange(told, rng)
    wording, permitted = rng.randrange(len(PERMITTED)), rng.random() < 0.5
    asks_may = rng.random() < 0.5
    may = _of(asked.name, one)
    vocabulary = Vocabulary(
        (Entity(one, "person"), Entity(two, "person")),
        (
            *(Predicate(trait.name, ("person",), f"x {trait.says}") for trait in policy.traits),
            *(Predicate(act.name, ("person",), f"x may {act.do}") for act in policy.permissions),
        ),
    )
    return Draft(
        vocabulary,
        common,
        place,
        _ruling(wording, middle, asked, permitted=permitted),
        _ruling(wording, middle, asked, permitted=not permitted),
        Told(f"{one} may {asked.do}.", may) if asks_may else Told(f"{one} may not {asked.do}.", Not(may)),
    )


def _ruling(wording: int, trait: Trait, act: Permission, *, permitted: bool) -> Told:
    text = (PERMITTED if permitted else FORBIDDEN)[wording]
    may = Holds(act.name, (Bound("x"),))
    return Told(
        text.format(says=trait.says, do=act.do, Doing=capitalized(act.doing)),
        _rule(trait, may if permitted else Not(may)),
    )


def _rule(trait: Trait, then: Sentence) -> Sentence:
    return Quantified("forall", "x", Implies(Holds(trait.name, (Bound("x"),)), then))


def _fact(rng: Random, trait: Trait, person: str) -> Told:
    holds = _of(trait.name, person)
    return (
        Told(f"{person} {trait.says}.", holds) if rng.random() < 0.5 else Told(f"{person} {trait.denies}.", Not(holds))
    )


def _of(predicate: str, person: str) -> Holds:
    return Holds(predicate, (Constant(person),))
