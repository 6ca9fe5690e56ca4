"""Self-refinement: prompts by which a model criticises its own answer and mends it, and the reader of its critique.

After Self-Refine (Madaan et al. 2023, section 2). No solver and no ledger has a part in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from holdtrue.language.asking import ModelReply
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
    """Return the messages that ask the model what is wrong with its `answer` to `prompt`."""
    return (*prompt, assistant(answer), user(CRITIQUE))


def refine_request(prompt: Sequence[Message], answer: str, found: Sequence[str]) -> tuple[Message, ...]:
    """Return the messages that ask for an answer without the problems that the model itself `found`."""
    listed = "\n".join(f"- {problem}" for problem in found)
    return (*prompt, assistant(answer), user(f"{FOUND}\n{listed}\n{_REVISE}"))


def read_critique(text: str) -> tuple[str, ...]:
    """Return the problems that a critique names, or an empty tuple if it finds the answer right.

    A reply in another form counts as one problem, in its own words: only `"ok": true` ends the mending.
    """
    reply = reply_object(text, "ok", "problems")
    problems = reply.get("problems")
    named = [str(problem) for problem in problems if problem] if isinstance(problems, list) else []
    if reply.get("ok") is True:
        return ()
    return tuple(named) or (_SOMETHING if reply else text.strip()[:_LONGEST] or _SOMETHING,)


def find_problems(answered: ModelReply) -> tuple[str, ...]:
    """Return the problems that the model named when it was asked for a critique.

    A refusal names none. Of a reply that was cut off, the part that arrived is read.
    """
    if isinstance(answered.text, str) or answered.reply.kind is ReplyKind.CUT:
        return read_critique(answered.reply.text)
    return ()
