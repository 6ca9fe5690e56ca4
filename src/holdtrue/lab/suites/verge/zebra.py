"""ZebraLogic: houses in a row, in which every value of every attribute has just one; clues in words and as formulas.

The structured form of a puzzle: `size` ("houses*attributes"), `domains` (attribute -> values), `constraints`
(kind, one or two of [attribute, value], a house number for `in` and `notin`, the clue's words) and `solution`
(for each house its number and its value of each attribute, in the order of `domains`).

Of an item, who lives where is asked of one person, whose house the puzzle's solution tells. Person and order of the
options follow from the puzzle's id alone, so that they are always the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from string import ascii_uppercase

from holdtrue.errors import RecordError
from holdtrue.kinds.claims.gold_logic import GoldLogic
from holdtrue.lab.kinds.claims.item import Item
from holdtrue.lab.kit.fields import expect, field, texts
from holdtrue.lab.suites.verge.places import Clue, all_apart, place_of, place_sentence
from holdtrue.logic.fol.syntax import Compare, Number, Sentence
from holdtrue.logic.fol.vocabulary import ANY, Entity, Function, Vocabulary
from holdtrue.logic.formula import AllDifferent, Formula, Variable
from holdtrue.logic.sorts import IntSort

Place = tuple[str, str]
"""An attribute and one of its values."""
_OF_TWO: Mapping[str, Callable[[Variable, Variable], Formula]] = {
    "same": lambda a, b: a.eq(b),
    "left": lambda a, b: a < b,
    "right": lambda a, b: a > b,
    "dleft": lambda a, b: (b - a).eq(1),
    "dright": lambda a, b: (a - b).eq(1),
    "nextto": lambda a, b: abs(a - b).eq(1),
    "gap1": lambda a, b: abs(a - b).eq(2),
    "gap2": lambda a, b: abs(a - b).eq(3),
}
_OF_HOUSE: Mapping[str, Callable[[Variable, int], Formula]] = {
    "in": lambda a, house: a.eq(house),
    "notin": lambda a, house: a.ne(house),
}
DATASET = "zebralogic"
HOUSE = "house"


@dataclass(frozen=True, slots=True)
class ZebraPuzzle:
    """One puzzle: for every attribute and value a variable, the house (from 1, from the left) where that is.

    `laws` say that no two values of an attribute share a house; `clues` have words and a formula each. `solution`
    is the only witness, as the data has it. `text` is the puzzle in words, where it was given.
    """

    id: str
    houses: int
    attributes: Mapping[str, tuple[str, ...]]
    variables: tuple[Variable, ...]
    laws: tuple[Formula, ...]
    clues: tuple[Clue, ...]
    solution: Mapping[str, int]

    @property
    def theory(self) -> Mapping[str, Formula]:
        """The formulas of the clues by name; C1 is the first clue."""
        return {f"C{number}": clue.formula for number, clue in enumerate(self.clues, start=1)}


def read_puzzle(value: object, where: str) -> ZebraPuzzle:
    """The puzzle of one JSON object; raises `RecordError` naming the place."""
    record = expect(value, dict, where)
    attributes = {name: texts(record["domains"], name, where) for name in field(record, "domains", dict, where)}
    sizes = {len(values) for values in attributes.values()}
    if len(sizes) != 1 or 0 in sizes or any(len(set(values)) < len(values) for values in attributes.values()):
        raise RecordError(f"{where}.domains: every attribute needs the same number of different values")
    houses = sizes.pop()
    if (size := field(record, "size", str, where)) != f"{houses}*{len(attributes)}":
        raise RecordError(f"{where}.size: {size!r:.60} is not {houses}*{len(attributes)}, as the domains are")
    sort = IntSort(1, houses)
    variables = {
        (name, value): Variable(f"{name}: {value}", sort) for name, values in attributes.items() for value in values
    }
    return ZebraPuzzle(
        id=field(record, "id", str, where),
        houses=houses,
        attributes=attributes,
        variables=tuple(variables.values()),
        laws=tuple(
            AllDifferent(tuple(variables[name, value] for value in values)) for name, values in attributes.items()
        ),
        clues=tuple(
            _read_clue(clue, houses, variables, f"{where}.constraints[{place}]")
            for place, clue in enumerate(field(record, "constraints", list, where))
        ),
        solution=_read_solution(field(record, "solution", list, where), attributes, variables, f"{where}.solution"),
    )


def _read_clue(value: object, houses: int, variables: Mapping[Place, Variable], where: str) -> Clue:
    parts = expect(value, list, where)
    if len(parts) != 4:
        raise RecordError(f"{where}: kind, place, place or house, and words are needed")
    kind, left, right = expect(parts[0], str, where), _read_place(parts[1], variables, where), parts[2]
    words = expect(parts[3], str, where)
    if kind in _OF_TWO:
        return Clue(words, _OF_TWO[kind](left, _read_place(right, variables, where)))
    if kind in _OF_HOUSE:
        house = expect(right, int, where)
        if not 1 <= house <= houses:
            raise RecordError(f"{where}: there is no house {house}")
        return Clue(words, _OF_HOUSE[kind](left, house))
    raise RecordError(f"{where}: {kind!r:.60} is none of {', '.join((*_OF_TWO, *_OF_HOUSE))}")


def _read_place(value: object, variables: Mapping[Place, Variable], where: str) -> Variable:
    pair = [expect(part, str, where) for part in expect(value, list, where)]
    found = variables.get((pair[0], pair[1])) if len(pair) == 2 else None
    if found is None:
        raise RecordError(f"{where}: {pair!r:.60} is no attribute with one of its values")
    return found


def _read_solution(
    rows: list[object], attributes: Mapping[str, tuple[str, ...]], variables: Mapping[Place, Variable], where: str
) -> Mapping[str, int]:
    solution: dict[str, int] = {}
    for house, value in enumerate(rows, start=1):
        row = [expect(part, str, where) for part in expect(value, list, where)]
        if len(row) != len(attributes) + 1 or row[0] != str(house):
            raise RecordError(f"{where}[{house - 1}]: the house {house} and a value of each attribute are needed")
        for place in zip(attributes, row[1:], strict=True):
            solution[_read_place(list(place), variables, where).name] = house
    if len(solution) != len(variables):
        raise RecordError(f"{where}: not every value has a house")
    return solution


def zebra_item(value: object, where: str) -> Item:
    """The item of one record of structured clues; raises `RecordError` naming the place."""
    puzzle = read_puzzle(value, where)
    names = _names(puzzle)
    told = _told(puzzle, names)
    rng = Random(puzzle.id)
    # The first attribute says who lives there.
    attribute, persons = next(iter(puzzle.attributes.items()))
    asked = rng.randrange(len(persons))
    said = f"{persons[asked]} lives" if attribute == "Name" else f"{attribute} {persons[asked]} is"
    houses = list(range(1, puzzle.houses + 1))
    rng.shuffle(houses)
    variable = puzzle.variables[asked]
    letters = dict(zip(ascii_uppercase, houses, strict=False))
    home = place_of(HOUSE, names[variable.name])
    gold = GoldLogic(
        Vocabulary(
            tuple(Entity(names[variable.name]) for variable in puzzle.variables),
            functions=(
                Function(HOUSE, (ANY,), 1, puzzle.houses, meaning="the number of the house of x, from the left"),
            ),
        ),
        {f"P{number}": sentence for number, (_, sentence) in enumerate(told, start=1) if sentence is not None},
        {letter: Compare("=", home, Number(house)) for letter, house in letters.items()},
    )
    solved = puzzle.solution[variable.name]
    return Item(
        id=puzzle.id,
        context="\n".join(text for text, _ in told),
        question="Which of the following is true?",
        options={letter: f"{said} in house {house}." for letter, house in letters.items()},
        answer=next(letter for letter, house in letters.items() if house == solved),
        sentences=tuple(text for text, _ in told),
        dataset=DATASET,
        gold=gold,
    )


def _names(puzzle: ZebraPuzzle) -> dict[str, str]:
    """What each variable's value is called: by itself, with its attribute where another attribute has it too."""
    places = [(name, value) for name, values in puzzle.attributes.items() for value in values]
    met = Counter(value for _, value in places)
    return {
        variable.name: value if met[value] == 1 else f"{value} ({name})"
        for variable, (name, value) in zip(puzzle.variables, places, strict=True)
    }


def _told(puzzle: ZebraPuzzle, names: dict[str, str]) -> list[tuple[str, Sentence | None]]:
    """The setting and the clues, each in words and as a sentence; the range of the houses is in the vocabulary."""
    homes = {variable: place_of(HOUSE, name) for variable, name in names.items()}
    row = f"There are {puzzle.houses} houses, numbered 1 to {puzzle.houses} from left to right."
    told: list[tuple[str, Sentence | None]] = [(row, None)]
    variables = iter(puzzle.variables)
    for attribute, values in puzzle.attributes.items():
        own = [next(variables).name for _ in values]
        listed = ", ".join(names[variable] for variable in own)
        text = f"Every house has a different {attribute}, one of these: {listed}."
        told.append((text, all_apart(homes[variable] for variable in own)))
    told += [(f"{clue.text.rstrip('.')}.", place_sentence(clue.formula, homes)) for clue in puzzle.clues]
    return told
