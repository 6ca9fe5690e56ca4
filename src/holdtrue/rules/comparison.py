"""This module defines the operations of comparison and of membership in lists and maps."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from holdtrue.rules import typed_expressions as t
from holdtrue.rules.equality import equal, in_list
from holdtrue.rules.numbers import number_of
from holdtrue.rules.symbolic_choice import Valued, entries_of, key_name, same
from holdtrue.rules.symbolic_values import TRUE, NotSayable, OpenMap, compared, conj, disj, flag_of, same_step
from holdtrue.rules.unknowns import Unknowns
from holdtrue.rules.values import Fault


def list_of(value: Any) -> tuple[Any, ...]:
    """Return the list itself. Raises `Fault` for null."""
    if value is None:
        raise Fault("null is no list")
    return value  # type: ignore[no-any-return]


def _same(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    return flag_of(same(unknowns, *args)), TRUE


def _one_is_same(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    item, of = args
    found = disj(conj((there, same(unknowns, item, own))) for there, _, own in entries_of(unknowns, of))
    return flag_of(found), TRUE


def _in_map(key: object, of: Mapping[str, object] | None) -> bool:
    if of is None:
        raise Fault("null has no entries")
    return key in of


def _is_key(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
    key, of = args
    if isinstance(of, OpenMap):
        return flag_of(unknowns.there(f"{of.path}[{key_name(unknowns, key)}]", of.fact)), TRUE
    if not isinstance(of, Mapping):
        raise NotSayable("a map of which it is not known what is in it")
    return flag_of(disj(same(unknowns, key, own) for own in of)), TRUE


def _ordered(operator: str) -> Callable[..., Valued]:
    def make(unknowns: Unknowns, node: t.Apply, args: Sequence[Any]) -> Valued:
        left, right, _ = same_step(*args)
        return flag_of(compared(operator, left, right)), TRUE

    return make


EQUAL = t.Operation("equal", equal, _same, may_be_null=(0, 1))
IN_LIST = t.Operation("in_list", lambda item, items: in_list(item, list_of(items)), _one_is_same, may_be_null=(0,))
IN_MAP = t.Operation("in_map", _in_map, _is_key)
LESS = t.Operation("less", lambda left, right: number_of(left) < number_of(right), _ordered("<"))
AT_MOST = t.Operation("at_most", lambda left, right: number_of(left) <= number_of(right), _ordered("<="))
