"""Teach a model to read a domain by definitions and examples, in the same text for every sentence.

Whatever depends on the domain alone comes first in a prompt and never changes, so that a local model reads it
once and keeps it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import chain, count, islice, zip_longest

from holdtrue.logic.sorts import EnumSort, first_values
from holdtrue.world.domain import AttributeName, ConstraintType, Entity, Example, Integer, ValueOf
from holdtrue.world.instance import Arg, Instance

_STAND_INS = ("Ida", "Jonas", "Lena", "Mats", "Cleo", "Dov", "Elif", "Ada")
_LETTERS = "ABCDEFGH"
NOTHING = "nothing"  # the meaning of a sentence that states no constraint
_STATE_NOTHING = ("Thank you, that helps", "Hello, how are you today?")

Taught = tuple[str, tuple[tuple[ConstraintType, tuple[Arg, ...]], ...]]


def define(instance: Instance) -> str:
    """Return one line for each type that applies: its signature and what it means."""
    return "\n".join(f"- {_signature(kind)}: {_meaning(kind)}" for kind in instance.types.values())


def _signature(kind: ConstraintType) -> str:
    return f"{kind.name}({', '.join(_letters(kind))})"


def _letters(kind: ConstraintType) -> Iterator[str]:
    entities = iter(_LETTERS)
    for argument in kind.arguments:
        match argument:
            case Entity():
                yield next(entities)
            case Integer():
                yield "number"
            case AttributeName():
                yield "attribute"
            case ValueOf():
                yield "value"


def _meaning(kind: ConstraintType) -> str:
    return kind.definition or kind.sentence.format(*_letters(kind)) + "."


def lessons(instance: Instance, per_type: int) -> list[Taught]:
    """Return sentences with what they state: at most `per_type` for each type, types taking turns.

    Types without examples of their own are taught by their sentence. The last lessons state nothing, and two
    things at once.
    """
    if per_type < 1:
        return []
    columns = [
        [(example.sentence, ((kind, example.args),)) for example in _examples(instance, kind)[:per_type]]
        for kind in instance.types.values()
    ]
    rounds = chain.from_iterable(zip_longest(*columns))
    taught: list[Taught] = [lesson for lesson in rounds if lesson is not None]
    if len(taught) > 1:
        first, second = taught[0], taught[-1]
        taught.insert(len(taught) // 2, (f"{first[0]}, and {second[0]}", first[1] + second[1]))
    for place, sentence in zip((1, len(taught) - 1), _STATE_NOTHING, strict=True):
        taught.insert(place, (sentence, ()))
    return taught


def _examples(instance: Instance, kind: ConstraintType) -> Sequence[Example]:
    return kind.examples or [
        Example(kind.sentence.format(*args), args) for args in (_sample(instance, kind, shift) for shift in range(2))
    ]


def _sample(instance: Instance, kind: ConstraintType, shift: int) -> tuple[Arg, ...]:
    """Arguments that fit the type, with names that the conversation does not use."""
    free = (name for name in chain(_STAND_INS, map("Person {}".format, count(1))) if name not in instance.entities)
    names = islice(free, shift, None)
    args: list[Arg] = []
    for argument in kind.arguments:
        match argument:
            case Entity():
                args.append(next(names))
            case Integer():
                args.append(min(instance.bound(argument.low) + 1 + shift, instance.bound(argument.high)))
            case AttributeName():
                known = instance.attribute_names(argument)
                args.append(known[shift % len(known)])
            case ValueOf():
                sort = instance.attributes[argument.attribute_in(args)].sort
                args.append(
                    sort.labels[shift % len(sort.labels)]
                    if isinstance(sort, EnumSort)
                    else first_values(sort, 1)[0] + shift
                )
    return tuple(args)


def wordings(kind: ConstraintType, args: Sequence[Arg], first: str | None) -> list[str]:
    """Return short ways to say a constraint: those that begin with the entity `first`, if there are any, else all."""
    said = [wording.format(*args) for wording in kind.wordings or (kind.sentence,)]
    fitting = [wording for wording in said if first is not None and wording.startswith(first)]
    return fitting or said


def written(sentence: str, stated: Sequence[tuple[ConstraintType, tuple[Arg, ...]]]) -> str:
    """Return the reply that a lesson expects, in compact JSON."""
    reply = {
        "meaning": "; ".join(_restated(sentence, kind, args) for kind, args in stated) or NOTHING,
        "constraints": [{"type": kind.name, "args": list(args)} for kind, args in stated],
    }
    return json.dumps(reply, ensure_ascii=False, separators=(",", ":"))


def _restated(sentence: str, kind: ConstraintType, args: tuple[Arg, ...]) -> str:
    """The wording that keeps the order of names in the sentence, and shares the most words with it."""
    names = [str(arg) for arg, argument in zip(args, kind.arguments, strict=True) if isinstance(argument, Entity)]
    first = min(names, key=lambda name: sentence.find(name)) if names else None
    words = set(sentence.split())
    return max(wordings(kind, args, first), key=lambda wording: len(words & set(wording.split())))
