"""Find the clauses of an answer that its claims do not say in full, so that nothing of it goes untested in silence.

A clause is covered if its words are those of claims: all that have content, its numbers, and the words that a meaning
turns on, such as all, only, or, if and not, in the clause's own order. What remains may only be words of courtesy and
of talk about the answer, and of these just those that the context does not use itself.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from holdtrue.kinds.claims.prompts.content_words import content_list, content_words, plain_words, word_set, word_stem

_TURNED_ON = word_set(
    "all every each any some everyone everybody everything someone somebody something anyone anybody anything",
    "only or if unless except may might should than most more less fewer few many",
)
_DENIALS = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot)\b|n['\u2019]t\b", re.IGNORECASE
)
_ALL_RIGHT = re.compile(r"\b(?:all right|at all|after all|if you (?:like|wish|want|need))\b", re.IGNORECASE)
_REFERS_BACK = re.compile(
    r"\b(?:it|its|they|them|their|he|him|his|she|her|this|these|those|there|both|you|your|we|our|i|my)\b", re.IGNORECASE
)
_TALK = frozenset(
    map(
        word_stem,
        word_set(
            "please note remember sorry apologies apologise thank thanks sure course hello hi hope help happy glad",
            "welcome question answer know let feel free ask context text premise premises passage story rule fact",
            "sentence state states says say tell tells told imply implies show shows mention mentions according based",
            "given follow follows conclude conclusion infer mean means reason reasoning summary short clearly indeed",
            "certainly obviously right finally first firstly second secondly third next lastly overall step consider",
            "consequently result understood yes",
        ),
    )
)
"""The stems of words by which an answer speaks to the reader or of itself."""


def uncovered(clauses: Sequence[str], claims: Sequence[str], around: Sequence[str] = ()) -> dict[int, bool]:
    """Return the places of the clauses that these claims do not say in full, and whether they say any part of them.

    `around` are the context and the question.
    """
    talk = _TALK - content_words(" ".join(around))
    found = {place: _said_of(clause, claims, talk) for place, clause in enumerate(clauses)}
    return {place: bool(own) for place, (own, is_whole) in found.items() if not is_whole}


def _said_of(clause: str, claims: Sequence[str], talk: Collection[str]) -> tuple[list[str], bool]:
    """Return the claims that say parts of a clause, and whether they say all of it."""
    words = [word for word in content_list(clause) if word not in talk]
    own = [claim for claim in claims if _is_part(content_list(claim), words)]
    if _REFERS_BACK.search(clause):
        # A claim that names what a pronoun stands for has to say the whole clause, for it has words of others.
        own += [claim for claim in claims if _is_part(words, content_list(claim))]
    said = {word for claim in own for word in content_list(claim)}
    whole = " ".join(own)
    is_whole = {*words} <= said and _turned_on(clause) <= _turned_on(whole) and _denied(clause) <= _denied(whole)
    return own, is_whole and not clause.rstrip().endswith("?")


def _is_part(part: Sequence[str], words: Sequence[str]) -> bool:
    """Return whether all words of a part stand among these in the part's order; a word may be there twice."""
    at = 0
    for place, word in enumerate(part):
        if word in words[at:]:
            at = words.index(word, at) + 1
        elif word not in part[:place]:
            return False
    return bool(part)


def _turned_on(text: str) -> frozenset[str]:
    return _TURNED_ON.intersection(plain_words(_ALL_RIGHT.sub(" ", text)))


def _denied(text: str) -> int:
    # 'Neither A nor B' is denied once of each.
    return len(_DENIALS.findall(re.sub(r"\bneither\b", " ", text, flags=re.IGNORECASE)))
