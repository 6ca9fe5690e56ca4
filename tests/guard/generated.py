"""Generate random policies, with tools, records and rules of random types, and partly seen calls of them.

All choices come from a `Random`. Hypothesis's own shrinks failing cases, and a seeded one is quick.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from holdtrue.guard.facts import Facts
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_file import make_policy
from holdtrue.logic.units import SECOND
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules import types as ty
from holdtrue.rules.paths import below
from holdtrue.rules.types import Type
from holdtrue.rules.values import to_json
from tests.guard.generated_rules import RuleWriter

USERS = ("ann", "bob", 'it\'s "eve" #1')
TEXTS = ("", "vip", "a", "facts.acc('ann').plan", "x#null")
KEYS = ("a", "b.c")
DAY = 739_680
"""2026-03-02, the day on which all happens."""
NOW = "2026-03-02T12:00:00Z"
NOW_S = (DAY - 1) * 86_400 + 43_200
WORDS = "small big a_date content-type n m flag who other note price fee when at_time lines tags left".split()

SCALARS: tuple[Any, ...] = (
    "bool",
    "Plan",
    "whole 0..3",
    "whole -2..2",
    "USD(2) 0..4",
    "USD by 0.5 0..2",
    "decimal(1) 0..1",
    "number 0..2",
    "whole 0..",
    "date",
    "moment Z",
    "time",
    "duration 1h..3h",
    "id of user",
    "id of user",
    "text",
    ["on", "off"],
)
LISTS: tuple[Any, ...] = (
    "list of Line up to 2",
    "list of text up to 3",
    "list of whole 0..3",
    "list of id of user up to 2",
)
SAID: dict[str, Any] = {
    "agreed": {"type": "bool"},
    "picked": {"type": "list of id of user up to 2"},
    "reason": {"type": "Plan"},
    "ill": {"type": "bool", "claim": True},
    "counts": {"type": "map of whole 0..3"},
}


@dataclass(frozen=True)
class Case:
    """A call, and all that a decision on it is made from."""

    policy: Policy
    tool: str
    arguments: Any
    facts: Facts
    settings: dict[str, Any]


def record(random: Random, most: int = 5) -> dict[str, Any]:
    """Return the notation of a random record."""
    found: dict[str, Any] = {}
    for name in random.sample(WORDS, random.randint(2, most)):
        kind = random.choice((*SCALARS, *SCALARS, *LISTS, "map of whole 0..3"))
        if isinstance(kind, str) and random.random() < 0.12 and not kind.startswith(("list", "map")):
            kind = f"{kind} or null"
        found[f"{name}?" if random.random() < 0.2 else name] = kind
    return found


def policy(random: Random, rules: int = 3) -> Policy:
    """Return a random policy with a writing tool `act`, an `answer`, and tools that show records."""
    act = {**record(random), "user": "id of user", "day": "date", "place": "whole 0..2"}
    types = {
        "Plan": ["free", "pro", "team"],
        "Line": {"cost": "USD(2) 0..4", "count": "whole 0..2", "who": "id of user", "gift?": "bool"},
        "Acc": {**record(random), "owner": "id of user"},
        "Slot": record(random, 3),
    }
    parts: dict[str, Any] = {
        "types": types,
        "now": NOW,
        "zone": "Z",
        "tools": {
            "definitions": [
                open_tool("act", act),
                tool("get_acc", {"user": "string"}),
                tool("peek_acc", {"user": "string"}),
                tool("get_slot", {"day": "string", "place": "integer"}),
            ],
            "reads": ["get_acc", "peek_acc", "get_slot"],
            "types": {
                "act": {below("", name.removesuffix("?")): own for name, own in act.items()},
                **{name: {"user": "id of user"} for name in ("get_acc", "peek_acc")},
                "get_slot": {"day": "date"},
            },
        },
        "facts": {
            "acc": {
                "key": {"user": "id of user"},
                "record": "Acc",
                "from": [
                    {"tool": "get_acc", "key": {"user": "call.user"}},
                    {"tool": "peek_acc", "key": {"user": "call.user"}, "partial": True},
                ],
                **({"fresh": "1h"} if random.random() < 0.3 else {}),
            },
            "slot": {
                "key": {"day": "date", "place": "whole"},
                "record": "Slot",
                "from": [{"tool": "get_slot", "key": {"day": "call.day", "place": "call.place"}}],
            },
        },
        "said": SAID,
        "tables": {"allowed": {"free": 1, "pro": 2, "team": 4}, "names": ["ann", "vip"]},
        "unsaid": random.choice(("false", "false", "unknown")),
    }
    bare = make_policy("random", **parts)
    writer = RuleWriter(random, bare, USERS, TEXTS)
    parts["rules"] = [writer.rule(f"r{place}", "act") for place in range(random.randint(1, rules))]
    return make_policy("random", **parts)


def tool(name: str, properties: dict[str, str] | None = None) -> dict[str, Any]:
    """Return the definition of a tool with arguments of these JSON types, all of them required."""
    own = {key: {"type": kind} for key, kind in (properties or {}).items()}
    return {"name": name, "parameters": {"type": "object", "properties": own, "required": [*own]}}


def open_tool(name: str, record: dict[str, Any]) -> dict[str, Any]:
    """Return the definition of a tool without types of its arguments. A name with `?` is optional."""
    own: dict[str, Any] = {key.removesuffix("?"): {} for key in record}
    return {
        "name": name,
        "parameters": {"type": "object", "properties": own, "required": sorted(own.keys() & record.keys())},
    }


def value(random: Random, type: Type) -> Any:
    """Return a random value of a type."""
    match type:
        case ty.Nullable(inner):
            return None if random.random() < 0.4 else value(random, inner)
        case ty.Flag():
            return random.random() < 0.5
        case ty.Number():
            return number(random, type)
        case ty.Name(kind, options):
            return random.choice(options or (USERS if kind == "user" else TEXTS))
        case ty.ListOf(item, most, least):
            return tuple(value(random, item) for _ in range(random.randint(least, 3 if most is None else most)))
        case ty.MapOf(inner):
            return {key: value(random, inner) for key in KEYS if random.random() < 0.5}
        case ty.Record(fields):
            there = {name: own for name, own in fields.items() if own.required or random.random() < 0.6}
            return {name: value(random, own.type) for name, own in there.items()}
        case Calendar("date"):
            return DAY + random.randint(-2, 2)
        case Calendar("time"):
            return random.choice((0, 43_200, 43_201, 86_399))
        case Calendar():
            return NOW_S + random.choice((-86_400, -3_601, -3_600, -1, 0, 1, 3_600))
    raise TypeError(type)


def number(random: Random, type: ty.Number) -> int | Fraction:
    """Return a random number of a type: at its bounds, or between them."""
    step = type.sort.step or (Fraction(3600) if type.sort.unit == SECOND else Fraction(1, 4))
    low = Fraction(0) if type.low is None else type.low
    high = low + 4 * step if type.high is None else type.high
    most = int((high - low) / step)
    found = low + step * random.choice((0, most, random.randint(0, most)))
    return found.numerator if found.denominator == 1 else found


def case(random: Random, own: Policy) -> Case:
    """Return a random call of `act` under a policy, with partly seen facts."""
    arguments = to_json(value(random, own.tools["act"].arguments), own.tools["act"].arguments)
    settings: dict[str, Any] = {
        "said": said(random, own),
        "unsaid": random.choice((None, None, "false", "unknown")),
        "consent": random.random() < 0.5,
        "listen": random.random() < 0.9,
    }
    if random.random() < 0.1:
        settings["partial"] = True
        arguments = {name: each for name, each in arguments.items() if random.random() < 0.7}
    if random.random() < 0.1:
        settings["now"] = "2026-03-02T12:30:00Z"
    return Case(own, "act", arguments, facts(random, own), settings)


def said(random: Random, own: Policy) -> dict[str, Any] | None:
    """Return random statements of users, or None."""
    if random.random() < 0.3:
        return None
    return {
        name: to_json(value(random, each.type), each.type) for name, each in own.said.items() if random.random() < 0.4
    }


def facts(random: Random, own: Policy) -> Facts:
    """Return random facts, as results of tools showed them."""
    found = Facts.none()
    if random.random() < 0.5:
        found = found.with_words(f"I am {random.choice(('ANN', 'u-1', 'ann'))}, and my order is X7.")
    for _ in range(random.randint(0, 4)):
        found = seen(random, own, found)
    act = own.tools["act"].arguments
    for _ in range(random.choice((0, 0, 1, 2))):
        found = own.saw(found, "act", to_json(value(random, act), act), "done", at=moment(random))
    assert not found.notes, found.notes
    return found


def seen(random: Random, own: Policy, found: Facts) -> Facts:
    """Return facts after one more call that shows a record, or a part of it."""
    acc, slot = own.facts["acc"].record, own.facts["slot"].record
    name = random.choice(("get_acc", "peek_acc", "get_slot"))
    if name == "get_slot":
        keys: dict[str, Any] = {"day": f"2026-03-0{random.randint(1, 3)}", "place": random.randint(0, 1)}
        return own.saw(found, name, keys, to_json(value(random, slot), slot), at=moment(random))
    shown = to_json(value(random, acc), acc)
    if name == "peek_acc":
        shown = {key: each for key, each in shown.items() if random.random() < 0.5}
    return own.saw(found, name, {"user": random.choice(USERS)}, shown, at=moment(random))


def moment(random: Random) -> str | None:
    """Return the moment of an earlier call, if anybody said it."""
    return random.choice((NOW, "2026-03-02T11:30:00Z", "2026-03-02T10:00:00Z", "2026-03-02T13:00:00Z", None))
