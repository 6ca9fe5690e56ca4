"""Equality of values, and membership in lists, where some of what they hold may not be seen."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from holdtrue.rules.values import NotSeen, Undecided, Unseen

_PLAIN = frozenset({str, int, bool, Fraction})
"""The classes of values that hold no others."""


def equal(left: object, right: object) -> bool:
    """Return whether two values are the same; null equals null alone, and a flag no number. Raises what it holds."""
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
    """Return whether two records or maps have the same entries. Raises `Unseen` where one may be missing."""
    if left.keys() == right.keys():
        return True
    beyond = [of[key] for of, other in ((left, right), (right, left)) for key in of.keys() - other.keys()]
    perhaps = [own for own in beyond if isinstance(own, NotSeen) and not own.there]
    if perhaps and len(perhaps) == len(beyond):
        raise Unseen(perhaps[0])
    return False


def _each_equal(pairs: Any) -> bool:
    """Return whether all pairs are equal; one that is seen not to be settles it, whatever is not seen."""
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
    """Return whether an item is in a list."""
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
