"""Decide whether values are equal, or in a list, if parts of them may be unseen."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from holdtrue.rules.values import NotSeen, Undecided, Unseen

_PLAIN = frozenset({str, int, bool, Fraction})
"""The classes of values without parts."""


def equal(left: object, right: object) -> bool:
    """Return whether two values are equal. Raises `Undecided` if unseen parts decide it.

    Null equals only null, and a bool equals no number.
    """
    if left.__class__ is right.__class__ and left.__class__ in _PLAIN:
        return left == right
    if isinstance(left, NotSeen) or isinstance(right, NotSeen):
        raise Unseen(left if isinstance(left, NotSeen) else right)  # type: ignore[arg-type]
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and _each_equal(zip(left, right, strict=True))
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return _same_keys(left, right) and _each_equal((left[key], right[key]) for key in left)
    return isinstance(left, bool) is isinstance(right, bool) and left == right


def _same_keys(left: Mapping[Any, Any], right: Mapping[Any, Any]) -> bool:
    """Return whether two records or maps have the same keys. Raises `Unseen` if the extra entries may not exist."""
    if left.keys() == right.keys():
        return True
    beyond = [of[key] for of, other in ((left, right), (right, left)) for key in of.keys() - other.keys()]
    perhaps = [own for own in beyond if isinstance(own, NotSeen) and not own.there]
    if perhaps and len(perhaps) == len(beyond):
        raise Unseen(perhaps[0])
    return False


def _each_equal(pairs: Any) -> bool:
    """Return whether all pairs are equal. One unequal pair decides, even if others are unseen."""
    missing: Undecided | None = None
    for left, right in pairs:
        try:
            if not equal(left, right):
                return False
        except Undecided as error:
            missing = missing or error
    if missing is not None:
        raise missing
    return True


def in_list(item: object, items: tuple[object, ...]) -> bool:
    """Return whether an item is in a list. Raises `Undecided` if unseen items decide it."""
    if item.__class__ is str and item in items:
        return True
    missing: Undecided | None = None
    for own in items:
        try:
            if equal(item, own):
                return True
        except Undecided as error:
            missing = missing or error
    if missing is not None:
        raise missing
    return False
