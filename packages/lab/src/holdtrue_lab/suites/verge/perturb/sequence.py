"""Draw pairs of items about orders: one thing comes before another, or after it."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from string import ascii_uppercase

from holdtrue_claims.fol.syntax import And, Compare, Number, Sentence
from holdtrue_claims.fol.vocabulary import Entity, Function, Vocabulary
from holdtrue_lab.kinds.claims.dialogue import Statement
from holdtrue_lab.kit.words import capitalized, listed
from holdtrue_lab.suites.verge.perturb.pair import Draft, arrange
from holdtrue_lab.suites.verge.places import all_apart, all_within, is_more, place_of

PLACE = "place"
ORDINALS = ("first", "second", "third", "fourth", "fifth")


@dataclass(frozen=True, slots=True)
class Line:
    """Things in an order. `opening` lists them; the others say where one is, or where it is seen from another one."""

    sort: str
    things: tuple[str, ...]
    opening: str
    at: str
    before: str
    after: str
    directly: str


LINES = (
    Line(
        "talk",
        ("the talk on bees", "the talk on glass", "the talk on rivers", "the talk on maps", "the talk on salt"),
        "On one afternoon, {count} talks are given one after the other: {things}.",
        "{Name} is the {ordinal} of the afternoon.",
        "{Name} is given some time before {other}.",
        "{Name} is given some time after {other}.",
        "{Name} comes directly before {other}.",
    ),
    Line(
        "runner",
        ("Amir", "Bela", "Carla", "Dora", "Enzo"),
        "In a race without ties there are {count} runners: {things}.",
        "{Name} finishes {ordinal}.",
        "{Name} finishes ahead of {other}.",
        "{Name} finishes behind {other}.",
        "{Name} finishes immediately ahead of {other}.",
    ),
    Line(
        "task",
        ("painting", "plastering", "wiring", "tiling", "cleaning"),
        "A flat needs {count} jobs, done one at a time: {things}.",
        "{Name} is done {ordinal}.",
        "{Name} is done earlier than {other}.",
        "{Name} is done later than {other}.",
        "{Name} is done right before {other}.",
    ),
    Line(
        "step",
        ("the backup", "the migration", "the restart", "the audit", "the release"),
        "A night's work has {count} steps, one after the other: {things}.",
        "{Name} is the {ordinal} step.",
        "{Name} precedes {other}.",
        "{Name} follows {other}, at once or later.",
        "{Name} is immediately followed by {other}.",
    ),
)
_COUNTS = {4: "four", 5: "five"}


def draw_sequence(rng: Random) -> Draft:
    """Draw a pair in which all places but two are fixed, and one sentence says which of these two comes first."""
    line = rng.choice(LINES)
    order = rng.sample(line.things, rng.choice(tuple(_COUNTS)))
    size = len(order)
    first, second = sorted(rng.sample(range(size), 2))
    named = rng.sample(order, size)
    opening = line.opening.format(count=_COUNTS[size], things=listed(named))
    places = [place_of(PLACE, thing) for thing in named]
    statements = [Statement(opening, And((all_apart(places), all_within(places, size))))]
    statements += [_fixed(rng, line, order, at, {first, second}) for at in range(size) if at not in (first, second)]
    common, place = arrange(statements, rng, after=1)
    one, other = rng.sample((order[first], order[second]), 2)
    says_before, swaps_words = rng.random() < 0.5, rng.random() < 0.5
    # The same in two ways: the names change their places, or the word between them becomes its opposite.
    changed = (one, other, not says_before) if swaps_words else (other, one, says_before)
    asked = rng.choice((first, second))
    options = rng.sample(order, size)
    return Draft(
        Vocabulary(
            tuple(Entity(thing, line.sort) for thing in named),
            functions=(
                Function(
                    PLACE,
                    (line.sort,),
                    1,
                    size,
                    distinct=True,
                    meaning=f"the place of {line.sort} x in the order, from 1 (the first) to {size} (the last)",
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


def _fixed(rng: Random, line: Line, order: list[str], at: int, open_places: set[int]) -> Statement:
    """Return where one thing is: by its place, or by the next thing, where that has a place of its own too."""
    following = at + 1
    # The last of a row of neighbours needs a place of its own, so that they do not only tell of each other.
    if following < len(order) and following not in open_places and rng.random() < 0.5:
        one, other = place_of(PLACE, order[at]), place_of(PLACE, order[following])
        text = line.directly.format(Name=capitalized(order[at]), other=order[following])
        return Statement(text, is_more(other, one, 1))
    return _at(line, order[at], at)


def _at(line: Line, thing: str, at: int) -> Statement:
    text = line.at.format(Name=capitalized(thing), ordinal=ORDINALS[at])
    return Statement(text, Compare("=", place_of(PLACE, thing), Number(at + 1)))


def _compared(line: Line, one: str, other: str, *, before: bool) -> Statement:
    text = (line.before if before else line.after).format(Name=capitalized(one), other=other)
    sentence: Sentence = Compare("<" if before else ">", place_of(PLACE, one), place_of(PLACE, other))
    return Statement(text, sentence)
