"""ZebraLogic: houses in a row, in which every value of every attribute has just one; clues in words and as formulas.

The structured form of a puzzle: `size` ("houses*attributes"), `domains` (attribute -> values), `constraints`
(kind, one or two of [attribute, value], a house number for `in` and `notin`, the clue's words) and `solution`
(for each house its number and its value of each attribute, in the order of `domains`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from holdtrue.errors import RecordError
from holdtrue.lab.kit.fields import expect, field, texts
from holdtrue.lab.kit.json_file import read_records
from holdtrue.lab.suites.verge.places import Clue
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
    text: str = ""

    @property
    def theory(self) -> Mapping[str, Formula]:
        """What the clues demand, by their names: C1 is the first one."""
        return {f"C{number}": clue.formula for number, clue in enumerate(self.clues, start=1)}


def load_puzzles(rules: Path, words: Path | None = None) -> list[ZebraPuzzle]:
    """The puzzles of a file of structured clues, with their text from the file `words`, by id.

    Raises `RecordError`, naming file and line, for what cannot be read, and for an id met twice.
    """
    told: dict[str, str] = {}
    for where, value in () if words is None else read_records(words):
        record = expect(value, dict, where)
        told[field(record, "id", str, where)] = field(record, "puzzle", str, where)
    puzzles: dict[str, ZebraPuzzle] = {}
    for where, value in read_records(rules):
        puzzle = read_puzzle(value, where, told)
        if puzzle.id in puzzles:
            raise RecordError(f"{where}: id: the puzzle {puzzle.id!r} is there twice")
        puzzles[puzzle.id] = puzzle
    return list(puzzles.values())


def read_puzzle(value: object, where: str, told: Mapping[str, str] | None = None) -> ZebraPuzzle:
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
    id = field(record, "id", str, where)
    return ZebraPuzzle(
        id=id,
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
        text=(told or {}).get(id, ""),
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
