"""Random rules for the twin: every operation on values of every type, and a policy and partial facts to check them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from random import Random
from typing import Any

from holdtrue.guard.facts import Facts
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_file import make_policy
from tests.guard.completions.twin import HALF, KEYS, RECORDS, SCALARS, TABLE, TEXTS, Expr, Hidden, hidden_fields, text

WHOLE, TEXT, ID = "whole 0..2", "text", "id of user"
RECORDS |= {
    "Item": {"n": WHOLE, "sku": TEXT, "ok?": "bool", "tags": {"list of": TEXT, "up to": 1}},
    "Call": {
        "user": ID,
        "other?": ID,
        "n": "whole -1..1",
        "flag": "bool",
        "plan": "[free, pro]",
        "note?": TEXT,
        "limit": {"or null": WHOLE},
        "nums": {"list of": WHOLE, "up to": 2},
        "items": {"list of": "Item", "up to": 2},
        "prices": {"map of": WHOLE},
        "day": "date",
        "open": {"list of": WHOLE},
    },
    "User": {
        "least": WHOLE,
        "vip": "bool",
        "plan": "[free, pro]",
        "name": TEXT,
        "nick?": TEXT,
        "half": "number by 0.5 0..1",
        "limit": {"or null": WHOLE},
        "sure": {"or null": "bool"},
        "nums": {"list of": "whole -1..1", "from": 1, "up to": 2},
        "tags": {"list of": TEXT, "up to": 2},
        "flags": {"list of": "bool", "up to": 2},
        "gaps": {"list of": {"or null": WHOLE}, "up to": 2},
        "rows": {"list of": {"list of": WHOLE, "up to": 2}, "up to": 2},
        "items": {"list of": "Item", "up to": 2},
        "first": "Item",
        "prices": {"map of": WHOLE},
        "boss": ID,
        "since": {"or null": "date"},
        "high": "whole 0..",
        "long": {"list of": TEXT, "up to": 20},
        "lines": {"list of": "Item", "from": 1},
        "more": {"or null": {"list of": WHOLE, "up to": 1}},
    },
    "Order": {"total": WHOLE, "owner": ID, "open?": {"or null": "bool"}, "item": {"or null": "Item"}},
}
KINDS = {"user": "User", "order": "Order"}
Kind = Any
"""The kind of a value: bool, int, half, text, id, plan, or a list, map or record of one."""


def notation(type: Any) -> Any:
    """Return a type as a policy file has it."""
    if isinstance(type, str):
        return ["free", "pro"] if type == "[free, pro]" else type
    return {key: own if isinstance(own, int) else notation(own) for key, own in type.items()}


def kind_of(type: Any) -> Kind:
    if isinstance(type, str):
        if type in RECORDS:
            return "record", type
        return {"bool": "bool", "text": "text", "id of user": "id", "[free, pro]": "plan", "date": "date"}.get(
            type, "half" if type.startswith("number") else "int"
        )
    if "or null" in type:
        return kind_of(type["or null"])
    return ("list", kind_of(type["list of"])) if "list of" in type else ("map", kind_of(type["map of"]))


class RuleMaker:
    """Makes random expressions of a kind; `scope` has the expressions that may be used, with their kinds."""

    def __init__(self, random: Random, *, facts: bool = True) -> None:
        self._random = random
        self._names = 0
        self._scope: list[tuple[Expr, Kind]] = []
        self._made: list[tuple[Expr, Kind]] = []
        self._within = 0
        self._add(("var", "call"), ("record", "Call"))
        if facts:
            for key in random.sample([("get", ("var", "call"), "user"), ("given", "u1"), ("given", "u2")], 2):
                self._add(("fact", "user", key), ("record", "User"))
            boss: Expr = ("get", ("fact", "user", ("get", ("var", "call"), "user")), "boss")
            self._add(
                random.choice((("fact", "user", boss), ("fact", "order", boss, ("get", ("var", "call"), "n")))), None
            )

    def _add(self, node: Expr, kind: Kind) -> None:
        kind = kind or ("record", KINDS[node[1]])
        self._scope.append((node, kind))
        if kind[0] == "record":
            for name, type in RECORDS[kind[1]].items():
                own: Expr = ("get", node, name.removesuffix("?"))
                self._add(own, kind_of(type))
                if name.endswith("?") or self._random.random() < 0.1:
                    self._scope.append((("has", *own[1:]), "bool"))
                if isinstance(type, dict) and "or null" in type:
                    self._scope.append((("equal", own, ("given", None)), "bool"))

    def make(self, kind: Kind, depth: int) -> Expr:
        """Return an expression of a kind that is nested so deep at most; it may be one that was made before."""
        again = [node for node, own in self._made if own == kind]
        if depth and again and self._random.random() < 0.2:
            return self._random.choice(again)
        found = self._new(kind, depth)
        if depth and not self._within:
            self._made.append((found, kind))
        return found

    def _new(self, kind: Kind, depth: int) -> Expr:
        random = self._random
        paths = [node for node, own in self._scope if own == kind]
        if depth == 0 or (paths and random.random() < 0.2):
            if paths and (kind not in LITERALS or random.random() < 0.75):
                return random.choice(paths)
            return self._literal(kind)
        if random.random() < 0.08:
            return ("choose", self.make("bool", depth - 1), self.make(kind, depth - 1), self.make(kind, depth - 1))
        if random.random() < 0.12 and kind[0] not in ("map",):
            return self._part(kind, depth)
        if isinstance(kind, tuple):
            return self._collection(kind, depth) if kind[0] == "list" else random.choice(paths or [self._literal(kind)])
        if kind == "text":
            return random.choice(
                (("lower", self.make(kind, 0)), ("join", self.make(kind, 0), self.make(kind, 0)), self.make(kind, 0))
            )
        if kind == "date" and random.random() < 0.3:
            return "later", self.make(kind, 0)
        maker = {"bool": self._condition, "int": self._int, "half": self._half}.get(kind)
        return (
            maker(depth - 1)
            if maker
            else random.choice(paths)
            if paths and random.random() < 0.8
            else self._literal(kind)
        )

    def _literal(self, kind: Kind) -> Expr:
        if isinstance(kind, str):
            return "given", self._random.choice(LITERALS[kind])
        if kind[0] == "map":
            return "map", *((key, self.make(kind[1], 0)) for key in KEYS if self._random.random() < 0.6 or key == "a")
        if kind[0] == "record":
            return (
                ("fact", "user", ("given", "u1"))
                if kind[1] == "User"
                else ("get", ("fact", "user", ("given", "u1")), "first")
            )
        return "list", *(self.make(kind[1], 0) for _ in range(self._random.randint(1, 2)))

    def _some(self) -> Kind:
        return self._random.choice(
            (
                "int",
                "int",
                "text",
                "bool",
                ("list", "int"),
                ("list", "text"),
                ("record", "Item"),
                ("list", ("record", "Item")),
                ("map", "int"),
                "id",
                "plan",
                "half",
                "date",
                ("list", "bool"),
                ("list", ("list", "int")),
            )
        )

    def _part(self, kind: Kind, depth: int) -> Expr:
        """Return an item of a list, by its place, or of a map, by its key."""
        if kind == "int" and self._random.random() < 0.3:
            return "at", self.make(("map", "int"), depth - 1), self.make("text", depth - 1)
        if isinstance(kind, tuple) and kind[0] == "list" and isinstance(kind[1], tuple) and kind[1][0] == "list":
            return self._collection(kind, depth)
        return (
            "at",
            self.make(("list", kind), depth - 1),
            self.make("int", 0) if self._random.random() < 0.5 else ("given", self._random.randint(0, 1)),
        )

    def _int(self, depth: int) -> Expr:
        match self._random.randrange(9):
            case 8:
                return "at", ("table",), self.make("plan", 0)
            case 0 | 1:
                return (
                    self._random.choice(("add", "subtract", "multiply")),
                    self.make("int", depth),
                    self.make("int", depth),
                )
            case 2:
                by = (
                    ("given", self._random.choice((1, 2, 0, -2)))
                    if self._random.random() < 0.8
                    else self.make("int", 0)
                )
                return self._random.choice(("divide", "remainder")), self.make("int", depth), by
            case 3:
                return self._random.choice(("negative", "absolute", "sign")), self.make("int", depth)
            case 4 | 5:
                of = self._random.choice(
                    (("list", "int"), ("list", "text"), ("list", ("record", "Item")), ("map", "int"), "text")
                )
                return "size", self.make(of, depth)
        return self._random.choice(("sum", "least", "greatest")), self.make(("list", "int"), depth)

    def _half(self, depth: int) -> Expr:
        return self._random.choice(("add", "subtract", "multiply")), self.make("half", depth), self.make("half", depth)

    def _collection(self, kind: Kind, depth: int) -> Expr:
        item = kind[1]
        match self._random.randrange(8):
            case 0 | 1:
                return self._macro("filter", kind, depth - 1, body="bool")
            case 2 | 3 | 4:
                of = self._random.choice(
                    (kind, ("list", "int"), ("list", "text"), ("list", ("record", "Item")), ("map", "int"))
                )
                return self._macro("map", of, depth - 1, body=item)
            case 5:
                return "add", self.make(kind, depth - 1), self.make(kind, depth - 1)
            case 6 if item == "int" or depth == 1:
                return "flatten", self.make(("list", kind), depth - 1) if item == "int" else (
                    "list",
                    self.make(kind, depth - 1),
                )
        return "list", *(self.make(item, depth - 1) for _ in range(self._random.randint(1, 2)))

    def _macro(self, macro: str, of: Kind, depth: int, body: Kind = "bool") -> Expr:
        random = self._random
        self._names += 1
        variable, index = f"v{self._names}", f"i{self._names}" if random.random() < 0.2 and macro != "filter" else ""
        over = self.make(of, depth)
        self._within += 1
        before = len(self._scope)
        key: Kind = "text" if of[0] == "map" else "int"
        kind = of[1] if of[0] == "list" or index else key
        for _ in range(4):
            self._add(("var", variable), kind)
        if index:
            self._scope.append((("var", index), key))
        condition = self.make("bool", depth) if macro == "map" and random.random() < 0.4 else None
        found = self.make(body, depth)
        del self._scope[before:]
        self._within -= 1
        return "over", macro, over, index, variable, condition, found

    def _condition(self, depth: int) -> Expr:
        random = self._random
        match random.randrange(18):
            case 17:
                return "has", self.make(("map", "int"), 0), "a"
            case 0 | 1 | 2:
                return random.choice(("and", "or")), self.make("bool", depth), self.make("bool", depth)
            case 3:
                return "not", self.make("bool", depth)
            case 4 | 5 | 6:
                kind = self._some()
                return random.choice(("equal", "unequal")), self.make(kind, depth), self.make(kind, depth)
            case 7 | 8:
                kind = random.choice(("int", "int", "half", "text", "date"))
                return random.choice(("less", "at_most")), self.make(kind, depth), self.make(kind, depth)
            case 9 | 10:
                kind = self._some()
                return "in", self.make(kind, depth), self.make(("list", kind), depth)
            case 11:
                return "in", self.make("text", depth), self.make(("map", "int"), depth)
            case 12:
                return random.choice(("starts", "ends", "contains")), self.make("text", depth), self.make("text", 0)
            case 13:
                kind = random.choice((("list", "int"), ("list", "text")))
                sets = random.choice(("sets_contains", "sets_intersects", "sets_equivalent"))
                return sets, self.make(kind, depth), self.make(kind, depth)
        of = random.choice(
            (("list", "int"), ("list", "text"), ("list", ("record", "Item")), ("list", "bool"), ("map", "int"))
        )
        return self._macro(random.choice(("all", "exists", "exists_one")), of, depth)


LITERALS: Mapping[Kind, tuple[Any, ...]] = {
    "bool": (True, False), "int": (0, 1, 2, 1), "half": (HALF, HALF), "text": (*TEXTS, ""), "id": ("u1", "u2"), "plan": ("free", "pro"), "date": SCALARS["date"],
}  # fmt: skip


# A policy, and what is seen


def policy(rules: Mapping[str, Expr], definition: Mapping[str, Any] | None = None) -> Policy:
    """Return a policy with these rules on `send`; its records are shown by tools, wholly or in part."""
    call = RECORDS["Call"]
    tools = [
        {
            "name": name,
            "parameters": {
                "type": "object",
                "properties": {own.removesuffix("?"): {} for own in fields},
                "required": [own for own in fields if not own.endswith("?")],
            },
        }
        for name, fields in (
            ("send", call),
            ("get_user", {"id": ID}),
            ("peek_user", {"id": ID}),
            ("get_order", {"id": ID, "n": WHOLE}),
        )
    ]
    types = {"send": {name.removesuffix("?"): notation(own) for name, own in call.items()}}
    types |= {name: {"id": ID} for name in ("get_user", "peek_user")} | {"get_order": {"id": ID, "n": "whole"}}
    return make_policy(
        "random",
        types={
            name: {key: notation(own) for key, own in fields.items()}
            for name, fields in RECORDS.items()
            if name != "Call"
        },
        tools={
            "definitions": tools,
            "writes": ["send"],
            "reads": ["get_user", "peek_user", "get_order"],
            "types": types,
        },
        tables={"limits": TABLE},
        facts={
            "user": {
                "key": {"id": ID},
                "record": "User",
                "from": [
                    {"tool": "get_user", "key": {"id": "call.id"}},
                    {"tool": "peek_user", "key": {"id": "call.id"}, "partial": True},
                ],
            },
            "order": {
                "key": {"id": ID, "n": "whole"},
                "record": "Order",
                "from": [{"tool": "get_order", "key": {"id": "call.id", "n": "call.n"}}],
            },
        },
        rules=[{"id": id, "on": "send", "hold": text(own), "say": "It has to hold."} for id, own in rules.items()],
    )


def drawn(random: Random, type: Any, path: str, hide: float) -> Any:
    """Return a random value as the twin has it; fields of records are hidden with the probability `hide`."""
    if isinstance(type, str) and type in SCALARS:
        return random.choice(SCALARS[type])
    if isinstance(type, str):
        hidden = hidden_fields(path, RECORDS[type])
        found: dict[str, Any] = {}
        for name, own in RECORDS[type].items():
            key = name.removesuffix("?")
            if random.random() < hide:
                found[key] = hidden[key]
            elif not name.endswith("?") or random.random() < 0.6:
                found[key] = drawn(random, own, f"{path}.{key}", hide)
            elif hide:
                found[key] = hidden[key]  # What a part does not show may be there.
        return found
    if "or null" in type:
        return None if random.random() < 0.3 else drawn(random, type["or null"], path, hide)
    if "map of" in type:
        return {key: drawn(random, type["map of"], f"{path}[{key}]", hide) for key in KEYS if random.random() < 0.6}
    size = random.randint(type.get("from", 0), min(3, type.get("up to", 3)))
    return tuple(drawn(random, type["list of"], f"{path}[{place}]", hide) for place in range(size))


def as_json(value: Any) -> Any:
    """Return a value as a tool shows it, without what is hidden."""
    if isinstance(value, dict):
        return {key: as_json(own) for key, own in value.items() if not isinstance(own, Hidden)}
    if isinstance(value, tuple):
        return [as_json(own) for own in value]
    return str(value) if isinstance(value, date) else float(value) if value == HALF else value


def seen(random: Random, own: Policy) -> tuple[Facts, dict[tuple[Any, ...], Any]]:
    """Return random facts, for the policy and for the twin."""
    facts, found = Facts.none(), dict[tuple[Any, ...], Any]()
    for key in ("u1", "u2", "u3"):
        tool = random.choice(("", "get_user", "peek_user", "peek_user"))
        if tool:
            record = drawn(random, "User", f"user.{key}", random.choice((0.2, 0.5)) if tool == "peek_user" else 0.0)
            found["user", key] = record
            facts = own.saw(facts, tool, {"id": key}, as_json(record))
    assert not facts.notes, facts.notes
    return facts, found


# Rules that are nearly the same


def altered(random: Random, node: Expr) -> Expr:
    """Return a rule in which one part is written in another way, which means the same, or nearly so."""
    kind, *rest = node
    inside = [place for place, own in enumerate(rest) if isinstance(own, tuple) and own and kind != "map"]
    if inside and random.random() < 0.6:
        place = random.choice(inside)
        return kind, *rest[:place], altered(random, rest[place]), *rest[place + 1 :]
    if kind in ("and", "or", "equal", "unequal", "add", "multiply", "sets_intersects", "sets_equivalent"):
        return kind, rest[1], rest[0]
    if kind in ("less", "at_most"):
        return "not", ({"less": "at_most", "at_most": "less"}[kind], rest[1], rest[0])
    if kind == "not":
        return random.choice((node, ("unequal", rest[0], ("given", True))))
    if kind == "given" and isinstance(rest[0], int) and not isinstance(rest[0], bool):
        return "given", rest[0] + 1
    if kind == "over":
        macro, of, index, variable, condition, body = rest
        if macro in ("all", "exists"):
            other = "exists" if macro == "all" else "all"
            return "not", ("over", other, of, index, variable, None, ("not", body))
        if macro == "filter" and of[0] != "map":
            return "over", "map", of, "", variable, body, ("var", variable)
        if macro == "map" and condition is not None and not index:
            return (
                "over",
                "map",
                ("over", "filter", of, "", f"{variable}x", None, ("given", True)),
                "",
                variable,
                condition,
                body,
            )
        return random.choice((node, of if macro == "filter" else ("over", macro, of, index, variable, None, body)))
    return node
