"""A naive twin of rules: it evaluates their trees on plain values, and enumerates all unseen values.

It shares no code with the library. A type is the notation of policy files, and a record type is a name in `RECORDS`. An
expression is a tuple of its kind and its operands. `text` writes it in CEL, and `Twin.value` evaluates it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction
from random import Random
from typing import Any

Expr = tuple[Any, ...]
HALF = Fraction(1, 2)
TEXTS = KEYS = ("a", "ab", "zz")
SCALARS: Mapping[str, tuple[Any, ...]] = {
    "bool": (False, True),
    "whole 0..2": (0, 1, 2),
    "whole -1..1": (-1, 0, 1),
    "number by 0.5 0..1": (0, HALF, 1),
    "text": TEXTS,
    "id of user": ("u1", "u2", "u3"),
    "[free, pro]": ("free", "pro"),
    "whole 0..": (0, 1, 2, 7),
    "date": (date(2026, 2, 28), date(2026, 3, 1)),
}
TABLE = {"free": 1, "pro": 2}
RECORDS: dict[str, dict[str, Any]] = {}
ABSENT = ("order",)
"""The kinds of which a tool can say that there is no such record, which then has no fields."""


class Wrong(Exception):
    """Computing a value is an error."""


@dataclass(frozen=True)
class Hidden:
    """A value that nobody has shown: any of its type; one that is `perhaps` there may be missing."""

    path: str
    type: Any
    perhaps: bool = False


@dataclass
class World:
    """The values of all hidden values in one completion. `next` goes on to the next completion, until there is none."""

    random: Random | None = None
    taken: dict[str, Any] = field(default_factory=dict)
    plan: list[list[int]] = field(default_factory=list)

    def pick(self, path: str, options: tuple[Any, ...]) -> Any:
        if path not in self.taken:
            place = len(self.taken)
            if self.random is not None:
                self.taken[path] = self.random.choice(options)
                return self.taken[path]
            if place == len(self.plan):
                self.plan.append([0, len(options)])
            self.taken[path] = options[self.plan[place][0]]
        return self.taken[path]

    def next(self) -> bool:
        self.taken = {}
        while self.random is None and self.plan and self.plan[-1][0] + 1 == self.plan[-1][1]:
            self.plan.pop()
        if self.random is None and self.plan:
            self.plan[-1][0] += 1
        return self.random is not None or bool(self.plan)

    def shown(self, value: Any) -> Any:
        """Return a value, of which parts may still be hidden."""
        if not isinstance(value, Hidden):
            return value
        path, type = value.path, value.type
        if isinstance(type, str):
            return self.pick(path, SCALARS[type]) if type in SCALARS else hidden_fields(path, RECORDS[type])
        if "or null" in type:
            null = self.pick(f"{path}#null", (False, True))
            return None if null else self.shown(Hidden(path, type["or null"]))
        if "map of" in type:
            return {
                key: Hidden(f"{path}[{key}]", type["map of"])
                for key in KEYS
                if self.pick(f"{path}[{key}]#there", (False, True))
            }
        size = self.pick(f"{path}#size", tuple(range(type.get("from", 0), min(3, type.get("up to", 3)) + 1)))
        return tuple(Hidden(f"{path}[{place}]", type["list of"]) for place in range(size))

    def there(self, of: Mapping[str, Any], name: str) -> bool:
        own = of.get(name)
        if isinstance(own, Hidden) and own.perhaps:
            return bool(self.pick(f"{own.path}#there", (False, True)))
        return name in of

    def whole(self, value: Any) -> Any:
        """Return a value with nothing hidden in it."""
        own = self.shown(value)
        if isinstance(own, tuple):
            return tuple(map(self.whole, own))
        return (
            {name: self.whole(each) for name, each in own.items() if self.there(own, name)}
            if isinstance(own, dict)
            else own
        )


def hidden_fields(path: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name.removesuffix("?"): Hidden(f"{path}.{name.removesuffix('?')}", type, name.endswith("?"))
        for name, type in fields.items()
    }


def same(left: Any, right: Any) -> bool:
    """Return whether two whole values are equal: a flag is no number, and null equals null alone."""
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    return isinstance(left, bool) is isinstance(right, bool) and bool(left == right)


def _whole_quotient(left: Any, right: Any) -> Any:
    size = abs(left) // abs(right)
    return size if (left < 0) == (right < 0) else -size


def _within(part: tuple[Any, ...], of: tuple[Any, ...]) -> bool:
    return all(any(same(own, other) for other in of) for own in part)


STRICT: Mapping[str, tuple[str, Callable[..., Any]]] = {
    "add": ("({} + {})", lambda left, right: left + right),
    "join": ("({} + {})", lambda left, right: left + right),
    "subtract": ("({} - {})", lambda left, right: left - right),
    "multiply": ("({} * {})", lambda left, right: left * right),
    "divide": ("({} / {})", _whole_quotient),
    "remainder": ("({} % {})", lambda left, right: left - right * _whole_quotient(left, right)),
    "negative": ("-({})", lambda value: -value),
    "absolute": ("math.abs({})", abs),
    "sign": ("math.sign({})", lambda value: (value > 0) - (value < 0)),
    "less": ("({} < {})", lambda left, right: left < right),
    "at_most": ("({} <= {})", lambda left, right: left <= right),
    "later": ("({} + days(1))", lambda day: day + timedelta(1)),
    "lower": ("{}.lowerAscii()", str.lower),
    "starts": ("{}.startsWith({})", str.startswith),
    "ends": ("{}.endsWith({})", str.endswith),
    "contains": ("{}.contains({})", lambda text, part: part in text),
    "size": ("size({})", len),
    "sum": ("({}).sum()", sum),
    "least": ("math.least({})", min),
    "greatest": ("math.greatest({})", max),
    "flatten": ("({}).flatten()", lambda items: tuple(item for own in items for item in own)),
    "sets_contains": ("sets.contains({}, {})", lambda of, part: _within(part, of)),
    "sets_intersects": ("sets.intersects({}, {})", lambda of, part: not all(not _within((own,), of) for own in part)),
    "sets_equivalent": ("sets.equivalent({}, {})", lambda of, part: _within(part, of) and _within(of, part)),
}
"""How operations are written, and their effect on whole values. An error in Python is an error here."""
LAZY = {
    "and": "({} && {})", "or": "({} || {})", "not": "!({})", "choose": "({} ? {} : {})",
    "equal": "({} == {})", "unequal": "({} != {})", "in": "({} in {})", "at": "{}[{}]",
}  # fmt: skip


def text(node: Expr) -> str:
    """Return an expression as CEL has it."""
    kind, *rest = node
    match kind:
        case "given":
            return _written(rest[0])
        case "table":
            return "tables.limits"
        case "var":
            return str(rest[0])
        case "get":
            return f"{text(rest[0])}.{rest[1]}"
        case "has":
            return f"has({text(rest[0])}.{rest[1]})"
        case "fact":
            return f"facts.{rest[0]}({', '.join(map(text, rest[1:]))})"
        case "list":
            return f"[{', '.join(map(text, rest))}]"
        case "map":
            return "{" + ", ".join(f"'{key}': {text(own)}" for key, own in rest) + "}"
        case "over":
            macro, of, index, variable, condition, body = rest
            shown = [index, variable, *(text(own) for own in (condition, body) if own is not None)]
            name = "transformList" if macro == "map" and index else macro
            return f"({text(of)}).{name}({', '.join(own for own in shown if own)})"
    return (LAZY.get(kind) or STRICT[kind][0]).format(*map(text, rest))


def _written(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, date):
        return f"date('{value}')"
    return repr(value) if isinstance(value, str | int) else f"{float(value)}"


@dataclass
class Twin:
    """Evaluates expressions in one world, with the call and the records of each kind by key."""

    world: World
    call: Any
    facts: Mapping[tuple[Any, ...], Any]
    kinds: Mapping[str, str]
    bound: dict[str, Any] = field(default_factory=dict)

    def truth(self, node: Expr) -> bool | None:
        """Return the truth of a condition, None for an error."""
        try:
            return self.value(node) is True
        except Wrong:
            return None

    def value(self, node: Expr) -> Any:
        kind, *rest = node
        match kind:
            case "given":
                return rest[0]
            case "table":
                return TABLE
            case "var":
                return self.world.shown(self.call if rest[0] == "call" else self.bound[rest[0]])
            case "get" | "has":
                of = self.value(rest[0])
                there = of is not None and self.world.there(of, rest[1])
                if of is None or (kind == "get" and not there):
                    raise Wrong
                return self.world.shown(of[rest[1]]) if kind == "get" else there
            case "fact":
                keys = tuple(self.value(own) for own in rest[1:])
                if None in keys:
                    raise Wrong
                path = f"{rest[0]}{keys}"
                known = rest[0] not in ABSENT or (rest[0], *keys) in self.facts
                if not known and not self.world.pick(f"{path}#exists", (True, False)):
                    return {}
                return self.world.shown(self.facts.get((rest[0], *keys), Hidden(path, self.kinds[rest[0]])))
            case "list":
                return tuple(self.value(own) for own in rest)
            case "map":
                return {key: self.value(own) for key, own in rest}
            case "over":
                return self._over(*rest)
            case "and" | "or":
                found = [self.truth(own) for own in rest]
                if (kind == "or") in found:
                    return kind == "or"
                if None in found:
                    raise Wrong
                return kind == "and"
            case "not":
                return self.value(rest[0]) is not True
            case "choose":
                return self.value(rest[1] if self.value(rest[0]) is True else rest[2])
        args = [self.world.whole(self.value(own)) for own in rest]
        match kind:
            case "equal" | "unequal":
                return same(*args) is (kind == "equal")
            case "in" if isinstance(args[1], dict) and args[0] is not None:
                return args[0] in args[1]
            case "in" if isinstance(args[1], tuple):
                return any(same(args[0], own) for own in args[1])
            case "at" if isinstance(args[0], dict) and args[1] in args[0]:
                return args[0][args[1]]
            case "at" if isinstance(args[0], tuple) and args[1] is not None and 0 <= args[1] < len(args[0]):
                return args[0][args[1]]
        if kind not in STRICT or None in args or (kind in ("sum", "least", "greatest") and None in args[0]):
            raise Wrong
        try:
            return STRICT[kind][1](*args)
        except (TypeError, ValueError, ZeroDivisionError):
            raise Wrong from None

    def _over(self, macro: str, of: Expr, index: str, variable: str, condition: Expr | None, body: Expr) -> Any:
        values = self.value(of)
        if values is None:
            raise Wrong
        pairs = list(values.items()) if isinstance(values, dict) else list(enumerate(values))
        if isinstance(values, dict) and not index:
            pairs = [(key, key) for key, _ in pairs]
        if macro in ("all", "exists"):
            found = [self._with(index, variable, pair, body, self.truth) for pair in pairs]
            if (macro == "exists") in found:
                return macro == "exists"
            if None in found:
                raise Wrong
            return macro == "all"
        if macro == "map":
            kept = [own for own in pairs if condition is None or self._with(index, variable, own, condition) is True]
            return tuple(self._with(index, variable, own, body) for own in kept)
        kept = [own for own in pairs if self._with(index, variable, own, body) is True]
        return len(kept) == 1 if macro == "exists_one" else tuple(own for _, own in kept)

    def _with(
        self, index: str, variable: str, pair: tuple[Any, Any], body: Expr, how: Callable[[Expr], Any] | None = None
    ) -> Any:
        self.bound[variable] = pair[1]
        if index:
            self.bound[index] = pair[0]
        return (how or self.value)(body)
