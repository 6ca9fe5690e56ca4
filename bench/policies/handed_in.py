"""Hand a call and facts to Cedar and to CEL, as an app would that has fetched all of them.

Every value is changed in its form alone, by its type in the policy: nothing is counted, compared or looked for.

| value | Cedar | CEL |
|---|---|---|
| money | whole cents, as its decimals cannot be added | whole cents, as its doubles are not exact |
| date, moment, time of day | `datetime`, and a `duration` since midnight | their texts, of which the order is right |
| list | a set; beside it, if `by_place`, as `NAME_at` a record of its items: `_0`, `_1`... | a list |
| map, and facts by their keys | an entity with a tag for each key: nothing else is found by a computed key | a map |

If `by_place`, a date has its text beside it in Cedar, as `NAME_text`, since only a text can be the key of a tag.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import Any

from holdtrue.guard import Facts
from holdtrue.guard.policy import Policy
from holdtrue.logic.units import ONE
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.types import ListOf, MapOf, Nullable, Number, Record, Type
from holdtrue.rules.values import NotSeen, Reader, to_json

Json = Any


@dataclass
class CedarInput:
    """A request's context, and the entities that it is decided with."""

    by_place: bool = True
    """Whether lists are there by place, too, and dates as texts."""
    context: dict[str, Json] = field(default_factory=dict)
    entities: list[dict[str, Json]] = field(default_factory=list)

    def entity(self, type: str, id: str, tags: Mapping[str, Json]) -> Json:
        """Add an entity with tags, and return how values refer to it."""
        uid = {"type": type, "id": id}
        self.entities.append({"uid": uid, "attrs": {}, "parents": [], "tags": dict(tags)})
        return {"__entity": uid}

    def value(self, value: Any, type: Type, id: str) -> Json:
        """Return a value as Cedar's JSON has it; `id` is what a map in it is called."""
        match type:
            case Nullable(inner):
                return self.value(value, inner, id)
            case Number():
                return _number(value, type)
            case Calendar("date"):
                return _extension("datetime", date.fromordinal(value).isoformat())
            case Calendar("time"):
                return _extension("duration", f"{value}s")
            case Calendar():
                return _extension("datetime", str(to_json(value, type)).rstrip("Z") + "Z")
            case ListOf(item):
                return [self.value(own, item, f"{id}[{place}]") for place, own in enumerate(value)]
            case MapOf(inner):
                tags = {key: self.value(own, inner, f"{id}[{key}]") for key, own in value.items()}
                return self.entity("Map", id, tags)
            case Record():
                return self.record(value, type, id)
        return value

    def record(self, value: Mapping[str, Any], type: Record, id: str) -> dict[str, Json]:
        """Return a record, without what was not seen, and with its lists by place, too."""
        found: dict[str, Json] = {}
        for name, own in value.items():
            if isinstance(own, NotSeen) or own is None:
                continue
            inner = type.fields[name].type
            found[name] = self.value(own, inner, f"{id}.{name}")
            if isinstance(inner, ListOf) and self.by_place:
                found[f"{name}_at"] = {f"_{place}": each for place, each in enumerate(found[name])}
            if inner == Calendar("date") and self.by_place:
                found[f"{name}_text"] = to_json(own, inner)
        return found


def cedar_input(
    policy: Policy, tool: str, arguments: Json, facts: Facts, now: str, said: Json = None, *, by_place: bool = True
) -> CedarInput:
    """Return what Cedar decides a call with: `context.call`, `.now`, and facts by tags.

    Where the policy asks for what people said there is `context.said`, with `.done` and `.written`.
    """
    found = CedarInput(by_place)
    own = policy.tools[tool].arguments
    found.context["call"] = found.record(Reader().read(arguments, own, "call"), own, "call")
    found.context["now"] = found.value(Reader().read(now, policy.moment, "now"), policy.moment, "now")
    if policy.said:
        found.context["said"] = found.value(_said(policy, said), policy.roots["said"], "said")
        found.context["done"] = found.value(_done(policy, facts), policy.roots["done"], "done")
        found.context["written"] = list(facts.written)
    for kind in policy.facts.values():
        tree: dict[str, Json] = {}
        for keys, seen in facts.records.get(kind.name, {}).items():
            texts = _keys(keys, kind.keys)
            _put(tree, texts, found.record(seen.record, kind.record, "/".join((kind.name, *texts))))
        _nested(found, "Fact", kind.name, tree, len(kind.keys))
    found.context |= {name: found.value(value, type, name) for name, (value, type) in policy.given.items()}
    return found


def cel_input(policy: Policy, tool: str, arguments: Json, facts: Facts, now: str, said: Json = None) -> dict[str, Json]:
    """Return the same for CEL, as JSON: `call`, `facts`, `now`, `said`, `done`, `written` and `tables`."""
    own = policy.tools[tool].arguments
    records: dict[str, Json] = {}
    for kind in policy.facts.values():
        tree: dict[str, Json] = {}
        for keys, seen in facts.records.get(kind.name, {}).items():
            _put(tree, _keys(keys, kind.keys), _plain(seen.record, kind.record))
        records[kind.name] = tree
    return {
        "call": _plain(Reader().read(arguments, own, "call"), own),
        "facts": records,
        "now": str(to_json(Reader().read(now, policy.moment, "now"), policy.moment)).rstrip("Z") + "Z",
        "said": _plain(_said(policy, said), policy.roots["said"]),
        "done": _plain(_done(policy, facts), policy.roots["done"]),
        "written": list(facts.written),
        **{name: _plain(value, type) for name, (value, type) in policy.given.items()},
    }


def _said(policy: Policy, said: Json) -> dict[str, Any]:
    return {name: Reader().read(own, policy.said[name].type, "said") for name, own in (said or {}).items()}


def _done(policy: Policy, facts: Facts) -> dict[str, Any]:
    return {name: facts.done.get(name, ()) for name in policy.tools}


def _keys(keys: tuple[Any, ...], types: Mapping[str, Type]) -> list[str]:
    return [str(to_json(own, type)) for own, type in zip(keys, types.values(), strict=True)]


def _put(tree: dict[str, Json], keys: list[str], value: Json) -> None:
    for key in keys[:-1]:
        tree = tree.setdefault(key, {})
    tree[keys[-1]] = value


def _nested(found: CedarInput, type: str, id: str, tree: Mapping[str, Json], depth: int) -> Json:
    """Add an entity for every level of records by their keys."""
    if depth > 1:
        tree = {key: _nested(found, "Map", f"{id}/{key}", own, depth - 1) for key, own in tree.items()}
    return found.entity(type, id, tree)


def _number(value: int | Fraction, type: Number) -> Json:
    """Return money in its smallest coin, and any other number as it is: what is not whole as Cedar's decimal."""
    scaled = value / type.sort.step if type.sort.unit != ONE and type.sort.step else value
    return int(scaled) if scaled == int(scaled) else _extension("decimal", str(float(scaled)))


def _plain(value: Any, type: Type) -> Json:
    match type:
        case Nullable(inner):
            return None if value is None else _plain(value, inner)
        case Number() if type.sort.unit != ONE:
            return _number(value, type)
        case ListOf(item):
            return [_plain(own, item) for own in value]
        case MapOf(inner):
            return {key: _plain(own, inner) for key, own in value.items()}
        case Record(fields):
            return {name: _plain(own, fields[name].type) for name, own in value.items() if not isinstance(own, NotSeen)}
    return to_json(value, type)


def _extension(function: str, text: str) -> Json:
    return {"__extn": {"fn": function, "arg": text}}
