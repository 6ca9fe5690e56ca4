"""Decide what of a model's reply may be read as its answer, in one place for all kinds of answers."""

from __future__ import annotations

import re

from holdtrue.models.chat import Reply, Request
from holdtrue.record import AnswerStatus, ReplyKind
from holdtrue.world.answer import Unparsed

FILTERED = "a content filter held the reply back, or a part of it"
_TOOL = re.compile(r"""\bthe tool (['"])(.{1,80}?)\1""")
_NAME = re.compile(r"[\w.:-]{1,80}")
_LONGEST = 200  # characters of a refusal that a reason quotes


def readable(reply: Reply, request: Request) -> str | Unparsed:
    """Return the text in which an answer may be looked for, or why the reply to `request` is no answer.

    A refusal and a filtered reply are `refused`. A call of a tool is `unparsed`, and so is a reply that the token limit
    ended: what looks like an answer in it may be a draft that the model was about to give up.
    """
    match reply.kind:
        case ReplyKind.ANSWER:
            return reply.text
        case ReplyKind.CUT:
            return Unparsed(f"the reply was cut at the limit of {request.max_tokens:,} tokens")
        case ReplyKind.TOOL_CALL:
            return Unparsed(f"the model called a tool{_tools(reply.note or '')} and gave no answer")
        case ReplyKind.REFUSED:
            return Unparsed(_refusal(reply.text), AnswerStatus.REFUSED)
        case ReplyKind.FILTERED:
            return Unparsed(FILTERED, AnswerStatus.REFUSED)


def _tools(note: str) -> str:
    """The names of the tools that a note on the call tells, in brackets; nothing where it tells none."""
    named = [name for _, name in _TOOL.findall(note)] or ([note] if _NAME.fullmatch(note) else [])
    return f" ({', '.join(named)})" if named else ""


def _refusal(text: str) -> str:
    words = " ".join(text.split()).rstrip(".")
    if not words:
        return "the model refused, and said nothing more"
    return f"the model refused: {words if len(words) <= _LONGEST else f'{words[: _LONGEST - 3]}...'}"
