"""Type-check an expression: resolve its names, choose overloads, and return a typed expression.

Source of names and macros: CEL specification, "Language definition" and the extensions `math`, `sets`, `lists`,
`bindings` and two-variable macros (github.com/google/cel-spec, github.com/google/cel-go/ext). Units, dates, `facts` and
`sum` are additions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice
from typing import Any

from holdtrue.logic.units import ONE
from holdtrue.logic.value_sorts import Amount, int_if_whole
from holdtrue.rules import dates, lists, numbers, texts
from holdtrue.rules import syntax as s
from holdtrue.rules import typed_expressions as t
from holdtrue.rules.comparison import EQUAL
from holdtrue.rules.operators import OPERATORS
from holdtrue.rules.paths import below
from holdtrue.rules.signatures import Maker
from holdtrue.rules.syntax import DEEPEST, RuleError
from holdtrue.rules.type_lattice import conversion, same_units, unified
from holdtrue.rules.typed_expressions import described
from holdtrue.rules.types import (
    BARE,
    COUNT,
    FLAG,
    NULL,
    TEXT,
    Flag,
    ListOf,
    MapOf,
    Name,
    Null,
    Nullable,
    Number,
    Record,
    Type,
    in_words,
    without_null,
)

FUNCTIONS: Mapping[str, Maker] = {**lists.FUNCTIONS, **numbers.FUNCTIONS, **dates.FUNCTIONS}
METHODS: Mapping[str, Maker] = {**lists.METHODS, **texts.METHODS, **dates.METHODS}


@dataclass(frozen=True)
class FactKind:
    """A `FactKind` is a kind of record in tool results, with the types of its keys and of the record."""

    keys: tuple[Type, ...]
    record: Type


@dataclass(frozen=True)
class Scope:
    """A `Scope` has the names that an expression may use.

    Attributes:
        roots: The type of each root: `call`, `now` and so on.
        facts: The kinds of facts, which an expression looks up by `facts.kind(key)`.
        given: Constants, such as `tables`, with their types.
        named: Named expressions, which may use one another without a cycle.
    """

    roots: Mapping[str, Type]
    facts: Mapping[str, FactKind] = field(default_factory=dict)
    given: Mapping[str, tuple[object, Type]] = field(default_factory=dict)
    named: Mapping[str, s.Expression] = field(default_factory=dict)


def check(expression: s.Expression, scope: Scope) -> t.Node:
    """Return the typed expression. Raises `RuleError`, with the place, if an expression has no type."""
    return _limited(_Checker(scope).node(expression, {}, 0))


def check_condition(expression: s.Expression, scope: Scope) -> t.Node:
    """Return the typed expression of a condition. Raises `RuleError` for an expression of another type."""
    checker = _Checker(scope)
    return _limited(checker.condition(expression, {}, 0, "a rule"))


def _limited(node: t.Node) -> t.Node:
    """Return the node. Raises `RuleError` if it has too many parts."""
    if sum(1 for _ in islice(t.walk(node), MOST_NODES + 1)) > MOST_NODES:
        raise RuleError(f"with all that it names the expression has over {MOST_NODES:,} parts", node.place)
    return node


MOST_NODES = 20_000
"""The greatest number of parts of an expression, with its named expressions written out."""


@dataclass(frozen=True, slots=True)
class _Bind:
    """A `_Bind` is an expression that `cel.bind` has named, with the names that it may use itself."""

    expression: s.Expression
    bound: Bound


Bound = Mapping[str, t.Root | _Bind]


class _Checker:
    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._open: list[str] = []
        self._fresh = 0
        self._made = 0

    def node(self, node: s.Expression, bound: Bound, depth: int) -> t.Node:
        self._made += 1
        if depth > 2 * DEEPEST:
            raise RuleError(f"the expression is nested deeper than {2 * DEEPEST}", node.place)
        if self._made > MOST_NODES:
            raise RuleError(f"with all that it names the expression has over {MOST_NODES:,} parts", node.place)
        match node:
            case s.Constant(value, place):
                return constant(value, place)
            case s.Ident(name, place):
                return self._name(name, bound, depth, place)
            case s.Select(of, name, place):
                return self._select(self.node(of, bound, depth + 1), name, place)
            case s.Index(of, key, place):
                return self._index(self.node(of, bound, depth + 1), self.node(key, bound, depth + 1), place)
            case s.Items(items, place):
                return self._list(tuple(self.node(own, bound, depth + 1) for own in items), place)
            case s.Entries(entries, place):
                return self._map(entries, bound, depth, place)
            case s.Invoke():
                return self._invoke(node, bound, depth)
        raise TypeError(f"no expression: {node!r}")

    def condition(self, node: s.Expression, bound: Bound, depth: int, what: str) -> t.Node:
        """Return a node of type bool. Raises `RuleError` for another type."""
        found = self.node(node, bound, depth)
        if isinstance(found.type, Nullable) and isinstance(found.type.value, Flag):
            # A flag that is null counts as false.
            return t.Apply(EQUAL, (found, t.Given(True, FLAG)), FLAG, place=found.place)
        if not isinstance(found.type, Flag):
            raise RuleError(f"{what} has to be true or false, and this is {described(found)}", node.place)
        return found

    # Names

    def _name(self, name: str, bound: Bound, depth: int, place: s.Place) -> t.Node:
        scope = self._scope
        own = bound.get(name)
        if isinstance(own, _Bind):
            return self.node(own.expression, own.bound, depth + 1)
        if own is not None:
            return replace(own, place=place)
        if name in scope.named:
            if name in self._open:
                raise RuleError(f"{name!r} is defined by itself: {' -> '.join((*self._open, name))}", place)
            self._open.append(name)
            try:
                return self.node(scope.named[name], {}, depth + 1)
            finally:
                self._open.pop()
        if name in scope.given:
            value, type = scope.given[name]
            return t.Given(value, type, place)
        if name in scope.roots:
            return t.Root(name, scope.roots[name], place)
        if name == "facts" and scope.facts:
            raise RuleError(f"facts are asked for by key: {self._facts_listed()}", place)
        known = sorted({*bound, *self._names(), *(("facts",) if scope.facts else ())})
        raise RuleError(f"there is no {name!r} here; there is {_listed(known)}", place)

    def _names(self) -> set[str]:
        return {*self._scope.named, *self._scope.given, *self._scope.roots}

    def _facts_listed(self) -> str:
        return ", ".join(f"facts.{kind}(...)" for kind in self._scope.facts)

    def _select(self, of: t.Node, name: str, place: s.Place) -> t.Node:
        type = without_null(of.type)
        if isinstance(of, t.Given) and isinstance(of.value, Mapping) and not isinstance(type, MapOf):
            return self._table(of, name, place)
        match type:
            case Record(fields, _, unread):
                if name in unread and name not in fields:
                    own, whole = below(t.path(of), name), of
                    while isinstance(whole, t.Get | t.At):
                        whole = whole.of
                    owner = in_words(without_null(whole.type))
                    raise RuleError(f"{own} of {owner} is not read, since {unread[name].why}", place)
                if name not in fields:
                    longer = next((own for own in fields if own.startswith(name) and not own.isidentifier()), None)
                    hint = "" if longer is None else f"; write {t.path(of)}[{longer!r}]"
                    raise RuleError(f"{in_words(type)} has no {name!r}; it has {_listed(fields)}{hint}", place)
                return t.Get(of, name, fields[name].type, not fields[name].required, place)
            case MapOf(value):
                key = t.Given(name, TEXT, place)
                self._check_key(of, key, place)
                return t.At(of, key, value, place)
        raise RuleError(f"{described(of)} has no fields, so no {name!r}", place)

    def _table(self, of: t.Given, name: str, place: s.Place) -> t.Node:
        fields = of.type.fields if isinstance(of.type, Record) else {}
        if name not in fields:
            raise RuleError(f"there is no {name!r}; there is {_listed(fields)}", place)
        return t.Given(of.value[name], fields[name].type, place)  # type: ignore[index]

    def _index(self, of: t.Node, key: t.Node, place: s.Place) -> t.Node:
        type = without_null(of.type)
        match type:
            case ListOf(item):
                number = without_null(key.type)
                if not isinstance(number, Number) or not number.whole:
                    raise RuleError(f"the place in a list is a whole number, not {described(key)}", place)
                return t.At(of, key, item, place)
            case MapOf(value):
                if not isinstance(without_null(key.type), Name):
                    raise RuleError(f"the keys of {in_words(type)} are texts, and this is {described(key)}", place)
                self._check_key(of, key, place)
                return t.At(of, key, value, place)
            case Record():
                if isinstance(key, t.Given) and isinstance(key.value, str):
                    return self._select(of, key.value, place)
                raise RuleError(f"a field of {in_words(type)} is named by a text: ['name']", place)
        raise RuleError(f"{described(of)} has no entries", place)

    def _check_key(self, of: t.Node, key: t.Node, place: s.Place) -> None:
        """Raise `RuleError` for a key that a constant table does not have."""
        if isinstance(of, t.Given) and isinstance(key, t.Given) and isinstance(of.value, Mapping):
            if key.value not in of.value:
                raise RuleError(f"the table has no {key.value!r}; it has {_listed(of.value)}", place)
        elif isinstance(of, t.Given) and isinstance(of.value, Mapping) and isinstance(key.type, Name):
            missing = [own for own in key.type.values or () if own not in of.value]
            if missing:
                raise RuleError(f"the table has no entry for {', '.join(missing)}", place)

    # Lists and maps

    def _list(self, items: tuple[t.Node, ...], place: s.Place) -> t.Node:
        type = self._common(items, "the items of a list", place)
        items = tuple(self.converted(own, type) for own in items)
        made = ListOf(type, len(items))
        if all(isinstance(own, t.Given) for own in items):
            return t.Given(tuple(own.value for own in items), made, place)  # type: ignore[union-attr]
        return t.MakeList(items, made, place)

    def _map(
        self, entries: tuple[tuple[s.Expression, s.Expression], ...], bound: Bound, depth: int, place: s.Place
    ) -> t.Node:
        found: dict[str, t.Node] = {}
        for key, value in entries:
            if not isinstance(key, s.Constant) or not isinstance(key.value, str):
                raise RuleError("the keys of a map are written as texts", key.place)
            if key.value in found:
                raise RuleError(f"the map has the key {key.value!r} twice", key.place)
            found[key.value] = self.node(value, bound, depth + 1)
        type = self._common(tuple(found.values()), "the values of a map", place)
        made = {key: self.converted(own, type) for key, own in found.items()}
        if all(isinstance(own, t.Given) for own in made.values()):
            values = {key: own.value for key, own in made.items()}  # type: ignore[union-attr]
            return t.Given(values, MapOf(type), place)
        return t.MakeMap(tuple(made.items()), MapOf(type), place)

    def _common(self, nodes: tuple[t.Node, ...], what: str, place: s.Place) -> Type:
        type: Type = NULL
        for count, own in enumerate(nodes):
            joined = own.type if count == 0 else unified(type, own.type)
            if joined is None:
                kinds = f"{in_words(type)} and {in_words(own.type)}"
                raise RuleError(f"{what} have to be of one type, and these are {kinds}", own.place)
            type = joined
        return type

    # Functions and macros

    def _invoke(self, node: s.Invoke, bound: Bound, depth: int) -> t.Node:
        name, place = node.name, node.place
        if name == "has" and node.target is None:
            return self._has(node, bound, depth)
        space = node.target.name if isinstance(node.target, s.Ident) and node.target.name not in bound else ""
        if space == "facts":
            return self._fact(node, bound, depth)
        if space == "cel" and name == "bind":
            return self._bind(node, bound, depth)
        if name in _MACROS:
            return self._macro(node, bound, depth)
        if name in ("&&", "||"):
            parts = tuple(self.condition(own, bound, depth + 1, f"each side of {name}") for own in node.args)
            return t.Junction(name == "&&", parts, FLAG, place)
        if name == "!":
            return t.Not(self.condition(node.args[0], bound, depth + 1, "what ! denies"), FLAG, place)
        if name == "?:":
            return self._choose(node, bound, depth)
        grouped = f"{space}.{name}" in FUNCTIONS or (space in _NAMESPACES and space not in self._names())
        if grouped:
            make, operands = FUNCTIONS.get(f"{space}.{name}"), node.args
        elif node.target is not None:
            make, operands = METHODS.get(name), (node.target, *node.args)
        else:
            make, operands = OPERATORS.get(name) or FUNCTIONS.get(name), node.args
        if make is None:
            raise RuleError(_no_function(name, space if grouped else "", node), place)
        return make(self, tuple([self.node(own, bound, depth + 1) for own in operands]), place)

    def _bind(self, node: s.Invoke, bound: Bound, depth: int) -> t.Node:
        """Return the body of `cel.bind(x, value, body)`, in which the name stands for the value."""
        if len(node.args) != 3 or not isinstance(node.args[0], s.Ident):
            raise RuleError("cel.bind takes a name, its value, and what uses it: cel.bind(x, value, x + x)", node.place)
        name, value, body = node.args[0].name, node.args[1], node.args[2]
        self.node(value, bound, depth + 1)  # The value needs a type even if the body does not use it.
        return self.node(body, {**bound, name: _Bind(value, bound)}, depth + 1)

    def _has(self, node: s.Invoke, bound: Bound, depth: int) -> t.Node:
        if len(node.args) != 1 or not isinstance(node.args[0], s.Select):
            raise RuleError("has() takes one field: has(call.note) or has(call.`x-note`)", node.place)
        select = node.args[0]
        of = self.node(select.of, bound, depth + 1)
        if isinstance(without_null(of.type), MapOf):
            return t.Has(of, select.name, FLAG, node.place)
        if t.is_sure(self._select(of, select.name, select.place)):
            return t.Given(True, FLAG, node.place)
        return t.Has(of, select.name, FLAG, node.place)

    def _fact(self, node: s.Invoke, bound: Bound, depth: int) -> t.Node:
        kind = self._scope.facts.get(node.name)
        if kind is None:
            listed = self._facts_listed() or "none"
            raise RuleError(f"there are no facts of kind {node.name!r}; there is {listed}", node.place)
        if len(node.args) != len(kind.keys):
            keys = f"{len(kind.keys)} key{'s' if len(kind.keys) != 1 else ''}"
            raise RuleError(f"facts.{node.name} takes {keys}, not {len(node.args)}", node.place)
        found = []
        for own, type in zip(node.args, kind.keys, strict=True):
            key = self.node(own, bound, depth + 1)
            if unified(key.type, type) is None:
                raise RuleError(
                    f"facts.{node.name} is found by {in_words(type)}, and this is {described(key)}", own.place
                )
            found.append(self.converted(key, type))
        return t.Fact(node.name, tuple(found), kind.record, node.place)

    def _choose(self, node: s.Invoke, bound: Bound, depth: int) -> t.Node:
        condition = self.condition(node.args[0], bound, depth + 1, "a condition")
        then, otherwise = (self.node(own, bound, depth + 1) for own in node.args[1:])
        type = unified(then.type, otherwise.type)
        if type is None:
            kinds = f"{in_words(then.type)} and {in_words(otherwise.type)}"
            raise RuleError(f"both ends of a choice have to be of one type, and these are {kinds}", node.place)
        return t.Choose(condition, self.converted(then, type), self.converted(otherwise, type), type, node.place)

    def _macro(self, node: s.Invoke, bound: Bound, depth: int) -> t.Node:
        name = _MACROS[node.name]
        names, bodies = _split(node, name)
        if node.target is None:
            raise RuleError(f"{node.name} is called on a list or a map: items.{node.name}(...)", node.place)
        of = self.node(node.target, bound, depth + 1)
        index_type, item_type = _items_of(of, node)
        if isinstance(of, t.Given) and of.value == () and isinstance(item_type, Null):
            # A constant empty list has items of any type. The result does not depend on the body.
            return t.Given(name == "all", FLAG, node.place) if name in ("all", "exists", "exists_one") else of
        if isinstance(without_null(of.type), MapOf) and len(names) == 1:
            item_type = TEXT  # A macro of one variable goes through the keys of a map.
        inner: dict[str, t.Root | _Bind] = dict(bound)
        made = []
        for own, type in zip(names, (index_type, item_type)[-len(names) :], strict=True):
            self._fresh += 1
            root = t.Root(f"{own.name}#{self._fresh}", type, own.place)
            inner[own.name] = root
            made.append(root.name)
        index = made[0] if len(made) == 2 else None
        *before, last = bodies
        if name == "map":
            condition = self.condition(before[0], inner, depth + 1, "the condition of a map") if before else None
            body = self.node(last, inner, depth + 1)
            most = without_null(of.type).most if isinstance(without_null(of.type), ListOf) else None  # type: ignore[union-attr]
            return t.Over("map", of, made[-1], body, ListOf(body.type, most), index, condition, node.place)
        body = self.condition(last, inner, depth + 1, f"the condition of {node.name}")
        type = FLAG if name != "filter" else without_null(of.type)
        if name == "filter" and not isinstance(type, ListOf):
            type = ListOf(TEXT)
        return t.Over(name, of, made[-1], body, type, index, None, node.place)

    # Methods that the makers of functions call (`signatures.Checker`)

    def converted(self, node: t.Node, type: Type) -> t.Node:
        """Return a node converted to the unit of a type. Raises `RuleError` if items of a list need another unit."""
        own, wanted = without_null(node.type), without_null(type)
        if isinstance(own, Number) and isinstance(wanted, Number):
            factor = conversion(own, wanted)
            return node if factor == 1 else t.Apply(numbers.SCALE, (node,), type, factor, node.place)
        if isinstance(own, Null):
            return node
        if not same_units(own, wanted):
            meant = f"where {in_words(wanted)} is meant: convert its items"
            raise RuleError(f"this is {described(node)}, {meant}", node.place)
        return node

    def fresh(self, name: str, type: Type) -> t.Root:
        """Return a variable with a name that no expression uses."""
        self._fresh += 1
        return t.Root(f"{name}#{self._fresh}", type)


def constant(value: Any, place: s.Place) -> t.Given:
    """Return a literal with its type; a number has no unit yet."""
    if value is None:
        return t.Given(None, NULL, place)
    if isinstance(value, bool):
        return t.Given(value, FLAG, place)
    if isinstance(value, int):
        return t.Given(value, BARE, place)
    if isinstance(value, Fraction):
        step = Fraction(1, value.denominator) if value.denominator else None
        return t.Given(int_if_whole(value), Number(Amount(ONE, _decimal_step(step)), bare=True), place)
    return t.Given(value, TEXT, place)


def _decimal_step(step: Fraction | None) -> Fraction | None:
    """Return the step of a decimal literal; 2.0 is not a whole number in CEL, so its step is 0.1."""
    return Fraction(1, 10) if step == 1 else step


_MACROS: Mapping[str, t.Macro] = {
    "all": "all",
    "exists": "exists",
    "exists_one": "exists_one",
    "existsOne": "exists_one",
    "filter": "filter",
    "map": "map",
    "transformList": "map",
}


def _split(node: s.Invoke, name: t.Macro) -> tuple[tuple[s.Ident, ...], tuple[s.Expression, ...]]:
    """Return the variables of a macro (one, or an index and one) and its expressions."""
    two = node.name == "transformList" or (len(node.args) == 3 and name != "map")
    names = node.args[: 2 if two else 1]
    bodies = node.args[len(names) :]
    known = {own.name for own in names if isinstance(own, s.Ident)}
    if len(known) != len(names) or not 1 <= len(bodies) <= (2 if name == "map" else 1):
        shape = f"{'place, ' if two else ''}x, {'value' if name == 'map' else 'condition'}"
        raise RuleError(f"{node.name} takes {shape}: items.{node.name}({shape})", node.place)
    return names, bodies  # type: ignore[return-value]


def _items_of(of: t.Node, node: s.Invoke) -> tuple[Type, Type]:
    type = without_null(of.type)
    if isinstance(type, ListOf):
        return COUNT, type.item
    if isinstance(type, MapOf):
        return TEXT, type.value
    raise RuleError(f"{node.name} goes through a list or a map, and this is {described(of)}", node.place)


_NAMESPACES = frozenset(("math", "sets", "lists", "cel"))


def _no_function(name: str, space: str, node: s.Invoke) -> str:
    if space:
        own = [known for known in (*FUNCTIONS, "cel.bind") if known.startswith(f"{space}.")]
        return f"there is no function {space}.{name}(); there is {_listed(own)}"
    if node.target is not None:
        return f"there is no function .{name}(); there is {_listed((*METHODS, *_MACROS))}"
    return f"there is no function {name}(); there is {_listed(own for own in FUNCTIONS if '.' not in own)}"


_MOST_LISTED = 40


def _listed(names: Iterable[str]) -> str:
    """Return names for a message; a long list is cut."""
    own = list(names)
    more = f" and {len(own) - _MOST_LISTED:,} more" if len(own) > _MOST_LISTED else ""
    return ", ".join(own[:_MOST_LISTED]) + more if own else "nothing"
