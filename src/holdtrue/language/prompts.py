"""The words with which a model is asked to read a sentence.

A request is: a system message and lessons that depend on the domain alone, then one user message with the
setting and, at its very end, the sentence. Nothing else gets in.
"""

from __future__ import annotations

from typing import Any

from holdtrue.domains.instance import Instance
from holdtrue.language.teaching import define, lessons, written
from holdtrue.models.chat import Message, Request, assistant, system, user

_READ = (
    "You read what people say about a {name} problem and write it down as constraints. "
    "Write only what the sentence states, nothing more; what states no constraint gives an empty list."
)
_PLAIN = 'Reply with JSON: {"constraints": [{"type": T, "args": [...]}]}'
_RESTATE = (
    "First say in plain words what the sentence demands, then write the constraints. "
    'Reply with JSON: {"meaning": "...", "constraints": [{"type": T, "args": [...]}]}'
)
_CHOOSE = (
    "Two readings of the sentence are given. Which of them says the same as the sentence? Mind who comes first. "
    'Reply with JSON: {"choice": 1} or {"choice": 2}.'
)


def reading_request(
    instance: Instance, sentence: str, *, schema: dict[str, Any], restate: bool, definitions: bool, examples: int, backwards: bool = False
) -> Request:
    """Ask what the sentence states."""
    head = [_READ.format(name=instance.domain.name.replace("_", " ")), _RESTATE if restate else _PLAIN]
    if definitions:
        head.insert(1, f"The constraints are:\n{define(instance)}")
    else:
        head.insert(1, f"The constraints are: {', '.join(instance.types)}.")
    messages: list[Message] = [system("\n".join(head))]
    taught = lessons(instance, examples)
    for told, stated in reversed(taught) if backwards else taught:
        messages += [user(f"Sentence: {told}"), assistant(written(told, stated, restate=restate))]
    messages.append(user(_asked(instance, sentence)))
    return Request(tuple(messages), "extract", schema=schema, max_tokens=300)


def _asked(instance: Instance, sentence: str) -> str:
    return "\n".join([*instance.setup_lines(), f"Sentence: {sentence}"])
