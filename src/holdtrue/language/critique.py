"""A model that checks and mends its own answer: the words it is asked with, and what its reply found.

After Self-Refine (Madaan et al. 2023, section 2). No solver and no ledger has a part in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from holdtrue.language.asking import Asked
from holdtrue.language.replies import reply_object
from holdtrue.models.chat import Message, assistant, user
from holdtrue.record import ReplyKind

CRITIQUE = (
    "Check your answer against every constraint stated so far and every rule, one at a time. Reply with JSON only: "
    '{"ok": true, "problems": []} if it keeps all of them, otherwise {"ok": false, "problems": ["...", "..."]}, '
    "naming what is broken."
)
CRITIQUE_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "ok": {"type": "boolean"},
        "problems": {"type": "array", "items": {"type": "string", "maxLength": 200}, "maxItems": 8},
    },
    "required": ["ok", "problems"],
    "additionalProperties": False,
}
FOUND = "You checked your answer and found:"
_REVISE = "Return a revised JSON solution that mends this and keeps every constraint. Only the JSON object."
_SOMETHING = "it does not keep everything"
_LONGEST = 1000  # characters of a critique that are shown again


def critique_request(prompt: Sequence[Message], answer: str) -> tuple[Message, ...]:
    """Ask the model what is wrong with its answer to `prompt`."""
    return (*prompt, assistant(answer), user(CRITIQUE))


def refine_request(prompt: Sequence[Message], answer: str, found: Sequence[str]) -> tuple[Message, ...]:
    """Ask for an answer without the problems that the model itself found."""
    listed = "\n".join(f"- {problem}" for problem in found)
    return (*prompt, assistant(answer), user(f"{FOUND}\n{listed}\n{_REVISE}"))


def read_critique(text: str) -> tuple[str, ...]:
    """The problems that a critique names; empty where it finds none.

    A reply that says neither is taken for a problem in its own words: only a clear yes ends the mending.
    """
    reply = reply_object(text, "ok", "problems")
    problems = reply.get("problems")
    named = [str(problem) for problem in problems if problem] if isinstance(problems, list) else []
    if reply.get("ok") is True:
        return ()
    return tuple(named) or (_SOMETHING if reply else text.strip()[:_LONGEST] or _SOMETHING,)


def find_problems(asked: Asked) -> tuple[str, ...]:
    """The problems that the reply to a critique's request names; one that is refused names none.

    Of a reply that was cut, what it had found by then counts.
    """
    if isinstance(asked.said, str) or asked.reply.kind is ReplyKind.CUT:
        return read_critique(asked.reply.text)
    return ()
