"""Read items of LogicalDeduction (BIG-bench) as formulas: an order of things, told in sentences of a few forms.

Each question asks which option is true. Place 1 is the leftmost, oldest, cheapest or first thing. In an item's gold
logic the function `place` gives the place of each thing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from holdtrue.errors import RecordError
from holdtrue.kinds.claims.gold_logic import GoldLogic
from holdtrue.lab.kinds.claims.item import Item
from holdtrue.lab.suites.verge.places import Clue, all_apart, place_of, place_sentence
from holdtrue.logic import formula as f
from holdtrue.logic.fol.syntax import Sentence
from holdtrue.logic.fol.vocabulary import Entity, Function, Vocabulary
from holdtrue.logic.formula import AllDifferent, Formula, Variable
from holdtrue.logic.sorts import IntSort

_SENTENCE = re.compile(r"[^.]+\.")
_LIST = re.compile(r"[^:]*\b(three|five|seven) \w+: (.+)\.")
_SIZES = {"three": 3, "five": 5, "seven": 7}
_ARTICLE = re.compile(r"^(?:an?|the) ", re.IGNORECASE)
_PLACED = re.compile(r"(.+?) (?:is|are|finished) (?:the )?(.+)\.")
_COMPARED = re.compile(r"(to the (?:left|right) of|(?:older|newer|(?:less|more) expensive) than|above|below) (.+)")
_COMPARISONS: Mapping[str, Callable[[Variable, Variable], Formula]] = {
    words: (lambda a, b: a < b) if low else (lambda a, b: a > b)
    for words, low in (
        ("to the left of", True),
        ("older than", True),
        ("less expensive than", True),
        ("above", True),
        ("to the right of", False),
        ("newer than", False),
        ("more expensive than", False),
        ("below", False),
    )
}
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
_RANKED = re.compile(rf"(?:({'|'.join(_ORDINALS)})(?: from the |-|$))?(.*)")
_LOW_ENDS = ("", "left", "leftmost", "oldest", "cheapest")
_HIGH_ENDS = ("right", "rightmost", "newest", "most expensive", "last", "to-last")
DATASET = "logical_deduction"
PLACE = "place"
_ENDS = {
    "shelf": ("leftmost", "rightmost"),
    "branch": ("leftmost", "rightmost"),
    "fruit stand": ("cheapest", "most expensive"),
    "car show": ("oldest", "newest"),
    "golf tournament": ("first", "last"),
}
"""What has place 1 and the last place, by words of the list's sentence."""


@dataclass(frozen=True, slots=True)
class DeductionRecord:
    """One item as formulas.

    `variables` are the places of the things, from 1, and `laws` say that all are different. `premises` are the
    sentences behind the list of things, each with its formula, and `options` are formulas by letter.
    """

    item: Item
    variables: tuple[Variable, ...]
    laws: tuple[Formula, ...]
    premises: tuple[Clue, ...]
    options: Mapping[str, Formula]

    @property
    def theory(self) -> Mapping[str, Formula]:
        """The formulas of the premises by name; P1 is the first sentence after the list of things."""
        return {f"P{number}": premise.formula for number, premise in enumerate(self.premises, start=1)}


def read_logical_deduction(item: Item) -> DeductionRecord:
    """Return an item as formulas; raises `RecordError`, with the item's id, for a sentence of another form."""
    # The first paragraph says what the others are like.
    told = [sentence.strip() for sentence in _SENTENCE.findall(item.context.rpartition("\n\n")[2])]
    listed = _LIST.fullmatch(told[0]) if told else None
    if listed is None:
        raise RecordError(f"{item.id}: the first sentence does not list three, five or seven things")
    names = [_ARTICLE.sub("", name) for name in re.split(r",? and |, ", listed[2])]
    size = _SIZES[listed[1]]
    if len(set(names)) != size:
        raise RecordError(f"{item.id}: {listed[1]} things are announced, and {len(set(names))} listed")
    places = {name: Variable(name, IntSort(1, size)) for name in names}
    return DeductionRecord(
        item,
        tuple(places.values()),
        (AllDifferent(tuple(places.values())),),
        tuple(Clue(sentence, read_statement(sentence, places, item.id)) for sentence in told[1:]),
        {letter: read_statement(text, places, item.id) for letter, text in item.options.items()},
    )


def read_statement(text: str, places: Mapping[str, Variable], where: str) -> Formula:
    """Return a sentence as a formula over `places`, which has a variable for each thing.

    Raises `RecordError`, beginning with `where`, for a sentence of another form.
    """
    match = _PLACED.fullmatch(text)
    if match is None:
        raise RecordError(f"{where}: {text!r:.80} says nothing of a place")
    thing, said = _thing(match[1], places, where), match[2]
    if compared := _COMPARED.fullmatch(said):
        return _COMPARISONS[compared[1]](thing, _thing(compared[2], places, where))
    return thing.eq(_place(said, len(places), where))


def _thing(text: str, places: Mapping[str, Variable], where: str) -> Variable:
    found = places.get(_ARTICLE.sub("", text))
    if found is None:
        raise RecordError(f"{where}: {text!r:.60} is none of {', '.join(places)}")
    return found


def _place(said: str, size: int, where: str) -> int:
    ranked = _RANKED.fullmatch(said)
    rank = _ORDINALS.index(ranked[1]) + 1 if ranked and ranked[1] else 1
    end = ranked[2] if ranked else said
    if rank <= size and (end in _HIGH_ENDS or (end in _LOW_ENDS and said)):
        return size + 1 - rank if end in _HIGH_ENDS else rank
    raise RecordError(f"{where}: {said!r:.60} is no place among {size}")


def deduction_item(item: Item) -> Item:
    """Return the item with its context split into sentences, the list of things first, and with its gold logic.

    Raises `RecordError` as `read_logical_deduction` does.
    """
    record = read_logical_deduction(item)
    things = [variable.name for variable in record.variables]
    places = {thing: place_of(PLACE, thing) for thing in things}
    listed = item.context.rpartition("\n\n")[2].partition(".")[0].strip() + "."

    def sentence(formula: f.Formula) -> Sentence:
        return place_sentence(formula, places)

    # That no two have the same place is a law of the function; the list says it all the same.
    premises = {"P1": all_apart(places.values())}
    for number, premise in enumerate(record.premises, start=2):
        if premise.formula is not None:
            premises[f"P{number}"] = sentence(premise.formula)
    sort = _sort(listed)
    low, high = next((ends for words, ends in _ENDS.items() if words in listed), ("first", "last"))
    meaning = f"the place of {sort} x in the order, from 1 (the {low}) to {len(things)} (the {high})"
    gold = GoldLogic(
        Vocabulary(
            tuple(Entity(thing, sort) for thing in things),
            functions=(Function(PLACE, (sort,), 1, len(things), distinct=True, meaning=meaning),),
        ),
        premises,
        {letter: sentence(formula) for letter, formula in record.options.items()},
    )
    sentences = (listed, *(premise.text for premise in record.premises))
    return replace(item, sentences=sentences, dataset=item.dataset or DATASET, gold=gold)


def _sort(listed: str) -> str:
    """What the things are, in the singular: the word before the colon."""
    return listed.partition(":")[0].split()[-1].removesuffix("s")
