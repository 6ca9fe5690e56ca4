"""Random rules for the twin: every operation on values of every type, with a policy and partial facts to check them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from random import Random
from typing import Any

from holdtrue.guard.facts import Facts
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_file import make_policy
from tests.guard.completions.twin import HALF, KEYS, RECORDS, SCALARS, TABLE, TEXTS, Expr, Hidden, hidden_fields, text

WHOLE, ID = "whole 0..2", "id of user"
_CALL = {
    "user other?": ID, "n": "whole -1..1", "flag": "bool", "plan": "[free, pro]", "note?": "text", "day": "date",
    "limit": {"or null": WHOLE}, "nums": {"list of": WHOLE, "up to": 2}, "items": {"list of": "Item", "up to": 2},
    "prices": {"map of": WHOLE}, "open": {"list of": WHOLE},
}  # fmt: skip
_USER = {
    "boss": ID, "least": WHOLE, "high": "whole 0..", "half": "number by 0.5 0..1", "vip": "bool", "plan": "[free, pro]",
    "name nick?": "text", "since": {"or null": "date"}, "limit": {"or null": WHOLE}, "sure": {"or null": "bool"},
    "nums": {"list of": "whole -1..1", "from": 1, "up to": 2}, "gaps": {"list of": {"or null": WHOLE}, "up to": 2},
    "tags": {"list of": "text", "up to": 2}, "flags": {"list of": "bool", "up to": 2}, "prices": {"map of": WHOLE},
    "rows": {"list of": {"list of": WHOLE, "up to": 2}, "up to": 2},
    "more": {"or null": {"list of": WHOLE, "up to": 1}},
    "items": {"list of": "Item", "up to": 2}, "lines": {"list of": "Item", "from": 1}, "first": "Item",
    "long": {"list of": "text", "up to": 20},
}  # fmt: skip
_ITEM = {"n": WHOLE, "sku": "text", "ok?": "bool", "tags": {"list of": "text", "up to": 1}}
_ORDER = {"total": WHOLE, "owner": ID, "open?": {"or null": "bool"}, "item": {"or null": "Item"}}
for _name, _fields in (("Item", _ITEM), ("Call", _CALL), ("User", _USER), ("Order", _ORDER)):
    RECORDS[_name] = {name: type for names, type in _fields.items() for name in names.split()}
KINDS = {"user": "User", "order": "Order"}
ITEMS = {"ints": "int", "texts": "text", "bools": "bool", "items": "Item", "rows": "ints", "prices": "int"}
"""The kinds of lists, and of a map, with the kind of their items."""
_LISTS = {item: kind for kind, item in ITEMS.items() if kind != "prices"}
_SCALARS = {
    "bool": "bool",
    "text": "text",
    ID: "id",
    "[free, pro]": "plan",
    "date": "date",
    "number by 0.5 0..1": "half",
}
_GOES_THROUGH = ("ints", "texts", "items", "bools", "prices")
_LITERALS: Mapping[str, tuple[Any, ...]] = {
    "bool": (True, False), "int": (0, 1, 2, 1), "half": (HALF,), "text": (*TEXTS, ""), "id": ("u1", "u2"),
    "plan": ("free", "pro"), "date": SCALARS["date"],
}  # fmt: skip
_ORDERED = [(op, own, own) for op in ("less", "at_most") for own in ("int", "int", "half", "text", "date")]
_SETS = [(f"sets_{op}", own, own) for op in ("contains", "intersects", "equivalent") for own in ("ints", "texts")]
_EQUAL = [(op, own, own) for op in ("equal", "unequal") for own in (*_LITERALS, *ITEMS, "Item", "ints", "texts")]
_IN = [("in", own, of) for own, of in (*_LISTS.items(), ("text", "prices"))]
_GROUPS: Mapping[str, tuple[Sequence[tuple[str, ...]], ...]] = {
    "bool": (
        *([("and", "bool", "bool"), ("or", "bool", "bool")],) * 3,
        *([(op, own) for op in ("all", "exists", "exists_one") for own in _GOES_THROUGH],) * 4,
        *(_EQUAL, _EQUAL, _EQUAL, _ORDERED, _ORDERED, _IN, _IN, _SETS),
        [("not", "bool"), ("has", "prices")],
        [(op, "text", "text") for op in ("starts", "ends", "contains")],
    ),
    "int": (
        [(op, "int", "int") for op in ("add", "subtract", "multiply")],
        [(op, "int", "int") for op in ("divide", "remainder")],
        [(op, "int") for op in ("negative", "absolute", "sign")],
        *([("size", own) for own in ("ints", "texts", "items", "rows", "prices", "text")],) * 2,
        *([(op, "ints") for op in ("sum", "least", "greatest")],) * 2,
        [("at", "prices", "text"), ("at", "ints", "int"), ("at", "table", "plan")],
    ),
    "half": ([(op, "half", "half") for op in ("add", "subtract", "multiply")],),
    "text": ([("lower", "text"), ("join", "text", "text"), ("at", "texts", "int")],),
    "date": ([("later", "date")],),
    "Item": ([("at", "items", "int")],),
    "ints": ([("at", "rows", "int"), ("flatten", "rows")],),
}
"""What makes a value of a kind, with the kinds of its operands; each group is as likely as any other."""


def kind_of(type: Any) -> str:
    if isinstance(type, str):
        return type if type in RECORDS else _SCALARS.get(type, "int")
    if "or null" in type:
        return kind_of(type["or null"])
    return _LISTS[kind_of(type["list of"])] if "list of" in type else "prices"


class RuleMaker:
    """Makes random expressions of a kind; `_scope` has the expressions that may be used, with their kinds."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._names = self._within = 0
        self._scope: list[tuple[Expr, str]] = []
        self._made: list[tuple[Expr, str]] = []
        call: Expr = ("var", "call")
        user: Expr = ("fact", "user", ("get", call, "user"))
        self._add(call, "Call")
        for fact in random.sample([user, ("fact", "user", ("given", "u1")), ("fact", "user", ("given", "u2"))], 2):
            self._add(fact, "User")
        boss = ("get", user, "boss")
        kind = random.choice(("user", "order"))
        self._add(("fact", kind, boss, *([("get", call, "n")] if kind == "order" else [])), KINDS[kind])

    def _add(self, node: Expr, kind: str) -> None:
        self._scope.append((node, kind))
        for name, type in RECORDS.get(kind, {}).items():
            own: Expr = ("get", node, name.removesuffix("?"))
            self._add(own, kind_of(type))
            if name.endswith("?") or self._random.random() < 0.1:
                self._scope.append((("has", *own[1:]), "bool"))
            if isinstance(type, dict) and "or null" in type:
                self._scope.append((("equal", own, ("given", None)), "bool"))

    def make(self, kind: str, depth: int) -> Expr:
        """Return an expression of a kind that is nested so deep at most; it may be one that was made before."""
        if kind == "table":
            return (kind,)
        again = [node for node, own in self._made if own == kind]
        if depth > 0 and again and self._random.random() < 0.2:
            return self._random.choice(again)
        found = self._new(kind, depth)
        if depth > 0 and not self._within:
            self._made.append((found, kind))
        return found

    def _new(self, kind: str, depth: int) -> Expr:
        random = self._random
        groups = _GROUPS.get(kind, ())
        if depth <= 0 or random.random() < 0.2 or not (groups or kind in ITEMS):
            paths = [node for node, own in self._scope if own == kind]
            return random.choice(paths) if paths and random.random() < 0.8 else self._written(kind)
        if kind == "bool" and random.random() < 0.15:
            return self._of_filtered()
        if random.random() < 0.08:
            return "choose", self.make("bool", depth - 1), self.make(kind, depth - 1), self.make(kind, depth - 1)
        if kind in ITEMS and kind != "prices" and (not groups or random.random() < 0.8):
            macro = random.choice(("filter", "filter", "map", "map", "map", "add", "list"))
            if macro == "add":
                return "add", self.make(kind, depth - 1), self.make(kind, depth - 1)
            if macro == "list":
                return "list", *(self.make(ITEMS[kind], depth - 1) for _ in range(random.randint(1, 2)))
            of = kind if macro == "filter" else random.choice((kind, *_GOES_THROUGH))
            return self._macro(macro, of, depth - 2, "bool" if macro == "filter" else ITEMS[kind])
        if not groups:
            return self._written(kind)
        operation, *operands = random.choice(random.choice(groups))
        if operation in ("all", "exists", "exists_one"):
            return self._macro(operation, operands[0], depth - 1, "bool")
        if operation == "has":
            return "has", self.make("prices", 0), "a"
        return operation, *(self.make(own, depth - 1) for own in operands)

    def _written(self, kind: str) -> Expr:
        if kind in _LITERALS:
            return "given", self._random.choice(_LITERALS[kind])
        if kind == "prices":
            return "map", *((key, self.make("int", 0)) for key in KEYS if self._random.random() < 0.6 or key == "a")
        if kind in ITEMS:
            return "list", *(self.make(ITEMS[kind], 0) for _ in range(self._random.randint(1, 2)))
        return "get", ("fact", "user", ("given", "u1")), "first"

    def _of_filtered(self) -> Expr:
        """Return a condition on the places in a list that was filtered, and may have been mapped since."""
        random = self._random
        kind = random.choice(("ints", "items", "items", "texts"))
        own = self._macro("filter", kind, 1, "bool", self.make(kind, 0))
        if random.random() < 0.7:
            made = random.choice(("ints", "texts"))
            own, kind = self._macro("map", kind, 0, ITEMS[made], own), made
        match random.randrange(4):
            case 0 | 1:
                return (
                    random.choice(("equal", "unequal")),
                    own,
                    self.make(kind, 0) if kind == "items" else self._written(kind),
                )
            case 2:
                return "equal", ("at", own, ("given", random.randint(0, 1))), self.make(ITEMS[kind], 0)
        return self._macro(random.choice(("all", "exists")), kind, 1, "bool", own)

    def _macro(self, macro: str, of: str, depth: int, body: str, over: Expr | None = None) -> Expr:
        random = self._random
        self._names += 1
        variable, index = f"v{self._names}", f"i{self._names}" if random.random() < 0.2 and macro != "filter" else ""
        over = over or self.make(of, depth)
        self._within += 1
        before = len(self._scope)
        key = "text" if of == "prices" else "int"
        for _ in range(4):
            self._add(("var", variable), ITEMS[of] if index or of != "prices" else key)
        if index:
            self._scope.append((("var", index), key))
        condition = self.make("bool", depth) if macro == "map" and random.random() < 0.4 else None
        found = self.make(body, depth)
        del self._scope[before:]
        self._within -= 1
        return "over", macro, over, index, variable, condition, found


# A policy and its facts


def _notation(type: Any) -> Any:
    """Return a type as a policy file has it."""
    if isinstance(type, str):
        return ["free", "pro"] if type == "[free, pro]" else type
    return {key: own if isinstance(own, int) else _notation(own) for key, own in type.items()}


def policy(rules: Mapping[str, Expr], when: Mapping[str, Expr] | None = None) -> Policy:
    """Return a policy with these rules on `send`, of which some have conditions in `when`.

    Its records are shown by tools, wholly or in part.
    """
    tools = {
        "send": RECORDS["Call"],
        "get_user": {"id": ID},
        "peek_user": {"id": ID},
        "get_order": {"id": ID, "n": WHOLE},
    }
    definitions = []
    for name, fields in tools.items():
        own = {"type": "object", "properties": {key.removesuffix("?"): {} for key in fields}}
        own["required"] = [key for key in fields if not key.endswith("?")]
        definitions.append({"name": name, "parameters": own})
    key = {"id": "call.id"}
    shown = [{"tool": "get_user", "key": key}, {"tool": "peek_user", "key": key, "partial": True}]
    orders = [{"tool": "get_order", "key": {**key, "n": "call.n"}, "absent": [None]}]
    return make_policy(
        "random",
        types={name: {key: _notation(own) for key, own in fields.items()} for name, fields in RECORDS.items()},
        tools={
            "definitions": definitions,
            "writes": ["send"],
            "reads": [*tools][1:],
            "types": {
                name: {key.removesuffix("?"): _notation(own) for key, own in fields.items()}
                for name, fields in tools.items()
            },
        },
        tables={"limits": TABLE},
        facts={
            "user": {"key": {"id": ID}, "record": "User", "from": shown},
            "order": {"key": {"id": ID, "n": WHOLE}, "record": "Order", "from": orders},
        },
        rules=[
            {"id": id, "on": "send", "hold": text(own), "say": "It has to hold."}
            | ({"when": text(when[id])} if when and id in when else {})
            for id, own in rules.items()
        ],
    )


def drawn(random: Random, type: Any, path: str, hide: float) -> Any:
    """Return a random value as the twin has it; fields of records are hidden with the probability `hide`."""
    if isinstance(type, str) and type in SCALARS:
        return random.choice(SCALARS[type])
    if isinstance(type, str):
        found = hidden_fields(path, RECORDS[type])
        for name, own in RECORDS[type].items():
            key = name.removesuffix("?")
            if random.random() >= hide:
                if not name.endswith("?") or random.random() < 0.6:
                    found[key] = drawn(random, own, f"{path}.{key}", hide)
                elif not hide:
                    del found[key]  # A value that a part lacks may be in the whole.
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
    for key in SCALARS[ID]:
        if tool := random.choice(("", "get_user", "peek_user", "peek_user")):
            hide = random.choice((0.2, 0.5)) if tool == "peek_user" else 0.0
            found["user", key] = drawn(random, "User", f"user.{key}", hide)
            facts = own.saw(facts, tool, {"id": key}, as_json(found["user", key]))
    assert not facts.notes, facts.notes
    return facts, found


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
    if kind == "given" and rest[0] in (0, 1, 2) and not isinstance(rest[0], bool):
        return "given", rest[0] + 1
    if kind != "over":
        return node
    macro, of, index, variable, condition, body = rest
    if macro in ("all", "exists"):
        other = "exists" if macro == "all" else "all"
        return "not", ("over", other, of, index, variable, None, ("not", body))
    if macro == "filter":
        return random.choice((of, ("over", "map", of, "", variable, body, ("var", variable))))
    if macro == "map" and not index and random.random() < 0.7:
        of = ("over", "filter", of, "", f"{variable}x", None, ("given", True))
    return "over", macro, of, index, variable, None if random.random() < 0.3 else condition, body
