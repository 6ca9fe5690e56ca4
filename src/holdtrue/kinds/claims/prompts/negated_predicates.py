"""Predicates that deny something, turned around: what a formula says by `not`, no name should say.

Small models name "x does not work here" beside "x works here", and nothing connects the two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from holdtrue.kinds.claims.prompts.content_words import word_stem
from holdtrue.logic.fol.naming import name_words, thing_identifier
from holdtrue.logic.fol.vocabulary import Predicate

_DENIED = re.compile(r"\b(?:does|do|did|(?P<kept>is|are|was|were|has|have|may|can|must|should))(?: not|n['’]t)\b")
_CANNOT = re.compile(r"\bcannot\b")
_SPACES = re.compile(r"\s{2,}")
_AUXILIARY = frozenset({"does", "do", "did", "not", "doesnt", "dont", "didnt", "doesn", "don", "didn", "t", "never"})


def only_positive(predicates: Iterable[Predicate], known: Iterable[Predicate] = ()) -> tuple[Predicate, ...]:
    """The predicates, each that denies something as what it denies; left out where that is said already."""
    given = tuple(predicates)
    plain = {_key(predicate) for predicate in (*given, *known) if not _denies(predicate)}
    found: dict[tuple[tuple[str, ...], int], Predicate] = {}
    for predicate in given:
        if not _denies(predicate):
            found.setdefault(((predicate.name,), len(predicate.sorts)), predicate)
            continue
        turned = _turned(predicate)
        if turned is not None and _key(turned) not in plain:
            found.setdefault(_key(turned), turned)
    return tuple(found.values())


def _denies(predicate: Predicate) -> bool:
    return _DENIED.search(predicate.meaning) is not None or _CANNOT.search(predicate.meaning) is not None


def _turned(predicate: Predicate) -> Predicate | None:
    """Return the predicate that this one denies, or None where its name says nothing else."""
    meaning = _DENIED.sub(lambda match: match["kept"] or "", predicate.meaning)
    meaning = _SPACES.sub(" ", _CANNOT.sub("can", meaning)).strip()
    words = ["can" if word.lower() == "cannot" else word for word in name_words(predicate.name)]
    name = thing_identifier(" ".join(word for word in words if word.lower() not in _AUXILIARY))
    return replace(predicate, name=name, meaning=meaning) if name else None


def _key(predicate: Predicate) -> tuple[tuple[str, ...], int]:
    """Return a key that is the same for predicates with the same words in their names and as many arguments."""
    return tuple(word_stem(word.lower()) for word in name_words(predicate.name)), len(predicate.sorts)
