"""The words with which a model is asked to read a sentence.

A request is: a system message and lessons that depend on the domain alone, then one user message with the
setting and, at its very end, the sentence. Nothing else gets in.
"""

from __future__ import annotations

import json
from typing import Any, Literal

from holdtrue.language.instance_cache import cached_per_instance
from holdtrue.language.teaching import define, lessons, written
from holdtrue.models.chat import Message, Request, assistant, system, user
from holdtrue.world.instance import Constraint, Instance

View = Literal["plain", "restate", "explain"]
"""A way of asking, by what the grammar lets the model write: constraints at once (`plain`), one of the short
wordings of what the sentence can have stated (`restate`), or its own words and then constraints (`explain`).
All share one prompt, so that a local model reads it once."""

_READ = (
    "You read what people say about a {name} problem and write it down as constraints. "
    "Write only what the sentence states, nothing more; what states no constraint gives an empty list."
)
_RESTATE = (
    "First say in plain words what the sentence demands, then write the constraints. "
    'Reply with JSON: {"meaning": "...", "constraints": [{"type": T, "args": [...]}]}'
)
_CHOOSE = (
    "Two readings of a sentence are given. Which of them says the same as the sentence? Mind who comes first. "
    'Reply with JSON: {"choice": 1} or {"choice": 2}.'
)
_CHOICE = {
    "type": "object",
    "properties": {"choice": {"enum": [1, 2]}},
    "required": ["choice"],
    "additionalProperties": False,
}
_CHANNEL = (
    "A rule of a {name} problem is given, in several words with one meaning. "
    "Say it once more as a user would, in other words."
)
_CHANNEL_EXAMPLES = 4
_LONGEST_REPLY = 300
_LONGEST_CHOICE = 20


def reading_request(
    instance: Instance, sentence: str, *, schema: dict[str, Any], definitions: bool, examples: int
) -> Request:
    """Return the request that asks what a sentence states."""
    asked = user("\n".join([*instance.setup_lines(), f"Sentence: {sentence}"]))
    return Request(
        (*_taught(instance, definitions, examples), asked), "extract", schema=schema, max_tokens=_LONGEST_REPLY
    )


@cached_per_instance
def _taught(instance: Instance, definitions: bool, examples: int) -> tuple[Message, ...]:
    """All that comes before the sentence: it depends on the domain and the setting alone."""
    types = f"The constraints are:\n{define(instance)}" if definitions else f"Constraints: {', '.join(instance.types)}."
    head = (_READ.format(name=instance.domain.name.replace("_", " ")), types, _RESTATE)
    messages: list[Message] = [system("\n".join(head))]
    for sentence, stated in lessons(instance, examples):
        messages += [user(f"Sentence: {sentence}"), assistant(written(sentence, stated))]
    return tuple(messages)


def reading_template() -> tuple[Message, ...]:
    """Return what `reading_request` asks, with placeholders in braces for what depends on domain and sentence."""
    head = (_READ.format(name="{domain}"), "The constraints are:\n{definitions}", _RESTATE)
    return (system("\n".join(head)), user("{setting}\nSentence: {sentence}"))


def likelihood_request(instance: Instance, sentence: str, constraint: Constraint) -> Request:
    """Return the request that has a model say a constraint in just these words, for the sake of their probability."""
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
    """Rules in the domain's words, each with an example of how users say it; types take turns."""
    messages: list[Message] = [system(_CHANNEL.format(name=instance.domain.name.replace("_", " ")))]
    for place in range(_CHANNEL_EXAMPLES):
        for kind in instance.types.values():
            for example in kind.examples[place : place + 1]:
                rule = _rule(instance, Constraint(kind.name, example.args))
                said = assistant(json.dumps(example.sentence, ensure_ascii=False))
                messages += [user(f"Rule: {rule}"), said]
    return tuple(messages)


def _rule(instance: Instance, constraint: Constraint) -> str:
    """Return a constraint in all the words in which its type says it."""
    kind = instance.types[constraint.type]
    said = (wording.format(*constraint.args) for wording in (kind.sentence, *kind.wordings))
    return "; ".join(dict.fromkeys(said))


def choice_request(instance: Instance, sentence: str, first: Constraint, second: Constraint) -> Request:
    """Return the request that asks which of two constraints a sentence states."""
    lines = [
        *instance.setup_lines(),
        f"1: {instance.sentence(first)}",
        f"2: {instance.sentence(second)}",
        f"Sentence: {sentence}",
    ]
    kind = instance.types[first.type]
    head = f"{_CHOOSE}\n{kind.definition}" if kind.definition else _CHOOSE
    return Request(
        (system(head), user("\n".join(lines))), "extract_direction", schema=_CHOICE, max_tokens=_LONGEST_CHOICE
    )
