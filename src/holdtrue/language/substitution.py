"""Read a sentence that only says what is different: 'Ann on day 3, not day 2' changes what was agreed about Ann.

Such a sentence has no verb, or none of the domain's. It means what was agreed, with the things that it names in the
place of others, and it is only read so if it is worded like what was agreed.
"""

from __future__ import annotations

from collections.abc import Sequence

from holdtrue.errors import ConstraintError
from holdtrue.language.grounding import exact_mentions
from holdtrue.language.wording import names, says
from holdtrue.world.domain import AttributeName, Entity
from holdtrue.world.instance import Arg, Constraint, Instance

Named = dict[str, list[Arg]]


def substitute(instance: Instance, agreed: Constraint, stated: str, displaced: str | None) -> Constraint | None:
    """Return the `agreed` constraint with the things that `stated` names in it, or None if the words do not fit.

    The new things replace those that `displaced` names, or, without it, those of the same kind that `stated` does not
    name.
    """
    if displaced is not None and not _names_some_of(instance, agreed, displaced):
        return None
    new, old, slots = _named(instance, stated), _named(instance, displaced or ""), _slots(instance, agreed)
    args: list[Arg] = list(agreed.args)
    for sort, named in new.items():
        fresh = [value for value in named if value not in [args[slot] for slot in slots[sort]]]
        leaving = [slot for slot in slots[sort] if args[slot] not in named]
        if displaced is not None:
            leaving = [slot for slot in leaving if args[slot] in old[sort]]
        elif not fresh:
            continue
        if len(fresh) != len(leaving):
            return None
        for slot, value in zip(leaving, fresh, strict=True):
            args[slot] = value
    try:
        made = instance.canonical(instance.constraint(agreed.type, args))
    except ConstraintError:
        return None
    if made == agreed or (displaced is None and not set(agreed.args) & set(made.args)):
        return None
    return made if says(instance, made, stated) else None


def _names_some_of(instance: Instance, agreed: Constraint, displaced: str) -> bool:
    found = exact_mentions(instance, displaced)
    named = found.entities or found.values or found.numbers
    return bool(named) and names(instance, agreed, found) and says(instance, agreed, displaced)


def _named(instance: Instance, text: str) -> Named:
    found = exact_mentions(instance, text)
    labels = list(dict.fromkeys(label for _, label in found.values))
    return {"entity": list(found.entities), "number": list(found.numbers), "label": list(labels)}


def _slots(instance: Instance, constraint: Constraint) -> dict[str, Sequence[int]]:
    """The places of arguments that may change, by what can stand there."""
    slots: dict[str, list[int]] = {"entity": [], "number": [], "label": []}
    for place, argument in enumerate(instance.types[constraint.type].arguments):
        if isinstance(argument, Entity):
            slots["entity"].append(place)
        elif not isinstance(argument, AttributeName):
            slots["number" if isinstance(constraint.args[place], int) else "label"].append(place)
    return {sort: tuple(places) for sort, places in slots.items()}
