"""Send requests to a model. All readers and all kinds of answers use this module for it.

Every call is recorded with its cost. A cut or unreadable reply is requested again, and of several samples the most
frequent reply counts. Readers expect short replies and set small token limits, but a model that thinks first spends
them on its thoughts. So the cut reply to a reader is requested once more with a larger limit.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from holdtrue.errors import RequestRefused
from holdtrue.language.retries import say
from holdtrue.models.chat import ChatModel, Message, Reply, Request, assistant, call, system, user
from holdtrue.models.sampling import Sampling
from holdtrue.record import RETRIED, AnswerStatus, CallRecord, ReplyKind
from holdtrue.world.answer import Unparsed
from holdtrue.world.lenient_json import strip_thinking

FILTERED = "a content filter held the reply back, or a part of it"
_TOOL = re.compile(r"""\bthe tool (['"])(.{1,80}?)\1""")
_NAME = re.compile(r"[\w.:-]{1,80}")
_LONGEST = 200  # characters of a refusal that a reason quotes


def readable(reply: Reply, request: Request) -> str | Unparsed:
    """Return the text of a reply that may hold an answer, or the reason why there is none.

    A refusal and a filtered reply are `refused`. A tool call and a reply that the token limit cut are `unparsed`. An
    answer in a cut reply may be a draft that the model was about to discard.
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
    named = [name for _, name in _TOOL.findall(note)] or ([note] if _NAME.fullmatch(note) else [])
    return f" ({', '.join(named)})" if named else ""


def _refusal(text: str) -> str:
    words = " ".join(text.split()).rstrip(".")
    if not words:
        return "the model refused, and said nothing more"
    return f"the model refused: {words if len(words) <= _LONGEST else f'{words[: _LONGEST - 3]}...'}"


FORMAT_SYSTEM = "You are a strict JSON formatter. Output one valid JSON object only. No markdown or prose."
TRUNCATION = (
    "Previous answer was clipped by token limit. Retry with one compact JSON object only: "
    "no bullets, no prose, no analysis."
)


def truncation_retry(prompt: Sequence[Message]) -> tuple[Message, ...]:
    """Return the published prompt after a cut answer: the same question with a request to be brief (A.6)."""
    return (*prompt[:-1], user(f"{prompt[-1].content}\n\n{TRUNCATION}"))


def one_line(text: str) -> str:
    """Return a text on one line for a prompt, in which a line break could begin another part."""
    return " ".join(text.split())


def taught_request(
    purpose: str,
    frame: str,
    lessons: Iterable[tuple[str, str]],
    asked: str,
    schema: Mapping[str, Any],
    max_tokens: int,
) -> Request:
    """Return a request that begins with a constant frame and lessons. A lesson is a question with its right reply."""
    taught = [system(frame)]
    for said, answer in lessons:
        taught += [user(said), assistant(answer)]
    return Request((*taught, user(asked)), purpose, schema=schema, max_tokens=max_tokens, frame=len(taught))


SENT_BEFORE = "the same request was sent before in this turn, and its reply stands for both"
LONGER = 8
"""The factor by which the token limit of a cut reply grows, up to `LONGEST` or twice the limit."""

LONGEST = 8192

Schema = Mapping[str, Any] | None
Prompt = Sequence[Message]
Vote = TypeVar("Vote", bound=Hashable)


@dataclass(frozen=True, slots=True)
class ModelReply:
    """A `ModelReply` is a request with the reply to it."""

    request: Request
    reply: Reply

    @property
    def text(self) -> str | Unparsed:
        """Return the text that may hold an answer, or the reason why the reply is not an answer."""
        return readable(self.reply, self.request)


@dataclass(frozen=True, slots=True)
class WholeReply:
    """A `WholeReply` holds the text of a model's complete answer, or "" and the reason why there is none."""

    text: str
    reason: str | None = None


@dataclass(slots=True)
class Asking:
    """An `Asking` sends requests to one model, with the settings `sampling`, and records each in `calls`, in order."""

    model: ChatModel
    sampling: Sampling = field(default_factory=Sampling)
    calls: list[CallRecord] = field(default_factory=list)
    _answered: dict[str, tuple[Reply, CallRecord]] = field(default_factory=dict, repr=False)

    async def ask(
        self,
        purpose: str,
        messages: Prompt,
        schema: Schema = None,
        *,
        temperature: float | None = 0.0,
        sample: int = 0,
        max_tokens: int | None = 1024,
        frame: int = 0,
    ) -> str:
        """Return the text of a complete reply, or "" if the model gave no answer.

        A setting of None is taken from `sampling`. The first `frame` messages are the same in all requests of this
        purpose and hold no word of a user. Raises `ModelError`.
        """
        request = self.sampling.request(
            purpose, messages, schema, temperature=temperature, sample=sample, max_tokens=max_tokens
        )
        return (await ask_whole(self.model, replace(request, frame=frame), self.calls)).text

    async def send(
        self,
        purpose: str,
        messages: Prompt,
        schema: Schema = None,
        *,
        temperature: float | None = None,
        sample: int = 0,
        max_tokens: int | None = None,
    ) -> ModelReply:
        """Return the reply to one call, of any kind, with its request. Raises `ModelError`.

        A retry at temperature 0 with a request that was sent before can only repeat its reply. It is not sent, but
        counts as a call, and its record says so.
        """
        request = self.sampling.request(
            purpose, messages, schema, temperature=temperature, sample=sample, max_tokens=max_tokens
        )
        key = request.key(self.model.name)
        if purpose in RETRIED and request.temperature == 0 and key in self._answered:
            reply, record = self._answered[key]
            record = _noted(replace(record, purpose=purpose), SENT_BEFORE)
        else:
            reply, record = self._answered[key] = await call(self.model, request)
        self.calls.append(record)
        return ModelReply(request, reply)

    def take_calls(self) -> tuple[CallRecord, ...]:
        """Return the records of all calls since the last use of this method."""
        calls = tuple(self.calls)
        self.calls.clear()
        return calls


async def ask_within_retries(
    attempt: Callable[[str, Prompt], Awaitable[ReplyKind]],
    purpose: str,
    prompt: Prompt,
    format_retry: Callable[[ReplyKind], Prompt | None],
    *,
    truncations: int,
    formats: int,
    again: Callable[[], str] = lambda: "",
    truncated: Callable[[Prompt], Prompt] = truncation_retry,
) -> None:
    """Make an attempt, then further ones while the reply is cut, or while `format_retry` returns a prompt.

    `truncations` and `formats` limit the two kinds of further attempts. `again` returns the sentence that makes a
    prompt after a cut reply differ from earlier ones. `truncated` returns the prompt after a cut reply to a prompt.
    """
    replied = await attempt(purpose, prompt)
    for _ in range(truncations):
        if replied is not ReplyKind.CUT:
            break
        replied = await attempt("truncation", say(truncated(prompt), again()))
    for _ in range(formats):
        request = format_retry(replied)
        if request is None:
            break
        replied = await attempt("format", request)


def most_voted(votes: Iterable[Vote | None]) -> tuple[Vote | None, int]:
    """Return the most frequent vote (of equals, the first one) with its count. None does not count as a vote."""
    given = Counter(vote for vote in votes if vote is not None)
    return given.most_common(1)[0] if given else (None, 0)


async def ask_whole(model: ChatModel, request: Request, calls: list[CallRecord]) -> WholeReply:
    """Return the model's reply and add its calls; there are two if the first reply was cut."""
    reply, record = await call(model, request)
    if reply.kind is not ReplyKind.CUT:
        calls.append(record)
        return _whole(reply, request)
    longer = replace(request, max_tokens=min(LONGER * request.max_tokens, max(LONGEST, 2 * request.max_tokens)))
    calls.append(_noted(record, f"{_cut(reply, request)}, and it was asked again with {longer.max_tokens}"))
    try:
        reply, record = await call(model, longer)
    except RequestRefused as error:
        # The model has no room for a longer reply.
        calls[-1] = _noted(record, f"{_cut(reply, request)}, and {longer.max_tokens} were refused: {error}")
        return _whole(reply, request)
    calls.append(_noted(record, _cut(reply, longer)) if reply.kind is ReplyKind.CUT else record)
    return _whole(reply, longer)


async def ask_once(model: ChatModel, request: Request, calls: list[CallRecord]) -> str:
    """Return the text of the model's reply, or "" if it is not an answer or was cut. It is requested only once.

    The call is added to `calls`. Raises `ModelError`.
    """
    reply, record = await call(model, request)
    calls.append(_noted(record, _cut(reply, request)) if reply.kind is ReplyKind.CUT else record)
    return "" if reply.kind is ReplyKind.CUT else _whole(reply, request).text


async def ask_object(model: ChatModel, request: Request, calls: list[CallRecord]) -> dict[str, Any]:
    """Return the JSON object in the model's reply, or an empty one, and add the model's calls to `calls`."""
    reply = await ask_whole(model, request, calls)
    try:
        found = json.loads(reply.text or "null")
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _whole(reply: Reply, request: Request) -> WholeReply:
    if reply.kind is ReplyKind.CUT:
        # An answer in a cut reply may be a draft that the model was about to discard.
        return WholeReply("", _cut(reply, request))
    read = readable(reply, request)
    return WholeReply("", read.reason) if isinstance(read, Unparsed) else WholeReply(read)


def _cut(reply: Reply, request: Request) -> str:
    thinking = "" if strip_thinking(reply.text).strip() else " while it was thinking"
    return f"the model's reply was cut at {request.max_tokens} tokens{thinking}"


def _noted(record: CallRecord, note: str) -> CallRecord:
    return replace(record, note=note if record.note is None else f"{record.note}; {note}")
