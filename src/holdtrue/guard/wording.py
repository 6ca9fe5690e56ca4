"""Describe the values that an expression depends on, in short texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from holdtrue.rules.compilation import Env, compile_rule
from holdtrue.rules.paths import printable
from holdtrue.rules.typed_expressions import At, Fact, Get, Given, Node, Over, Root, parts, path, walk
from holdtrue.rules.types import ListOf, MapOf, Record, Type, without_null
from holdtrue.rules.values import Undecided, show

MOST_VALUES, MOST_ITEMS = 8, 6
LONGEST = 160
_WHOLE = Record | MapOf | ListOf
"""Types of values that are too large to show next to others."""


def values_in_words(node: Node, env: Env) -> str:
    """Return the values that an expression depends on: `call.total is 3; facts.user('x').plan is pro`.

    Records are never shown whole. From records in a list, only the fields that the expression reads are shown.
    """
    found: dict[str, str] = {}
    for own, fields in _paths(node):
        text = _value(own, env, fields)
        if text is not None:
            found.setdefault(_named(own, env), text)
        if len(found) > MOST_VALUES:
            break
    shown = [f"{name} is {value}" for name, value in list(found.items())[:MOST_VALUES]]
    return "; ".join(shown) + ("; ..." if len(found) > MOST_VALUES else "")


def _paths(node: Node, fields: tuple[str, ...] = ()) -> Iterator[tuple[Node, tuple[str, ...]]]:
    """Yield the longest paths in an expression (`call.total`, not `call`), each with the fields that a macro reads of
    its items.
    """
    if isinstance(node, Get | At | Root | Fact):
        if not any("#" in own.name for own in walk(node) if isinstance(own, Root)):
            yield node, fields
        for own in _keys(node):
            yield from _paths(own)
        return
    if isinstance(node, Over):
        yield from _paths(node.of, _asked(node))
        for own in parts(node)[1:]:
            yield from _paths(own)
        return
    for own in parts(node):
        yield from _paths(own)


def _asked(node: Over) -> tuple[str, ...]:
    """Return the fields that a macro reads from an item."""
    names = (
        part.name
        for own in parts(node)[1:]
        for part in walk(own)
        if isinstance(part, Get) and isinstance(part.of, Root) and part.of.name == node.variable
    )
    return tuple(sorted(set(names)))


def _keys(node: Node) -> Sequence[Node]:
    match node:
        case At(of, key):
            return (*_keys(of), key)
        case Get(of):
            return _keys(of) if isinstance(of, Get | At | Root | Fact) else (of,)
        case Fact(_, keys):
            return keys
    return ()


def _value(node: Node, env: Env, fields: Sequence[str]) -> str | None:
    """Return a value in words, or None if it is unseen or a whole record."""
    if isinstance(without_null(node.type), Record | MapOf) or isinstance(node, Root | Given):
        return None if not isinstance(node, Root) or node.name != "now" else _seen(node, env, fields)
    return _seen(node, env, fields)


def _seen(node: Node, env: Env, fields: Sequence[str] = ()) -> str | None:
    try:
        value = compile_rule(node)(dict(env))
    except Undecided:
        return None
    type = without_null(node.type)
    if isinstance(type, ListOf) and isinstance(value, tuple):
        return _items(value, without_null(type.item), fields)
    return cut(show(value, node.type))


def _items(value: tuple[Any, ...], type: Type, fields: Sequence[str]) -> str:
    """Return a list in words: plain values, or the requested fields of records."""
    if not value:
        return "empty"
    if isinstance(type, Record):
        own = {name: type.fields[name].type for name in fields if name in type.fields}
        plain = {name: each for name, each in own.items() if not isinstance(without_null(each), _WHOLE)}
        shown = [_short_record(each, plain) for each in value[:MOST_ITEMS]] if plain else []
    else:
        shown = [] if isinstance(type, _WHOLE) else [show(each, type) for each in value[:MOST_ITEMS]]
    if not shown:
        return f"a list of {len(value):,}"
    more = f", and {len(value) - MOST_ITEMS:,} more" if len(value) > MOST_ITEMS else ""
    return cut(f"[{', '.join(shown)}{more}]")


def _short_record(value: Any, fields: Mapping[str, Type]) -> str:
    if not isinstance(value, Mapping):
        return "?"
    return " ".join(show(value[name], type) for name, type in fields.items() if name in value) or "?"


def cut(text: str) -> str:
    """Return a text on one line and cut it if it is long, so that no value can imitate another line."""
    return printable(text) if len(text) <= LONGEST else f"{printable(text[: LONGEST - 3])}..."


def _named(node: Node, env: Env) -> str:
    """Return the path of a value with the keys in it."""
    match node:
        case Get(of, name):
            return f"{_named(of, env)}.{name}"
        case At(Given(), key):
            return f"the table's entry for {_key(key, env)}"
        case At(of, key):
            return f"{_named(of, env)}[{_key(key, env)}]"
        case Fact(kind, keys):
            return f"facts.{kind}({', '.join(_key(own, env) for own in keys)})"
    return path(node)


def _key(node: Node, env: Env) -> str:
    return _seen(node, env) or path(node) or "..."
