"""An oracle for edges of random rules: the naive twin evaluates them, and enumerates all calls between two calls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

from holdtrue.guard.analysis.situation import Situation
from holdtrue.guard.policy import Policy
from tests.guard.completions.random_rules import KINDS, RuleMaker, policy
from tests.guard.completions.twin import RECORDS, Expr, Twin, World, hidden_fields

Values = Mapping[tuple[str, ...], Any]
"""The call at ("call",), and each record at its kind and keys."""


@dataclass(frozen=True)
class RandomPolicy:
    """A policy with random rules, and the rules as the twin has them."""

    policy: Policy
    rules: Mapping[str, Expr]


def random_policy(random: Random, most: int = 3) -> RandomPolicy:
    """Return a policy with some random rules, of which a third have a condition."""
    holds = {
        f"r{place}": RuleMaker(random).make("bool", random.randint(1, 3)) for place in range(random.randint(1, most))
    }
    when = {id: RuleMaker(random).make("bool", random.randint(1, 2)) for id in holds if random.random() < 0.33}
    rules = {id: ("or", ("not", when[id]), own) if id in when else own for id, own in holds.items()}
    return RandomPolicy(policy(holds, when), rules)


def values_of(situation: Situation) -> Values:
    """Return the values of a situation as the twin has them."""
    found: dict[tuple[str, ...], Any] = {("call",): read(situation.call, "Call", "call")}
    for kind, entries in situation.facts.items():
        for entry in entries:
            keys = entry.get("key", entry)
            names = ("id", "n") if kind == "order" else ("id",)
            key = tuple(keys[name] for name in names)
            record = (
                entry["record"]
                if "record" in entry
                else {name: own for name, own in entry.items() if name not in names}
            )
            found[(kind, *key)] = {} if record is None else read(record, KINDS[kind], f"{kind}{key}")
    return found


def read(value: Any, type: Any, path: str) -> Any:
    """Return a JSON value as the twin has it. A required field that is not there is hidden."""
    if value is None:
        return None
    if isinstance(type, Mapping):
        if "or null" in type:
            return read(value, type["or null"], path)
        if "map of" in type:
            return {key: read(own, type["map of"], f"{path}[{key}]") for key, own in value.items()}
        return tuple(read(own, type["list of"], f"{path}[{place}]") for place, own in enumerate(value))
    if type in RECORDS:
        known = {name.removesuffix("?"): own for name, own in RECORDS[type].items()}
        found = {name: own for name, own in hidden_fields(path, RECORDS[type]).items() if not own.perhaps}
        return found | {name: read(own, known[name], f"{path}.{name}") for name, own in value.items()}
    if type == "date":
        return date.fromisoformat(value)
    return Fraction(str(value)) if isinstance(value, float) else value


def truth(rule: Expr, values: Values) -> bool | None:
    """Return whether the rule is kept, by the twin."""
    facts = {key: own for key, own in values.items() if key != ("call",)}
    return Twin(World(), values[("call",)], facts, KINDS).truth(rule)


ABSENT = object()


def leaves(one: Any, other: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any, Any]]:
    """Yield the paths at which two values differ, with both values; `ABSENT` if there is none."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        for name in {**one, **other}:
            yield from leaves(one.get(name, ABSENT), other.get(name, ABSENT), (*path, name))
    elif isinstance(one, tuple) and isinstance(other, tuple):
        for place in range(max(len(one), len(other))):
            mine, yours = (own[place] if place < len(own) else ABSENT for own in (one, other))
            yield from leaves(mine, yours, (*path, place))
    elif one is not other and (one != other or isinstance(one, bool) is not isinstance(other, bool)):
        yield path, one, other


def between(one: Any, other: Any, step: Fraction = Fraction(1)) -> list[Any]:
    """Return the values from one to the other, both included."""
    if isinstance(one, date) and isinstance(other, date):
        days = range(min(one, other).toordinal(), max(one, other).toordinal() + 1)
        return [date.fromordinal(own) for own in days]
    if all(isinstance(own, int | Fraction) and not isinstance(own, bool) for own in (one, other)):
        low, high = min(one, other), max(one, other)
        return [low + place * step for place in range(int((high - low) / step) + 1)]
    return [one, other]


def put(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """Return a value with another one at a path, or with none there if it is `ABSENT`."""
    if not path:
        return new
    step, *rest = path
    if isinstance(value, tuple):
        if len(path) == 1 and new is ABSENT:
            return value[:step] + value[step + 1 :]
        own = value[step] if step < len(value) else None
        return (*value[:step], put(own, tuple(rest), new), *value[step + 1 :])
    if len(path) == 1 and new is ABSENT:
        return {name: own for name, own in value.items() if name != step}
    return {**value, step: put(value.get(step), tuple(rest), new)}


def all_between(one: Values, other: Values) -> Iterator[Values]:
    """Yield all calls between two calls."""
    found = list(leaves(one, other))
    for some in product(*(between(left, right, Fraction(1, 1 + (path[-1] == "half"))) for path, left, right in found)):
        made: Any = one
        # Items of a list are taken away from its end.
        for (path, _, _), new in reversed(list(zip(found, some, strict=True))):
            made = put(made, path, new)
        if list(leaves(made, one)) and list(leaves(made, other)):
            yield made


# Rules as people write them


class PlainRules:
    """Makes conditions such as a policy has: comparisons of numbers, dates, names and lists, joined."""

    def __init__(self, random: Random) -> None:
        self._random = random
        call: Expr = ("var", "call")
        user: Expr = ("fact", "user", ("get", call, "user"))
        order: Expr = ("fact", "order", ("get", user, "boss"), ("get", user, "least"))
        self._call, self._user, self._order = call, user, order
        self._numbers = [("get", call, "n"), ("get", user, "least"), ("get", user, "high"), ("get", order, "total")]
        self._flags = [("get", call, "flag"), ("get", user, "vip")]
        self._lists = [("get", call, "items"), ("get", user, "items")]
        self._ints = [("get", call, "nums"), ("get", user, "nums")]

    def make(self, depth: int) -> Expr:
        """Return a condition, nested so deep at most."""
        random = self._random
        if depth == 0 or random.random() < 0.25:
            return self._simple()
        match random.randrange(5):
            case 0 | 1:
                return "and", self.make(depth - 1), self.make(depth - 1)
            case 2 | 3:
                return "or", self.make(depth - 1), self.make(depth - 1)
        return "not", self.make(depth - 1)

    def _simple(self) -> Expr:
        random, call, user = self._random, self._call, self._user
        about: Expr
        order = random.choice(("less", "at_most"))
        match random.randrange(12):
            case 0 | 1 | 2:
                sides = [random.choice(self._numbers), self._number()]
                return order, *random.sample(sides, 2)
            case 3:
                plan = random.choice((("get", call, "plan"), ("get", user, "plan")))
                return random.choice(("equal", "unequal")), plan, ("given", random.choice(("free", "pro")))
            case 4:
                return random.choice(self._flags)
            case 5:
                return "equal", ("get", call, "user"), ("get", self._order, "owner")
            case 6:
                note: Expr = ("get", call, "note")
                about = random.choice(
                    (("equal", note, ("given", "a")), ("in", note, ("list", ("given", "a"), ("given", "zz"))))
                )
                return random.choice((("and", ("has", call, "note"), about), ("has", call, "note")))
            case 7:
                limit = ("get", random.choice((call, user)), "limit")
                return "or", ("equal", limit, ("given", None)), (order, limit, ("given", 1))
            case 8:
                since, day = ("get", user, "since"), ("get", call, "day")
                dates = [day, random.choice((("given", date(2026, 3, 1)), ("later", since), since))]
                return order, *random.sample(dates, 2)
            case 9:
                return order, ("size", random.choice(self._lists)), ("given", random.randint(1, 2))
            case 10:
                item: Expr = ("var", "v1")
                same: Expr = ("equal", ("get", item, "sku"), ("given", "a"))
                counted: Expr = (order, ("get", item, "n"), self._number())
                about = random.choice((counted, same))
                return "over", random.choice(("all", "exists")), random.choice(self._lists), "", "v1", None, about
        most: Expr = ("at", ("table",), ("get", call, "plan"))
        return order, ("sum", random.choice(self._ints)), random.choice((most, ("given", 2)))

    def _number(self) -> Expr:
        return self._random.choice((*self._numbers, ("given", 0), ("given", 1), ("given", 2), ("given", 1)))


def plain_policy(random: Random, most: int = 3) -> RandomPolicy:
    """Return a policy with some plain rules, of which a third have a condition."""
    maker = PlainRules(random)
    holds = {f"r{place}": maker.make(random.randint(0, 2)) for place in range(random.randint(1, most))}
    when = {id: maker.make(random.randint(0, 1)) for id in holds if random.random() < 0.33}
    rules = {id: ("or", ("not", when[id]), own) if id in when else own for id, own in holds.items()}
    return RandomPolicy(policy(holds, when), rules)
