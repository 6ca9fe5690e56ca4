"""Draw pairs of items about groups: whoever is in one group is not in another, or is in it as well."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from holdtrue.lab.suites.verge.perturb.pair import PEOPLE, Draft, Told, arrange
from holdtrue.logic.fol.syntax import And, Bound, Constant, Holds, Implies, Not, Or, Quantified, Sentence
from holdtrue.logic.fol.vocabulary import Entity, Predicate, Vocabulary


@dataclass(frozen=True, slots=True)
class Group:
    """A predicate, and how it is said and denied of somebody."""

    name: str
    says: str
    denies: str


GROUPS: tuple[tuple[Group, ...], ...] = (
    (
        Group("Choir", "sings in the choir", "does not sing in the choir"),
        Group("Orchestra", "plays in the orchestra", "does not play in the orchestra"),
        Group("Stage", "builds the stage", "does not build the stage"),
        Group("Posters", "paints the posters", "does not paint the posters"),
    ),
    (
        Group("Spanish", "takes the Spanish course", "does not take the Spanish course"),
        Group("Pottery", "takes the pottery course", "does not take the pottery course"),
        Group("Fencing", "takes the fencing course", "does not take the fencing course"),
        Group("Chess", "takes the chess course", "does not take the chess course"),
    ),
    (
        Group("Finance", "sits on the finance committee", "does not sit on the finance committee"),
        Group("Audit", "sits on the audit committee", "does not sit on the audit committee"),
        Group("Events", "sits on the events committee", "does not sit on the events committee"),
        Group("Housing", "sits on the housing committee", "does not sit on the housing committee"),
    ),
    (
        Group("Kitchen", "works in the kitchen", "does not work in the kitchen"),
        Group("Bar", "works at the bar", "does not work at the bar"),
        Group("Door", "works at the door", "does not work at the door"),
        Group("Office", "works in the office", "does not work in the office"),
    ),
)
APART = (
    "Nobody who {one} also {other}.",
    "Whoever {one} {denies}.",
    "It is never the case that the same person {one} and {other}.",
)
TOGETHER = (
    "Everyone who {one} also {other}.",
    "Whoever {one} {other} as well.",
    "If a person {one}, the same person {other} too.",
)
EITHER = (
    "Everyone {one} or {other}, or both.",
    "There is nobody who neither {one} nor {other}.",
    "Whoever {denies} {other}.",
)


def draw_exclusion(rng: Random) -> Draft:
    """Draw a pair in which somebody is in a group that excludes a second one, so that only a third is left."""
    has, excluded, left, aside = rng.sample(rng.choice(GROUPS), 4)
    one, two = rng.sample(PEOPLE, 2)
    told = [
        _fact(has, one, holds=True),
        _either(rng.choice(EITHER), excluded, left),
        _fact(aside, two, holds=True),
        # With both groups nothing would be left for the second person, and the context would clash.
        _fact(has, two, holds=False),
        _apart(rng.randrange(len(APART)), aside, left),
    ]
    common, place = arrange(told, rng)
    wording = rng.randrange(len(APART))
    apart = _apart(wording, has, excluded)
    # The exclusion is the opposite in the other item, or it is of another group there; either may come first.
    changed = rng.choice((_together(wording, has, excluded), _apart(wording, has, left)))
    first, second = rng.sample((apart, changed), 2)
    asked, holds = rng.choice((excluded, left)), rng.random() < 0.5
    return Draft(
        Vocabulary(
            (Entity(one, "person"), Entity(two, "person")),
            tuple(Predicate(group.name, ("person",), f"x {group.says}") for group in (has, excluded, left, aside)),
        ),
        common,
        place,
        first,
        second,
        _fact(asked, one, holds=holds),
    )


def _apart(wording: int, one: Group, other: Group) -> Told:
    text = APART[wording].format(one=one.says, other=other.says, denies=other.denies)
    return Told(text, _all(Not(And((_in(one), _in(other))))))


def _either(wording: str, one: Group, other: Group) -> Told:
    text = wording.format(one=one.says, denies=one.denies, other=other.says)
    return Told(text, _all(Or((_in(one), _in(other)))))


def _together(wording: int, one: Group, other: Group) -> Told:
    return Told(TOGETHER[wording].format(one=one.says, other=other.says), _all(Implies(_in(one), _in(other))))


def _fact(group: Group, person: str, *, holds: bool) -> Told:
    within = Holds(group.name, (Constant(person),))
    return Told(f"{person} {group.says}.", within) if holds else Told(f"{person} {group.denies}.", Not(within))


def _in(group: Group) -> Holds:
    return Holds(group.name, (Bound("x"),))


def _all(body: Sentence) -> Sentence:
    return Quantified("forall", "x", body)
