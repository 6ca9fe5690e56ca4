"""ZebraLogic as items: who lives where is asked of one person, whose house the puzzle's solution tells.

Person and order of the options follow from the puzzle's id alone, so that they are always the same.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from string import ascii_uppercase

from holdtrue.kinds.claims.gold_logic import GoldLogic
from holdtrue.lab.kinds.claims.item import Item
from holdtrue.lab.suites.verge.places import all_apart, place_of, place_sentence
from holdtrue.lab.suites.verge.zebra import ZebraPuzzle, read_puzzle
from holdtrue.logic.fol.syntax import Compare, Number, Sentence
from holdtrue.logic.fol.vocabulary import ANY, Entity, Function, Vocabulary

DATASET = "zebralogic"
HOUSE = "house"


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
