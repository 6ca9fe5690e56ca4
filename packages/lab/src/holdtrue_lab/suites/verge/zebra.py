"""This module reads ZebraLogic: puzzles about a row of houses.

Clues determine the value of each attribute for every house.

A puzzle has these fields:

- `size` is "houses*attributes".
- `domains` maps each attribute to its values.
- `constraints` are clues: a kind, a pair [attribute, value], a second pair or a house number, and the clue's words.
- `solution` has, for each house, its number and its value of each attribute, in the order of `domains`.

The item's question asks where one person lives. The puzzle's id determines the person and the order of the options, so
that these are always the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from random import Random
from string import ascii_uppercase
from typing import Any

from holdtrue.errors import RecordError
from holdtrue.fields import expect, field, texts
from holdtrue_claims.fol.conventions import CONVENTIONS
from holdtrue_claims.fol.syntax import Apply, Compare, Number, Sentence
from holdtrue_claims.fol.vocabulary import ANY, Entity, Function, Vocabulary
from holdtrue_claims.kind.gold_logic import GoldLogic
from holdtrue_lab.kinds.claims.item import Item
from holdtrue_lab.suites.verge.gold_logic import all_apart, all_within, is_distant, is_further, place_of

Homes = Mapping[tuple[str, str], Apply]
"""The term for the house (from 1 on the left) with each value of an attribute, by attribute and value."""
_OF_TWO: Mapping[str, Callable[[Apply, Apply], Sentence]] = {
    "same": lambda a, b: Compare("=", a, b),
    "left": lambda a, b: Compare("<", a, b),
    "right": lambda a, b: Compare(">", a, b),
    "dleft": lambda a, b: is_further(b, a, 1),
    "dright": lambda a, b: is_further(a, b, 1),
    "nextto": lambda a, b: is_distant(a, b, 1),
    "gap1": lambda a, b: is_distant(a, b, 2),
    "gap2": lambda a, b: is_distant(a, b, 3),
}
_OF_HOUSE: Mapping[str, Callable[[Apply, Number], Sentence]] = {
    "in": lambda a, house: Compare("=", a, house),
    "notin": lambda a, house: Compare("!=", a, house),
}
DATASET = "zebralogic"
HOUSE = "house"


def zebra_item(value: object, where: str) -> Item:
    """Return the item of one record of structured clues; raises `RecordError` with the place."""
    record = expect(value, dict, where)
    attributes = _read_attributes(record, where)
    attribute, persons = next(iter(attributes.items()))  # the values of the first attribute are the inhabitants
    count = len(persons)
    names = _names(attributes)
    homes = {place: place_of(HOUSE, name) for place, name in names.items()}
    row = f"There are {count} houses, numbered 1 to {count} from left to right."
    clues: list[tuple[str, Sentence]] = [(row, all_within(homes.values(), count))]
    for own, values in attributes.items():
        listed = ", ".join(names[own, each] for each in values)
        text = f"Every house has a different {own}, one of these: {listed}."
        clues.append((text, all_apart(homes[own, each] for each in values)))
    for place, clue in enumerate(field(record, "constraints", list, where)):
        text, sentence = _read_clue(clue, count, homes, f"{where}.constraints[{place}]")
        clues.append((f"{text.rstrip('.')}.", sentence))
    solution = _read_solution(field(record, "solution", list, where), attributes, homes, f"{where}.solution")
    id = field(record, "id", str, where)
    rng = Random(id)
    person = persons[rng.randrange(count)]
    said = f"{person} lives" if attribute == "Name" else f"{attribute} {person} is"
    houses = list(range(1, count + 1))
    rng.shuffle(houses)
    home = homes[attribute, person]
    letters = dict(zip(ascii_uppercase, houses, strict=False))
    meaning = "the number of the house of x, from the left"
    gold = GoldLogic(
        Vocabulary(
            tuple(map(Entity, names.values())),
            functions=(Function(HOUSE, (ANY,), 1, count, meaning=meaning),),
            stated=CONVENTIONS,
        ),
        {f"P{number}": sentence for number, (_, sentence) in enumerate(clues, start=1)},
        {letter: Compare("=", home, Number(house)) for letter, house in letters.items()},
    )
    return Item(
        id=id,
        context="\n".join(text for text, _ in clues),
        question="Which of the following is true?",
        options={letter: f"{said} in house {house}." for letter, house in letters.items()},
        answer=next(letter for letter, house in letters.items() if house == solution[home]),
        sentences=tuple(text for text, _ in clues),
        dataset=DATASET,
        gold=gold,
    )


def _read_attributes(record: Mapping[str, Any], where: str) -> Mapping[str, tuple[str, ...]]:
    """Return the values of each attribute; an attribute has as many values as there are houses."""
    attributes = {name: texts(record["domains"], name, where) for name in field(record, "domains", dict, where)}
    sizes = {len(values) for values in attributes.values()}
    if len(sizes) != 1 or 0 in sizes or any(len(set(values)) < len(values) for values in attributes.values()):
        raise RecordError(f"{where}.domains: every attribute needs the same number of different values")
    needed = f"{sizes.pop()}*{len(attributes)}"
    if (size := field(record, "size", str, where)) != needed:
        raise RecordError(f"{where}.size: {size!r:.60} is not {needed}, as the domains are")
    return attributes


def _names(attributes: Mapping[str, tuple[str, ...]]) -> Mapping[tuple[str, str], str]:
    """Return a unique name for each value. It contains the attribute if another attribute has the same value."""
    met = Counter(value for values in attributes.values() for value in values)
    return {
        (name, value): value if met[value] == 1 else f"{value} ({name})"
        for name, values in attributes.items()
        for value in values
    }


def _read_clue(value: object, houses: int, homes: Homes, where: str) -> tuple[str, Sentence]:
    parts = expect(value, list, where)
    if len(parts) != 4:
        raise RecordError(f"{where}: kind, place, place or house, and words are needed")
    kind, left, right = expect(parts[0], str, where), _read_place(parts[1], homes, where), parts[2]
    words = expect(parts[3], str, where)
    if kind in _OF_TWO:
        return words, _OF_TWO[kind](left, _read_place(right, homes, where))
    if kind in _OF_HOUSE:
        house = expect(right, int, where)
        if not 1 <= house <= houses:
            raise RecordError(f"{where}: there is no house {house}")
        return words, _OF_HOUSE[kind](left, Number(house))
    raise RecordError(f"{where}: {kind!r:.60} is none of {', '.join((*_OF_TWO, *_OF_HOUSE))}")


def _read_place(value: object, homes: Homes, where: str) -> Apply:
    pair = [expect(part, str, where) for part in expect(value, list, where)]
    found = homes.get((pair[0], pair[1])) if len(pair) == 2 else None
    if found is None:
        raise RecordError(f"{where}: {pair!r:.60} is no attribute with one of its values")
    return found


def _read_solution(
    rows: list[object], attributes: Mapping[str, tuple[str, ...]], homes: Homes, where: str
) -> Mapping[Apply, int]:
    solution: dict[Apply, int] = {}
    for house, value in enumerate(rows, start=1):
        row = [expect(part, str, where) for part in expect(value, list, where)]
        if len(row) != len(attributes) + 1 or row[0] != str(house):
            raise RecordError(f"{where}[{house - 1}]: the house {house} and a value of each attribute are needed")
        for place in zip(attributes, row[1:], strict=True):
            solution[_read_place(list(place), homes, where)] = house
    if len(solution) != len(homes):
        raise RecordError(f"{where}: not every value has a house")
    return solution
