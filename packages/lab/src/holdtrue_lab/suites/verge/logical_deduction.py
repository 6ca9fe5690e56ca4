"""This module reads items of LogicalDeduction (BIG-bench) as formulas about an order of things.

Each question asks which option is true. Place 1 belongs to the leftmost, oldest, cheapest or first thing. In an item's
gold logic, the function `place` maps each thing to its place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from holdtrue.errors import RecordError
from holdtrue_claims.fol.conventions import CONVENTIONS
from holdtrue_claims.fol.syntax import And, Apply, Compare, Number, Sentence
from holdtrue_claims.fol.vocabulary import Entity, Function, Vocabulary
from holdtrue_claims.kind.gold_logic import GoldLogic
from holdtrue_lab.kinds.claims.item import Item
from holdtrue_lab.suites.verge.gold_logic import all_apart, all_within, place_of

_SENTENCE = re.compile(r"[^.]+\.")
_LIST = re.compile(r"[^:]*\b(three|five|seven) \w+: (.+)\.")
_SIZES = {"three": 3, "five": 5, "seven": 7}
_ARTICLE = re.compile(r"^(?:an?|the) ", re.IGNORECASE)
_PLACED = re.compile(r"(.+?) (?:is|are|finished) (?:the )?(.+)\.")
_COMPARED = re.compile(r"(to the (?:left|right) of|(?:older|newer|(?:less|more) expensive) than|above|below) (.+)")
_LOWER = ("to the left of", "older than", "less expensive than", "above")
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
"""The names of place 1 and of the last place. The keys are words in the sentence that lists the things."""


def deduction_item(item: Item) -> Item:
    """Return the item with its gold logic, and its context split into sentences; the first one lists the things.

    Raises `RecordError` for sentences of another form.
    """
    # The first paragraph only introduces the paragraphs after it.
    sentences = tuple(sentence.strip() for sentence in _SENTENCE.findall(item.context.rpartition("\n\n")[2]))
    listed = _LIST.fullmatch(sentences[0]) if sentences else None
    if listed is None:
        raise RecordError(f"{item.id}: the first sentence does not list three, five or seven things")
    names = [_ARTICLE.sub("", name) for name in re.split(r",? and |, ", listed[2])]
    size = _SIZES[listed[1]]
    if len(set(names)) != size:
        raise RecordError(f"{item.id}: {listed[1]} things are announced, and {len(set(names))} listed")
    places = {name: place_of(PLACE, name) for name in names}
    # The word before the colon names the things. Without its final s it is the sort.
    sort = sentences[0].partition(":")[0].split()[-1].removesuffix("s")
    low, high = next((ends for words, ends in _ENDS.items() if words in sentences[0]), ("first", "last"))
    meaning = f"the place of {sort} x in the order, from 1 (the {low}) to {size} (the {high})"
    gold = GoldLogic(
        Vocabulary(
            tuple(Entity(thing, sort) for thing in places),
            functions=(Function(PLACE, (sort,), 1, size, distinct=True, meaning=meaning),),
            stated=CONVENTIONS,
        ),
        # The function has these laws too. But a vocabulary that a model reads from the text does not have them.
        {
            "P1": And((all_apart(places.values()), all_within(places.values(), size))),
            **{
                f"P{number}": _read_statement(said, places, item.id)
                for number, said in enumerate(sentences[1:], start=2)
            },
        },
        {letter: _read_statement(text, places, item.id) for letter, text in item.options.items()},
    )
    return replace(item, sentences=sentences, dataset=item.dataset or DATASET, gold=gold)


def _read_statement(text: str, places: Mapping[str, Apply], where: str) -> Sentence:
    """Return the formula of a sentence about places; raises `RecordError`."""
    match = _PLACED.fullmatch(text)
    if match is None:
        raise RecordError(f"{where}: {text!r:.80} says nothing of a place")
    thing, said = _thing(match[1], places, where), match[2]
    if compared := _COMPARED.fullmatch(said):
        return Compare("<" if compared[1] in _LOWER else ">", thing, _thing(compared[2], places, where))
    return Compare("=", thing, Number(_place(said, len(places), where)))


def _thing(text: str, places: Mapping[str, Apply], where: str) -> Apply:
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
