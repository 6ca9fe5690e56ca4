"""Know an attribute by other words for it: 'different jobs' is about a profession, and 'the animals' are pets.

A user seldom says the label that a domain has chosen. What a world declares by itself is found first; these are words
that mean the same in most worlds, and they count only where the sentence names no attribute by its label.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

_ALIKE = (
    r"professions?|jobs?|occupations?|(?:lines?|kinds?|sorts?|types?) of work|trades?|careers?|vocations?|livelihoods?"
    r"|(?:for|as|do|does|doing|their|his|her) (?:a |\w+ )?(?:living|work)",
    r"pets?|animals?|critters?",
    r"colou?rs?|shades?|hues?",
    r"cit(?:y|ies)|towns?",
    r"countr(?:y|ies)|nations?|nationalit(?:y|ies)",
    r"drinks?|beverages?",
    r"dish(?:es)?|meals?",
    r"houses?|homes?",
    r"days?|weekdays?",
    r"hobb(?:y|ies)|pastimes?",
    r"cars?|vehicles?|rides?",
    r"desserts?|sweets?|puddings?",
    r"floors?|store?ys?|stor(?:y|ies)|levels?",
    r"snacks?|treats?|nibbles?",
    r"subjects?|courses?|classes|class",
    r"teams?|clubs?",
    r"languages?|tongues?",
)


def attributes_by_other_words(text: str, labels: Sequence[str]) -> Iterator[str]:
    """Yield the labels of which the text has another word for the same."""
    for label in labels:
        pattern = _others(label.casefold())
        if pattern is not None and pattern.search(text):
            yield label


@lru_cache(maxsize=256)
def _others(label: str) -> re.Pattern[str] | None:
    alike = next((words for words in _ALIKE if re.fullmatch(words, label)), None)
    return None if alike is None else re.compile(rf"\b(?:{alike})\b", re.IGNORECASE)
