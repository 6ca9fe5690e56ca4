"""This module has the prompts for reading a sentence, with definitions and examples of the domain.

A request begins with a system message and lessons that depend on the domain alone. One user message follows, with the
setting and, at its very end, the sentence. The constant part comes first, so that a local model reads it once and keeps
it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import chain, count, islice, zip_longest
from typing import Any, Literal

from holdtrue.language.names import cached_per_instance
from holdtrue.logic.sorts import EnumSort, first_values
from holdtrue.models.chat import Message, Request, assistant, system, user
from holdtrue.world.domain import AttributeName, ConstraintType, Entity, Example, Integer, ValueOf
from holdtrue.world.instance import Arg, Constraint, Instance

_STAND_INS = ("Ida", "Jonas", "Lena", "Mats", "Cleo", "Dov", "Elif", "Ada")
_LETTERS = "ABCDEFGH"
_ARGUMENTS = {Integer: "number", AttributeName: "attribute", ValueOf: "value"}
NOTHING = "nothing"  # the meaning of a sentence that states no constraint
_STATE_NOTHING = ("Thank you, that helps", "Hello, how are you today?")

Taught = tuple[str, tuple[tuple[ConstraintType, tuple[Arg, ...]], ...]]


def define(instance: Instance) -> str:
    """Return one line for each type that applies: its signature and its meaning."""
    lines = []
    for kind in instance.types.values():
        entities = iter(_LETTERS)
        letters = [_ARGUMENTS.get(type(argument)) or next(entities) for argument in kind.arguments]
        lines.append(f"- {kind.name}({', '.join(letters)}): {kind.definition or f'{kind.sentence.format(*letters)}.'}")
    return "\n".join(lines)


def lessons(instance: Instance, per_type: int) -> list[Taught]:
    """Return pairs of a sentence and its constraints: at most `per_type` for each type, types taking turns.

    A type without examples is taught by its sentence. Two lessons state nothing, and one states two things at once.
    """
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
    """Return short wordings of a constraint: those that begin with the entity `first` if there are any, else all."""
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
    """Return the wording that keeps the order of names in the sentence and shares the most words with it."""
    names = [str(arg) for arg, argument in zip(args, kind.arguments, strict=True) if isinstance(argument, Entity)]
    first = min(names, key=lambda name: sentence.find(name)) if names else None
    words = set(sentence.split())
    return max(wordings(kind, args, first), key=lambda wording: len(words & set(wording.split())))


View = Literal["plain", "restate", "explain"]
"""A way of asking, named by the first thing that the grammar lets the model write.

`plain`: constraints at once. `restate`: one of the short wordings that the sentence may mean. `explain`: free words,
then constraints. All share one prompt, so that a local model reads it once.
"""

_READ = (
    "You read what people say about a {name} problem and write it down as constraints. "
    "Write only what the sentence states, nothing more; what states no constraint gives an empty list."
)
_RESTATE = (
    "First say in plain words what the sentence demands, then write the constraints. "
    'Reply with JSON: {"meaning": "...", "constraints": [{"type": T, "args": [...]}]}'
)
_CHANNEL = (
    "A rule of a {name} problem is given, in several words with one meaning. "
    "Say it once more as a user would, in other words."
)
_CHANNEL_EXAMPLES = 4
_LONGEST_REPLY = 300
_EXAMPLES = 8
"""The number of examples that teach a type."""


def reading_request(instance: Instance, sentence: str, schema: dict[str, Any]) -> Request:
    """Return the request for the constraints that a sentence states."""
    asked = user("\n".join([*instance.setup_lines(), f"Sentence: {sentence}"]))
    return Request((*_taught(instance), asked), "extract", schema=schema, max_tokens=_LONGEST_REPLY)


@cached_per_instance
def _taught(instance: Instance) -> tuple[Message, ...]:
    types = f"The constraints are:\n{define(instance)}"
    head = (_READ.format(name=instance.domain.name.replace("_", " ")), types, _RESTATE)
    messages: list[Message] = [system("\n".join(head))]
    for sentence, stated in lessons(instance, _EXAMPLES):
        messages += [user(f"Sentence: {sentence}"), assistant(written(sentence, stated))]
    return tuple(messages)


def reading_template() -> tuple[Message, ...]:
    """Return the messages of `reading_request`, with placeholders in braces for the parts that vary."""
    head = (_READ.format(name="{domain}"), "The constraints are:\n{definitions}", _RESTATE)
    return (system("\n".join(head)), user("{setting}\nSentence: {sentence}"))


def likelihood_request(instance: Instance, sentence: str, constraint: Constraint) -> Request:
    """Return the request that measures the probability of this sentence as a restatement of the constraint."""
    asked, frame = user(f"Rule: {_rule(instance, constraint)}"), _channel(instance)
    return Request(
        (*frame, asked),
        "extract",
        schema={"const": sentence},
        max_tokens=_LONGEST_REPLY,
        frame=len(frame),
        likelihood=True,
    )


@cached_per_instance
def _channel(instance: Instance) -> tuple[Message, ...]:
    """Return rules in the domain's words, each with an example of a user's wording; types take turns."""
    messages: list[Message] = [system(_CHANNEL.format(name=instance.domain.name.replace("_", " ")))]
    for place in range(_CHANNEL_EXAMPLES):
        for kind in instance.types.values():
            for example in kind.examples[place : place + 1]:
                rule = _rule(instance, Constraint(kind.name, example.args))
                said = assistant(json.dumps(example.sentence, ensure_ascii=False))
                messages += [user(f"Rule: {rule}"), said]
    return tuple(messages)


def _rule(instance: Instance, constraint: Constraint) -> str:
    kind = instance.types[constraint.type]
    said = (wording.format(*constraint.args) for wording in (kind.sentence, *kind.wordings))
    return "; ".join(dict.fromkeys(said))
