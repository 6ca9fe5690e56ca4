"""Asking a model to read something, so that its reply is whole or says why it is not.

Readings are short, and so are their limits of tokens; but a model that thinks before it writes spends them on its
thoughts. A reply that was cut is therefore asked for once more, with a limit that leaves room for thinking.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from holdtrue.errors import RequestRefused
from holdtrue.language.readable import readable
from holdtrue.models.chat import ChatModel, Reply, Request, call
from holdtrue.record import CallRecord, ReplyKind
from holdtrue.world.answer import Unparsed
from holdtrue.world.jsonscan import strip_thinking

LONGER = 8
"""How many times as many tokens the second time, up to `LONGEST` or twice as many, whichever is more."""

LONGEST = 8192


@dataclass(frozen=True, slots=True)
class WholeReply:
    """What a model wrote, "" where it gave no whole answer, and why it did not, None if it did."""

    text: str
    reason: str | None = None


async def ask_whole(model: ChatModel, request: Request, calls: list[CallRecord]) -> WholeReply:
    """Return the model's reply; adds its calls, of which there are two where the first one was cut."""
    reply, record = await call(model, request)
    if reply.kind is not ReplyKind.CUT:
        calls.append(record)
        return _told(reply, request)
    longer = replace(request, max_tokens=min(LONGER * request.max_tokens, max(LONGEST, 2 * request.max_tokens)))
    calls.append(_noted(record, f"{_cut(reply, request)}, and it was asked again with {longer.max_tokens}"))
    try:
        reply, record = await call(model, longer)
    except RequestRefused as error:
        # No room for so many: what was cut is all that there is.
        calls[-1] = _noted(record, f"{_cut(reply, request)}, and {longer.max_tokens} were refused: {error}")
        return _told(reply, request)
    calls.append(_noted(record, _cut(reply, longer)) if reply.kind is ReplyKind.CUT else record)
    return _told(reply, longer)


def _told(reply: Reply, request: Request) -> WholeReply:
    if reply.kind is ReplyKind.CUT:
        # What stands in it may be a draft that the model was about to give up.
        return WholeReply("", _cut(reply, request))
    read = readable(reply, request)
    return WholeReply("", read.reason) if isinstance(read, Unparsed) else WholeReply(read)


def _cut(reply: Reply, request: Request) -> str:
    thinking = "" if strip_thinking(reply.text).strip() else " while it was thinking"
    return f"the model's reply was cut at {request.max_tokens} tokens{thinking}"


def _noted(record: CallRecord, note: str) -> CallRecord:
    return replace(record, note=note if record.note is None else f"{record.note}; {note}")
