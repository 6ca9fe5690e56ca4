"""LogicalDeduction as items: its sentences one by one, and its logic with the place of each thing as a function."""

from __future__ import annotations

from dataclasses import replace

from holdtrue.kinds.claims.gold_logic import GoldLogic
from holdtrue.lab.kinds.claims.item import Item
from holdtrue.lab.suites.verge.logical_deduction import read_logical_deduction
from holdtrue.lab.suites.verge.places import all_apart, place_of, place_sentence
from holdtrue.logic import formula as f
from holdtrue.logic.fol.syntax import Sentence
from holdtrue.logic.fol.vocabulary import Entity, Function, Vocabulary

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


def deduction_item(item: Item) -> Item:
    """The item with its sentences, the list of things first, and its gold logic; raises `RecordError`."""
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
