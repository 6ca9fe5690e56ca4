"""The JSON schema of a reply: only constraints that the instance has and the sentence can have stated.

Backends that can, turn the schema into a grammar; for all others the same candidates are checked afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from holdtrue.language.candidate_constraints import Candidates, is_of_named
from holdtrue.language.teaching import wordings
from holdtrue.logic.sorts import EnumSort
from holdtrue.world.domain import AttributeName, ConstraintType, Entity, Integer, ValueOf
from holdtrue.world.instance import Arg, Constraint, Instance
from holdtrue.world.schema import number_schema, object_schema

MOST_CONSTRAINTS = 3
_SPELLED_OUT = 32  # up to so many argument lists are written out one by one, which also rules out repetitions

Schema = dict[str, Any]


def reply_schema(kinds: Schema, *, most: int, meaning: Schema | None = None) -> Schema:
    """Return the schema of `{"constraints": [...]}` with up to `most` items of `kinds`, perhaps after a `meaning`."""
    items = {"type": "array", "items": kinds, "minItems": 0, "maxItems": most}
    properties = {"constraints": items} if meaning is None else {"meaning": meaning, "constraints": items}
    return object_schema(properties)


def grounded_items(found: Mapping[str, Sequence[tuple[Arg, ...]]]) -> Schema:
    """Return the schema of one constraint with arguments from these lists, by type."""
    return {"anyOf": [_item(name, _listed(lists)) for name, lists in found.items()]}


def free_items(instance: Instance) -> Schema:
    """Return the schema of any one constraint that the instance has."""
    made = []
    for name, kind in instance.types.items():
        made += [_item(name, [slots]) for slots in _slots(instance, kind)]
    return {"anyOf": made}


def _slots(instance: Instance, kind: ConstraintType) -> Iterable[list[Schema]]:
    """Schemas of the arguments; a type whose value depends on an attribute comes once for each attribute."""
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
    """Short words for every candidate, beginning with the entity `first`; None for a sentence that states none."""
    said: dict[str, Constraint | None] = {"nothing": None}
    for name, lists in candidates.single.items():
        for args in lists:
            for wording in wordings(instance.types[name], args, first):
                said.setdefault(wording, Constraint(name, args))
    return said


def restated_schema(said: Iterable[str]) -> Schema:
    """The schema of a reply that says one candidate in words: they name it, so the grammar ends there."""
    return object_schema({"meaning": {"enum": list(said)}})
