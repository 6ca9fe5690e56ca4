"""Find unexplained words in a statement: no grammar, no everyday words for arranging things, and none of the domain's.

The classes of `qualifying_words` find what is known to change a statement, and there is always one more way to say that
somebody else wants it or that it may not come to pass. A statement that the domain can say is made of the domain's
words, of those by which people arrange things, and of grammar. So where several words of the clause that holds the
names are none of these, it may say more, and is asked about. As everywhere here, texts are masked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdtrue.language.everyday_words import ARRANGING, GRAMMAR
from holdtrue.language.grounding import everyday_stems, own_stems, stem
from holdtrue.language.masked_text import mask
from holdtrue.language.reason_clauses import clauses
from holdtrue.world.instance import Constraint, Instance

MOST_UNEXPLAINED = 1
"""One such word is most often a harmless noun or adverb; two and more are rare in plain statements."""

_WORD = re.compile(r"[a-z][a-z']*")
_VERB_OF_A_VALUE = re.compile(r" (?:the |an? |his |her |their )?[VW]\b")
_NAMED = re.compile("[EV]")
_WHOLE = frozenset((GRAMMAR + ARRANGING).split())
_FAMILIAR = frozenset(GRAMMAR.split()) | everyday_stems()


def is_familiar(word: str) -> bool:
    """Return whether a word in small letters is grammar, or one by which people arrange things in any domain."""
    return word in _FAMILIAR or stem(word) in _FAMILIAR


def is_written_like_a_familiar_word(word: str) -> bool:
    """Return whether a word in small letters is such a word in full: 'times' is, and 'tim', what is left of it, not."""
    return word in _WHOLE or (word != stem(word) and stem(word) in _FAMILIAR)


def find_unexplained(instance: Instance, text: str) -> Iterator[tuple[int, int]]:
    """Find where in masked text unexplained words stand, in the clauses that name what was read."""
    own = own_stems(instance)
    for start, end in clauses(text):
        if not _NAMED.search(text, start, end):
            continue
        for found in _WORD.finditer(text, start, end):
            word = found.group()
            if _VERB_OF_A_VALUE.match(text, found.end()) and text[: found.start()].endswith("E "):
                continue  # 'Ann grows tulips' says which flower is hers
            if not is_familiar(word) and stem(word) not in own and not word.endswith("n't"):
                yield found.span()


def count_strange(instance: Instance, sentence: str, made: Constraint) -> int:
    """Return how many words of a sentence are neither grammar nor words of its domain, in clauses that name something.

    'Ann owes me 2 pounds' has two, and no seat.
    """
    text = mask(instance, sentence, [made]).text
    return len({stem(text[start:end]) for start, end in find_unexplained(instance, text)})
