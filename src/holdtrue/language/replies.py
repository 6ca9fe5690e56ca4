"""Build the JSON schema of a reply, and read the constraints in a reply. Reading raises no error for any text.

A schema allows only constraints that the instance has and the sentence may state. Some backends turn it into a grammar.
With all other backends, replies are checked against the same candidates afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from holdtrue.errors import ConstraintError
from holdtrue.language.asking import WholeReply
from holdtrue.language.candidate_constraints import Candidates, is_of_named
from holdtrue.language.prompts import wordings
from holdtrue.logic.sorts import EnumSort
from holdtrue.world.answer_shape import number_schema, object_schema
from holdtrue.world.domain import AttributeName, ConstraintType, Entity, Integer, ValueOf
from holdtrue.world.instance import Arg, Constraint, Instance
from holdtrue.world.lenient_json import objects, strip_thinking, unread


@dataclass(frozen=True, slots=True)
class Rejected:
    """The reason why an item of a reply is not a constraint. `code` is that of the `ConstraintError`, if any."""

    reason: str
    code: str | None = None


@dataclass(frozen=True, slots=True)
class ReplyReading:
    """A `ReplyReading` holds the constraints of one reply, in canonical form and sorted, and the rejected items."""

    stated: tuple[Constraint, ...]
    rejected: tuple[Rejected, ...] = ()

    @property
    def useless(self) -> bool:
        """Return whether all items of the reply were rejected."""
        return bool(self.rejected) and not self.stated


def no_list(reply: WholeReply) -> Rejected:
    """Return the rejection of a reply without a list of constraints, with the cause if it is known."""
    why = reply.reason or unread(strip_thinking(reply.text))
    none = "the model's reply holds no list of constraints"
    return Rejected(none if why is None else f"{none}: {why}")


def reply_object(text: str, *keys: str) -> Mapping[str, Any]:
    """Return the last JSON object of a reply that has one of the keys, or an empty one."""
    found = [item for item in objects(strip_thinking(text)) if isinstance(item, Mapping)]
    return next((item for item in reversed(found) if any(key in item for key in keys)), {})


def read_item(instance: Instance, item: object) -> Constraint | Rejected:
    """Return the constraint of an item `{"type": ..., "args": [...]}`, or the reason why it is none."""
    args = item.get("args") if isinstance(item, Mapping) else None
    if not isinstance(item, Mapping) or not isinstance(args, list):
        return Rejected(f"the model's reply holds what is no constraint: {item!r:.80}")
    try:
        return instance.constraint(str(item.get("type")), args)
    except ConstraintError as error:
        return Rejected(f"{error.code}: {error}", error.code)


def read_reply(
    instance: Instance, whole: WholeReply, candidates: Candidates | None, said: Mapping[str, Constraint | None]
) -> ReplyReading:
    """Return the constraints in a reply. If `candidates` are given, all others are rejected.

    A reply with only a `meaning` states the constraint of `said` for these words.
    """
    reply = reply_object(whole.text, "constraints", "meaning")
    items, meaning = reply.get("constraints"), reply.get("meaning")
    if items is None and isinstance(meaning, str) and meaning in said:
        meant = said[meaning]
        return ReplyReading(() if meant is None else (instance.canonical(meant),))
    if not isinstance(items, list):
        return ReplyReading((), (no_list(whole),))
    stated: set[Constraint] = set()
    rejected: dict[Rejected, None] = {}
    for item in items:
        made = read_item(instance, item)
        if isinstance(made, Rejected):
            rejected[made] = None
        elif candidates is not None and not candidates.hold(instance, made):
            rejected[Rejected(f"not in the sentence: {instance.sentence(made)}")] = None
        else:
            stated.add(instance.canonical(made))
    return ReplyReading(tuple(sorted(stated, key=lambda c: (c.type, *map(str, c.args)))), tuple(rejected))


MOST_CONSTRAINTS = 3
_SPELLED_OUT = 32  # at most this many argument lists are enumerated, which also rules out repetitions

Schema = dict[str, Any]


def reply_schema(kinds: Schema, *, most: int, meaning: Schema | None = None) -> Schema:
    """Return the schema of `{"constraints": [...]}` with up to `most` items of `kinds`, after a `meaning` if one is
    given.
    """
    items = {"type": "array", "items": kinds, "minItems": 0, "maxItems": most}
    properties = {"constraints": items} if meaning is None else {"meaning": meaning, "constraints": items}
    return object_schema(properties)


def grounded_items(found: Mapping[str, Sequence[tuple[Arg, ...]]]) -> Schema:
    """Return the schema of one constraint with an argument list from `found`, by type."""
    return {"anyOf": [_item(name, _listed(lists)) for name, lists in found.items()]}


def free_items(instance: Instance) -> Schema:
    """Return the schema of any constraint of the instance."""
    made = []
    for name, kind in instance.types.items():
        made += [_item(name, [slots]) for slots in _slots(instance, kind)]
    return {"anyOf": made}


def _slots(instance: Instance, kind: ConstraintType) -> Iterable[list[Schema]]:
    """Yield the schemas of the arguments, once for each attribute if the type has a value of a named attribute."""
    attributes = list(instance.attributes) if any(is_of_named(argument) for argument in kind.arguments) else [None]
    for attribute in attributes:
        made: list[Schema] = []
        for argument in kind.arguments:
            match argument:
                case Entity():
                    made.append({"enum": list(instance.entities)})
                case Integer():
                    low, high = instance.bound(argument.low), instance.bound(argument.high)
                    made.append({"type": "integer", "minimum": low, "maximum": high})
                case AttributeName():
                    made.append({"enum": [attribute] if attribute else list(instance.attribute_names(argument))})
                case ValueOf():
                    sort = instance.attributes[str(attribute) if is_of_named(argument) else str(argument.argument)].sort
                    made.append({"enum": list(sort.labels)} if isinstance(sort, EnumSort) else number_schema(sort))
        yield made


def _listed(lists: Sequence[tuple[Arg, ...]]) -> list[list[Schema]]:
    if len(lists) <= _SPELLED_OUT:
        return [[{"const": value} for value in args] for args in lists]
    columns = zip(*lists, strict=True)
    return [[{"enum": list(dict.fromkeys(column))} for column in columns]]


def _item(name: str, lists: Sequence[Sequence[Schema]]) -> Schema:
    tuples = [
        {"type": "array", "prefixItems": list(slots), "items": False, "minItems": len(slots), "maxItems": len(slots)}
        for slots in lists
    ]
    return object_schema({"type": {"const": name}, "args": tuples[0] if len(tuples) == 1 else {"anyOf": tuples}})


def restatements(instance: Instance, candidates: Candidates, first: str | None) -> dict[str, Constraint | None]:
    """Return the candidates by their wordings, preferring those with `first` in front. 'nothing' maps to None."""
    said: dict[str, Constraint | None] = {"nothing": None}
    for name, lists in candidates.single.items():
        for args in lists:
            for wording in wordings(instance.types[name], args, first):
                said.setdefault(wording, Constraint(name, args))
    return said


def restated_schema(said: Iterable[str]) -> Schema:
    """Return the schema of a reply with one of these wordings as its meaning."""
    return object_schema({"meaning": {"enum": list(said)}})
