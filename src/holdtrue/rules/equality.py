"""Decide whether values are equal, or in a list, even if parts of them are unseen (no message has shown them yet)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
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
        return len(left) == len(right) and settled(lambda pair: equal(*pair), zip(left, right, strict=True), False)
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return _same_keys(left, right) and settled(lambda key: equal(left[key], right[key]), left, False)
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


def in_list(item: object, items: tuple[object, ...]) -> bool:
    """Return whether an item is in a list. Raises `Undecided` if unseen items decide it."""
    return (item.__class__ is str and item in items) or settled(lambda own: equal(item, own), items, True)


def settled(test: Callable[[Any], bool], items: Iterable[Any], deciding: bool) -> bool:
    """Return `deciding` if the test returns it for some item, and else its opposite, by Kleene's three-valued logic.

    Raises the first `Undecided` of a test if no other test decides.
    """
    missing: Undecided | None = None
    for item in items:
        try:
            if test(item) is deciding:
                return deciding
        except Undecided as error:
            missing = missing or error
    if missing is not None:
        raise missing
    return not deciding
