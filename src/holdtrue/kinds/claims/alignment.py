"""Near names: one name, as two formalizations write it."""

from __future__ import annotations

from collections import defaultdict

from holdtrue.logic.fol.near import stem
from holdtrue.logic.fol.sentence import Sentence
from holdtrue.logic.fol.signature import signature

_Use = tuple[str, int, str]
"""What kind of name it is, how many arguments it has, and its stem."""


def align(one: Sentence, other: Sentence) -> dict[str, str]:
    """Names of `other` that `one` does not have, to the names of `one` that they are near (`logic.fol.near`).

    Both are predicates, functions or things, with as many arguments, and no third name is as near: where a choice would
    have to be made, names stay apart.
    """
    left, right = _uses(one), _uses(other)
    ours: dict[_Use, list[str]] = defaultdict(list)
    theirs: dict[_Use, list[str]] = defaultdict(list)
    for uses, known, found in ((left, right, ours), (right, left, theirs)):
        for name, use in uses.items():
            if name not in known and use is not None:
                found[use].append(name)
    return {names[0]: ours[use][0] for use, names in theirs.items() if len(names) == 1 == len(ours[use])}


def _uses(sentence: Sentence) -> dict[str, _Use | None]:
    """How each name is used; None for one that is used in two ways."""
    found = signature([sentence])
    uses: dict[str, _Use | None] = {}
    for kind, names in (
        ("predicate", found.predicates),
        ("function", found.functions),
        ("thing", dict.fromkeys(found.constants, 0)),
    ):
        for name, arity in names.items():
            uses[name] = None if name in uses else (kind, arity, stem(name))
    return uses
