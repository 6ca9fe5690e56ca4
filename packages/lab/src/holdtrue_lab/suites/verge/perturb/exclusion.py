"""Draw pairs of items about groups: whoever is in one group is not in another, or is in it as well."""

from __future__ import annotations

from random import Random

from holdtrue_claims.fol.syntax import And, Implies, Not, Or, Sentence
from holdtrue_claims.fol.vocabulary import Entity, Vocabulary
from holdtrue_lab.kinds.claims.dialogue import Statement
from holdtrue_lab.suites.verge.perturb.pair import PEOPLE, Draft, Trait, arrange, for_all

GROUPS: tuple[tuple[Trait, ...], ...] = (
    (
        Trait("Choir", "sings in the choir", "does not sing in the choir"),
        Trait("Orchestra", "plays in the orchestra", "does not play in the orchestra"),
        Trait("Stage", "builds the stage", "does not build the stage"),
        Trait("Posters", "paints the posters", "does not paint the posters"),
    ),
    (
        Trait("Spanish", "takes the Spanish course", "does not take the Spanish course"),
        Trait("Pottery", "takes the pottery course", "does not take the pottery course"),
        Trait("Fencing", "takes the fencing course", "does not take the fencing course"),
        Trait("Chess", "takes the chess course", "does not take the chess course"),
    ),
    (
        Trait("Finance", "sits on the finance committee", "does not sit on the finance committee"),
        Trait("Audit", "sits on the audit committee", "does not sit on the audit committee"),
        Trait("Events", "sits on the events committee", "does not sit on the events committee"),
        Trait("Housing", "sits on the housing committee", "does not sit on the housing committee"),
    ),
    (
        Trait("Kitchen", "works in the kitchen", "does not work in the kitchen"),
        Trait("Bar", "works at the bar", "does not work at the bar"),
        Trait("Door", "works at the door", "does not work at the door"),
        Trait("Office", "works in the office", "does not work in the office"),
    ),
)
APART = (
    "Nobody who {one} also {other}.",
    "Whoever {one} {not_other}.",
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
    "Whoever {not_one} {other}.",
)


def draw_exclusion(rng: Random) -> Draft:
    """Draw a pair in which somebody is in a group that excludes a second one, so that only a third is left."""
    has, excluded, left, aside = groups = rng.sample(rng.choice(GROUPS), 4)
    one, two = rng.sample(PEOPLE, 2)
    statements = [
        has.tell(one, holds=True),
        _tell(rng.choice(EITHER), excluded, left, Or((excluded.of_x, left.of_x))),
        aside.tell(two, holds=True),
        # With both groups nothing would be left for the second person, and the context would clash.
        has.tell(two, holds=False),
        _apart(rng.randrange(len(APART)), aside, left),
    ]
    common, place = arrange(statements, rng)
    wording = rng.randrange(len(APART))
    apart = _apart(wording, has, excluded)
    # The exclusion is the opposite in the other item, or it is of another group there; either may come first.
    together = _tell(TOGETHER[wording], has, excluded, Implies(has.of_x, excluded.of_x))
    changed = rng.choice((together, _apart(wording, has, left)))
    first, second = rng.sample((apart, changed), 2)
    asked, holds = rng.choice((excluded, left)), rng.random() < 0.5
    people = (Entity(one, "person"), Entity(two, "person"))
    vocabulary = Vocabulary(people, tuple(group.predicate("person") for group in groups))
    return Draft(vocabulary, common, place, first, second, asked.tell(one, holds=holds))


def _apart(wording: int, one: Trait, other: Trait) -> Statement:
    return _tell(APART[wording], one, other, Not(And((one.of_x, other.of_x))))


def _tell(wording: str, one: Trait, other: Trait, body: Sentence) -> Statement:
    """Return the statement that `body` holds of everybody, in these words."""
    return Statement(
        wording.format(one=one.says, other=other.says, not_one=one.denies, not_other=other.denies), for_all(body)
    )
