"""This module draws pairs of items that differ in one sentence; `drawing.toml` has their words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from string import ascii_uppercase
from typing import Any

from holdtrue_claims.fol.syntax import (
    And,
    Apply,
    Bound,
    Compare,
    Constant,
    Holds,
    Iff,
    Implies,
    Not,
    Number,
    Or,
    Quantified,
    Sentence,
)
from holdtrue_claims.fol.vocabulary import Entity, Function, Predicate, Vocabulary
from holdtrue_lab.kinds.claims.dialogue import Statement
from holdtrue_lab.kinds.claims.item import TRUTH_QUESTION
from holdtrue_lab.kit.words import capitalized, listed, words_beside
from holdtrue_lab.suites.verge.gold_logic import all_apart, all_within, is_more, place_of

WORDS: Mapping[str, Mapping[str, Any]] = words_beside(__file__)
PEOPLE = ("Alma", "Boris", "Chidi", "Dana", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Keiko", "Luca")
Words = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Trait:
    """A `Trait` is a predicate with its wordings, such as "carries a badge" and "does not carry a badge"."""

    name: str
    says: str
    denies: str

    @property
    def of_x(self) -> Holds:
        return Holds(self.name, (Bound("x"),))

    def tell(self, who: str, *, holds: bool) -> Statement:
        """Return the statement that somebody has the trait, or lacks it."""
        of_them = Holds(self.name, (Constant(who),))
        text = f"{capitalized(who)} {self.says if holds else self.denies}."
        return Statement(text, of_them if holds else Not(of_them))

    def predicate(self, sort: str) -> Predicate:
        """Return the trait as a predicate of things of this sort."""
        return Predicate(self.name, (sort,), f"x {self.says}")


def for_all(body: Sentence, sort: str | None = None) -> Sentence:
    """Return the sentence that `body` holds for every x, or for every x of the sort."""
    return Quantified("forall", "x", body) if sort is None else Quantified("forall", "x", body, sort)


@dataclass(frozen=True, slots=True)
class Draft:
    """A `Draft` is a pair of items whose answers are not proved yet.

    Both items have the sentences `common` in order. At the index `place`, one has `original` and the other `changed`.
    `asked` is a statement to judge, or a mapping of letters to options.
    """

    vocabulary: Vocabulary
    common: tuple[Statement, ...]
    place: int
    original: Statement
    changed: Statement
    asked: Statement | Mapping[str, Statement]
    question: str = TRUTH_QUESTION


def arrange(statements: Sequence[Statement], rng: Random, *, after: int = 0) -> tuple[tuple[Statement, ...], int]:
    """Return the sentences, shuffled except the first `after`, and a random index for one more sentence after these."""
    first, others = statements[:after], list(statements[after:])
    rng.shuffle(others)
    return (*first, *others), after + rng.randint(0, len(others))


def _of_people(one: str, two: str, traits: Sequence[Trait]) -> Vocabulary:
    people = (Entity(one, "person"), Entity(two, "person"))
    return Vocabulary(people, tuple(trait.predicate("person") for trait in traits))


def draw_exclusion(rng: Random) -> Draft:
    """Draw a pair about three groups. Somebody is in the first group, which excludes the second; the third is left."""
    words = WORDS["exclusion"]
    has, excluded, left, aside = groups = [Trait(*group) for group in rng.sample(rng.choice(words["groups"]), 4)]
    one, two = rng.sample(PEOPLE, 2)
    statements = [
        has.tell(one, holds=True),
        _tell(rng.choice(words["either"]), excluded, left, Or((excluded.of_x, left.of_x))),
        aside.tell(two, holds=True),
        # If the second person were in both groups, no group would be left, and the context would be inconsistent.
        has.tell(two, holds=False),
        _apart(rng.randrange(len(words["apart"])), aside, left),
    ]
    common, place = arrange(statements, rng)
    wording = rng.randrange(len(words["apart"]))
    apart = _apart(wording, has, excluded)
    # In the other item, the exclusion is reversed, or concerns another group. Either item may be the original.
    together = _tell(words["together"][wording], has, excluded, Implies(has.of_x, excluded.of_x))
    changed = rng.choice((together, _apart(wording, has, left)))
    first, second = rng.sample((apart, changed), 2)
    asked, holds = rng.choice((excluded, left)), rng.random() < 0.5
    return Draft(_of_people(one, two, groups), common, place, first, second, asked.tell(one, holds=holds))


def _apart(wording: int, one: Trait, other: Trait) -> Statement:
    return _tell(WORDS["exclusion"]["apart"][wording], one, other, Not(And((one.of_x, other.of_x))))


def _tell(wording: str, one: Trait, other: Trait, body: Sentence) -> Statement:
    """Return the statement that `body` holds for everybody, in these words."""
    return Statement(
        wording.format(one=one.says, other=other.says, not_one=one.denies, not_other=other.denies), for_all(body)
    )


@dataclass(frozen=True, slots=True)
class Permission:
    """A `Permission` is a predicate for a permitted act, such as "enter the archive" or "entering the archive"."""

    name: str
    do: str
    doing: str

    @property
    def trait(self) -> Trait:
        return Trait(self.name, f"may {self.do}", f"may not {self.do}")


def draw_inversion(rng: Random) -> Draft:
    """Draw a pair with rules that lead from a status to an attribute, and from the attribute to a permission."""
    words = WORDS["inversion"]
    policy = rng.choice(words["policies"])
    start, middle, aside = traits = [Trait(*trait) for trait in policy["traits"]]
    permissions = [Permission(*act) for act in policy["permissions"]]
    asked, other = rng.sample(permissions, 2)
    one, two = rng.sample(PEOPLE, 2)
    leads = rng.choice(words["leads"]).format(one=start.says, other=middle.says)
    statements = [
        Statement(leads, for_all(Implies(start.of_x, middle.of_x))),
        start.tell(one, holds=True),
        _ruling(rng.randrange(len(words["permitted"])), aside, other, permitted=rng.random() < 0.5),
        aside.tell(two, holds=rng.random() < 0.5),
        middle.tell(two, holds=rng.random() < 0.5),
    ]
    common, place = arrange(statements, rng)
    wording, permitted = rng.randrange(len(words["permitted"])), rng.random() < 0.5
    return Draft(
        _of_people(one, two, [*traits, *(act.trait for act in permissions)]),
        common,
        place,
        _ruling(wording, middle, asked, permitted=permitted),
        _ruling(wording, middle, asked, permitted=not permitted),
        asked.trait.tell(one, holds=rng.random() < 0.5),
    )


def _ruling(wording: int, trait: Trait, act: Permission, *, permitted: bool) -> Statement:
    text = WORDS["inversion"]["permitted" if permitted else "forbidden"][wording]
    may = act.trait.of_x
    return Statement(
        text.format(says=trait.says, do=act.do, Doing=capitalized(act.doing)),
        for_all(Implies(trait.of_x, may if permitted else Not(may))),
    )


PLACE = "place"
_COUNTS = {4: "four", 5: "five"}


def draw_sequence(rng: Random) -> Draft:
    """Draw a pair in which all places but two are fixed. One sentence says which of these two things comes first."""
    line = rng.choice(WORDS["sequence"]["lines"])
    order = rng.sample(line["things"], rng.choice(tuple(_COUNTS)))
    size = len(order)
    first, second = sorted(rng.sample(range(size), 2))
    named = rng.sample(order, size)
    opening = line["opening"].format(count=_COUNTS[size], things=listed(named))
    places = [place_of(PLACE, thing) for thing in named]
    statements = [Statement(opening, And((all_apart(places), all_within(places, size))))]
    statements += [_fixed(rng, line, order, at, {first, second}) for at in range(size) if at not in (first, second)]
    common, place = arrange(statements, rng, after=1)
    one, other = rng.sample((order[first], order[second]), 2)
    says_before, swaps_words = rng.random() < 0.5, rng.random() < 0.5
    # To reverse the order, swap the names, or use the opposite word between them.
    changed = (one, other, not says_before) if swaps_words else (other, one, says_before)
    asked = rng.choice((first, second))
    options = rng.sample(order, size)
    return Draft(
        Vocabulary(
            tuple(Entity(thing, line["sort"]) for thing in named),
            functions=(
                Function(
                    PLACE,
                    (line["sort"],),
                    1,
                    size,
                    distinct=True,
                    meaning=f"the place of {line['sort']} x in the order, from 1 (the first) to {size} (the last)",
                ),
            ),
        ),
        common,
        place,
        _compared(line, one, other, before=says_before),
        _compared(line, *changed[:2], before=changed[2]),
        {letter: _at(line, thing, asked) for letter, thing in zip(ascii_uppercase, options, strict=False)},
        "Which of the following is true?",
    )


def _fixed(rng: Random, line: Words, order: list[str], at: int, open_places: set[int]) -> Statement:
    """Return a statement that fixes the place of one thing, directly or by the next thing if that has a fixed place."""
    following = at + 1
    # The last thing in a chain of neighbours gets a stated place, which fixes the whole chain.
    if following < len(order) and following not in open_places and rng.random() < 0.5:
        one, other = place_of(PLACE, order[at]), place_of(PLACE, order[following])
        text = line["directly"].format(Name=capitalized(order[at]), other=order[following])
        return Statement(text, is_more(other, one, 1))
    return _at(line, order[at], at)


def _at(line: Words, thing: str, at: int) -> Statement:
    text = line["at"].format(Name=capitalized(thing), ordinal=WORDS["sequence"]["ordinals"][at])
    return Statement(text, Compare("=", place_of(PLACE, thing), Number(at + 1)))


def _compared(line: Words, one: str, other: str, *, before: bool) -> Statement:
    text = (line["before"] if before else line["after"]).format(Name=capitalized(one), other=other)
    sentence: Sentence = Compare("<" if before else ">", place_of(PLACE, one), place_of(PLACE, other))
    return Statement(text, sentence)


_NEAR = (1, 6)
"""The least and the greatest distance of numbers from a threshold."""


def draw_threshold(rng: Random) -> Draft:
    """Draw a pair with two thresholds around a number; the number is stated as a difference from a known number."""
    scale = rng.choice(WORDS["threshold"]["scales"])
    (low, high), then = scale["numbers"], Trait(*scale["then"])
    known, asked, other = rng.sample(scale["names"], 3)
    value = rng.randint(low + _NEAR[1], high - _NEAR[1])
    difference = rng.randint(1, value - low)
    strict, wording = rng.random() < 0.5, rng.randrange(len(WORDS["threshold"]["rules"]))
    below, above = value - rng.randint(*_NEAR), value + rng.randint(*_NEAR)
    first, second = rng.sample((below, above), 2)
    facts = [
        _fact(scale, known, value - difference),
        Statement(
            scale["difference"].format(Name=capitalized(asked), number=difference, other=known),
            is_more(place_of(scale["function"], asked), place_of(scale["function"], known), difference),
        ),
        _fact(scale, other, above),
    ]
    common, place = arrange(facts, rng)
    return Draft(
        Vocabulary(
            tuple(Entity(name, scale["sort"]) for name in scale["names"]),
            (then.predicate(scale["sort"]),),
            (Function(scale["function"], (scale["sort"],), 0, high + _NEAR[1], meaning=scale["meaning"]),),
        ),
        common,
        place,
        _rule(scale, first, wording, strict=strict),
        _rule(scale, second, wording, strict=strict),
        then.tell(asked, holds=rng.random() < 0.5),
    )


def _rule(scale: Words, number: int, wording: int, *, strict: bool) -> Statement:
    condition = (scale["more"] if strict else scale["least"]).format(number=number)
    a, then = "an" if scale["sort"][0] in "aeiou" else "a", Trait(*scale["then"])
    text = WORDS["threshold"]["rules"][wording].format(
        A=capitalized(a), a=a, sort=scale["sort"], says=then.says, denies=then.denies, condition=condition
    )
    reached = Compare(">" if strict else ">=", Apply(scale["function"], (Bound("x"),)), Number(number))
    return Statement(text, for_all(Iff(then.of_x, reached), scale["sort"]))


def _fact(scale: Words, name: str, number: int) -> Statement:
    text = scale["fact"].format(Name=capitalized(name), number=number)
    return Statement(text, Compare("=", place_of(scale["function"], name), Number(number)))
