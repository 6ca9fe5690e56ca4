"""A naive search for an instance's names in a text, word by word."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from holdtrue.logic.sorts import EnumSort
from holdtrue.world.instance import Constraint, Instance

CARDINALS = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
]  # fmt: skip
ORDINALS = [
    "zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth",
]  # fmt: skip


def words_of(instance: Instance) -> set[str]:
    """Return the names of entities, categories and values; all are single words in the suite."""
    labels = {label for a in instance.attributes.values() if isinstance(a.sort, EnumSort) for label in a.sort.labels}
    categories = instance.attributes if labels else ()
    return {*instance.entities, *categories, *labels}


def named_in(instance: Instance, text: str) -> tuple[set[str], Counter[int]]:
    """Return the names and the numbers in a text."""
    numbers: Counter[int] = Counter()
    names: set[str] = set()
    known = words_of(instance)
    for word in re.findall(r"\w+", text):
        digits = re.fullmatch(r"(\d+)(?:st|nd|rd|th)?", word)
        if digits:
            numbers[int(digits[1])] += 1
        for spelled in (CARDINALS, ORDINALS):
            if word.lower() in spelled:
                numbers[spelled.index(word.lower())] += 1
        if word in known:
            names.add(word)
    return names, numbers


def arguments_of(constraints: Iterable[Constraint]) -> tuple[set[str], Counter[int]]:
    """Return the names and the numbers among the arguments."""
    args = [arg for constraint in constraints for arg in constraint.args]
    return {arg for arg in args if isinstance(arg, str)}, Counter(arg for arg in args if isinstance(arg, int))
