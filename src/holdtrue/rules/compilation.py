"""Compile typed expressions into Python closures, which compute the value from the values that were seen.

A value is *unseen* if no message or tool result has shown it yet. An unseen value raises `Unseen`, and an error of CEL
raises `Fault`. The operators `&&` and `||` and the macros `all` and `exists` absorb both if another operand decides the
result. This is Kleene's three-valued logic, as in CEL.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from holdtrue.budget import OUT_OF_TIME, Deadline
from holdtrue.rules import typed_expressions as t
from holdtrue.rules.equality import settled
from holdtrue.rules.lists import SIZE
from holdtrue.rules.types import ListOf, Nullable, Record, without_null
from holdtrue.rules.values import Fault, NotSeen, TooLong, Unseen, field_path

Env = dict[str, Any]
"""The values of roots. `facts` is a function of a kind and its keys that returns a record or `NotSeen`.

While a closure runs, it also puts the variables of macros into the environment.
"""
Closure = Callable[[Env], Any]
FACTS = "facts"
MOST_STEPS = 1_000_000
"""The greatest number of steps of one rule; each visit of an item of a list or map is a step."""
STEPS, DEADLINE = "#steps", "#deadline"
"""The keys of the step counter and of the deadline in an environment; no name in an expression contains `#`."""
SEEN = "#seen"
"""The entry of an environment with the keys of seen records by kind, if an unknown key may equal one."""
_OFTEN = 1_000
"""The number of steps after which the clock is read again."""


def compile_rule(node: t.Node) -> Closure:
    """Return a closure that computes the value of an expression, and raises `Undecided` if unseen values decide it."""
    run = _compiled(node)
    if not any(isinstance(own, t.Over) for own in t.walk(node)):
        return run

    def counted(env: Env) -> Any:
        env[STEPS] = 0
        _look_at_clock(env)
        return run(env)

    return counted


def _compiled(node: t.Node) -> Closure:
    return _COMPILE[type(node)](node)


def _spend(env: Env, steps: int) -> None:
    """Count steps if the environment has a counter. Raises `TooLong` if there are too many."""
    taken = env.get(STEPS)
    if taken is not None:
        env[STEPS] = taken = taken + steps
        if taken > MOST_STEPS:
            raise TooLong(f"over {MOST_STEPS:,} items would have to be looked at")
        if taken // _OFTEN != (taken - steps) // _OFTEN:
            # A macro around this one may absorb `TooLong`. Then its next step has to look at the clock again.
            env[STEPS] = taken // _OFTEN * _OFTEN - 1
            _look_at_clock(env)
            env[STEPS] = taken


def _look_at_clock(env: Env) -> None:
    end: Deadline | None = env.get(DEADLINE)
    if end is not None and end.passed:
        raise TooLong(OUT_OF_TIME)


def _given(node: t.Given) -> Closure:
    value = node.value
    return lambda env: value


def _root(node: t.Root) -> Closure:
    name = node.name

    def root(env: Env) -> Any:
        value = env[name]
        if value.__class__ is NotSeen:
            raise Unseen(value)
        return value

    return root


def _get(node: t.Get) -> Closure:
    of, name, path = _compiled(node.of), node.name, t.path(node)

    def get(env: Env) -> Any:
        record = of(env)
        try:
            value = record[name]
        except (KeyError, TypeError):
            raise Fault(f"{path} is not there") from None
        if value.__class__ is NotSeen:
            raise Unseen(value)
        return value

    return get


def _has(node: t.Has) -> Closure:
    of, name = _compiled(node.of), node.name

    def has(env: Env) -> bool:
        record = of(env)
        if record is None:
            raise Fault("null has no fields")
        if name not in record:
            return False
        value = record[name]
        if value.__class__ is NotSeen and not value.there:
            raise Unseen(value)
        return True

    return has


def _at(node: t.At) -> Closure:
    of, key, path = _compiled(node.of), _compiled(node.key), t.path(node)

    def at(env: Env) -> Any:
        values, own = of(env), key(env)
        if own.__class__ is int and own < 0:
            raise Fault(f"{path} is not there: places count from 0")
        try:
            value = values[own]
        except (KeyError, IndexError, TypeError):
            raise Fault(f"{path} is not there") from None
        if value.__class__ is NotSeen:
            raise Unseen(value)
        return value

    return at


def _looked_up(node: t.Fact) -> Closure:
    kind, keys = node.kind, tuple(map(_compiled, node.keys))
    return lambda env: env[FACTS](kind, tuple([key(env) for key in keys]))


def _fact(node: t.Fact) -> Closure:
    found = _looked_up(node)

    def fact(env: Env) -> Any:
        value = found(env)
        if value.__class__ is NotSeen:
            raise Unseen(value)
        return value

    return fact


def _apply(node: t.Apply) -> Closure:
    args = tuple(map(_compiled, node.args))
    operate = node.operation.on_values(node)
    if node.operation is not SIZE and any(isinstance(without_null(own.type), ListOf) for own in node.args):
        return _listwise(operate, args)
    match args:
        case (one,):
            return lambda env: operate(one(env))
        case (one, other):
            return lambda env: operate(one(env), other(env))
    raise TypeError(f"{node.operation} has one or two operands")


def _listwise(operate: Callable[..., Any], args: tuple[Closure, ...]) -> Closure:
    """Return a closure that counts each item of its list operands as a step."""

    def operated(env: Env) -> Any:
        values = [arg(env) for arg in args]
        for own in values:
            if own.__class__ is tuple:
                _spend(env, len(own))
        return operate(*values)

    return operated


def _not(node: t.Not) -> Closure:
    operand = _compiled(node.operand)
    return lambda env: not operand(env)


def _junction(node: t.Junction) -> Closure:
    operands, deciding = tuple(map(_compiled, node.operands)), not node.every
    return lambda env: settled(lambda operand: operand(env), operands, deciding)


def _choose(node: t.Choose) -> Closure:
    condition, then, otherwise = (_compiled(own) for own in (node.condition, node.then, node.otherwise))
    return lambda env: then(env) if condition(env) else otherwise(env)


def _make_list(node: t.MakeList) -> Closure:
    items = tuple(_shown(own) for own in node.items)
    return lambda env: tuple([item(env) for item in items])


def _make_map(node: t.MakeMap) -> Closure:
    entries = tuple((key, _shown(own)) for key, own in node.entries)
    return lambda env: {key: own(env) for key, own in entries}


def _shown(node: t.Node) -> Closure:
    """Return a closure that gives the `NotSeen` marker of an unseen value, so that a list can hold it.

    Only names, fields and facts have markers. A computed value has none, since computing it may be an error.
    """
    match node:
        case t.Root(name):
            return lambda env: env[name]
        case t.Get(of, _, _, optional):
            return _shown_field(node, _compiled(of) if optional or isinstance(of.type, Nullable) else _shown(of))
        case t.Fact():
            return _looked_up(node)
    return _compiled(node)


def _shown_field(node: t.Get, of: Closure) -> Closure:
    name, type, path = node.name, node.type, t.path(node)

    def shown(env: Env) -> Any:
        record = of(env)
        if record.__class__ is NotSeen:
            if isinstance(record.type, Record) and record.type.may_be_absent:
                raise Unseen(record)
            return NotSeen(field_path(record.path, name), type, record.fact, fits=record.fits)
        try:
            value = record[name]
        except (KeyError, TypeError):
            raise Fault(f"{path} is not there") from None
        if value.__class__ is NotSeen and not value.there:
            raise Unseen(value)
        return value

    return shown


def _over(node: t.Over) -> Closure:
    of, body = _compiled(node.of), _compiled(node.body)
    variable, index = node.variable, node.index

    def items(env: Env) -> Any:
        """Yield the items, or the keys of a map, and bind the variables; with an `index`, yield a map's values."""
        values = of(env)
        if values is None:
            raise Fault("null has no items")
        if index is None:
            for value in values:
                _spend(env, 1)
                env[variable] = value
                yield value
            return
        for key, value in values.items() if isinstance(values, Mapping) else enumerate(values):
            _spend(env, 1)
            env[variable], env[index] = value, key
            yield value

    match node.macro:
        case "all" | "exists":
            deciding = node.macro == "exists"
            return lambda env: settled(lambda _: body(env), items(env), deciding)
        case "exists_one":

            def only_one(env: Env) -> bool:
                count = 0
                for _ in items(env):
                    count += body(env)
                return count == 1

            return only_one
        case "filter":

            def filtered(env: Env) -> tuple[Any, ...]:
                return tuple([item for item in items(env) if body(env)])

            return filtered
    condition = _compiled(node.condition) if node.condition is not None else None
    value = _shown(node.body)

    def mapped(env: Env) -> tuple[Any, ...]:
        return tuple([value(env) for _ in items(env) if condition is None or condition(env)])

    return mapped


_COMPILE: Mapping[type[Any], Callable[[Any], Closure]] = {
    t.Given: _given,
    t.Root: _root,
    t.Get: _get,
    t.Has: _has,
    t.At: _at,
    t.Fact: _fact,
    t.Apply: _apply,
    t.Not: _not,
    t.Junction: _junction,
    t.Choose: _choose,
    t.MakeList: _make_list,
    t.MakeMap: _make_map,
    t.Over: _over,
}
