"""Take in the messages of a conversation. A message that cannot be read is recorded as such."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from holdtrue.errors import StoreError
from holdtrue.guard.conversation.call_decisions import CallDecisions, question_of
from holdtrue.guard.conversation.calls import decision_in
from holdtrue.guard.conversation.conversation_keeper import Keeper
from holdtrue.guard.conversation.event_log import EventLog
from holdtrue.guard.conversation.message_reading import ReadMessage, cost_of, read_user_message, read_yes
from holdtrue.guard.conversation.open_requests import is_same_value
from holdtrue.guard.conversation.plain_words import hear_promises
from holdtrue.guard.conversation.state import ConversationState
from holdtrue.guard.conversation.utterance import read_part, unread_part
from holdtrue.guard.decision import Decision
from holdtrue.guard.json_values import arguments_of
from holdtrue.guard.moment_texts import local_time
from holdtrue.language.requests.operation import Claim
from holdtrue.language.yes_words import answer_of
from holdtrue.record import CallRecord, EventRecord
from holdtrue.rules.values import NotSeen, to_json

_log = logging.getLogger(__name__)
_MARKUP = re.compile(
    r"(?<!\w)(?:\*\*|__|`)|(?:\*\*|__|`)(?!\w)|</?[a-z][a-z0-9]*>|(?m:^[ \t]*(?:[#>*\u2022-]+[ \t]+)+)"
)
"""Signs of lists, and signs of emphasis at the edges of words. Inside of a word such a sign is a part of the word."""
_BULLET = re.compile(r"(?:\d{1,3}[.)])?[\s#>*\u2022-]*$")
"""The number or the sign before an item of a list."""


@dataclass(frozen=True, slots=True)
class UnshownClaim:
    """A claim of completed work that no call supports: its words, the claimed call, and the reason as a sentence."""

    quote: str
    tool: str
    arguments: Mapping[str, Any]
    say: str


async def unshown_claims(
    guard: Keeper, state: ConversationState, text: str, calls: list[CallRecord]
) -> tuple[UnshownClaim, ...]:
    """Return the unsupported claims in a text. The model's calls are added to `calls`.

    Raises `ModelError` and `TimeoutError`.
    """
    reader = guard.claim_reader
    if reader is None or not text.strip():
        return ()
    context = state.context("", local_time(guard.now()))
    acts = {name: own for name, own in state.acts.items() if any(map(guard.policy.writes, own.tools))}
    async with asyncio.timeout(guard.timeout_s):
        found = await reader.read_claims(acts, text, context, calls)
    return tuple(_unshown(state, own) for own in found if not _is_shown(state, own))


def _is_shown(state: ConversationState, own: Claim) -> bool:
    tool = state.policy.tools.get(own.tool)
    if tool is None:
        return True  # A tool outside of the policy is not checked.
    fields = tool.arguments.fields
    for call in state.facts.done.get(own.tool, ()):
        if isinstance(call, NotSeen):
            return True  # A call with unknown arguments may be the claimed one.
        seen = ((name, each) for name, each in call.items() if name in fields and not isinstance(each, NotSeen))
        if _agree(own, {name: to_json(each, fields[name].type) for name, each in seen if each is not None}):
            return True
    return False


def _agree(own: Claim, call: Mapping[str, Any]) -> bool:
    return all(name in call and is_same_value(value, call[name]) for name, value in own.arguments.items())


def _unshown(state: ConversationState, own: Claim) -> UnshownClaim:
    begun = (each.call for each in state.pending.values() if each.call.tool == own.tool)
    waits = any(_agree(own, arguments_of(each.arguments)) for each in begun)
    named = ", ".join(f"{name} {value}" for name, value in own.arguments.items())
    why = "its result has not come" if waits else "no call that took effect shows it"
    call = f"{own.tool} with {named}" if named else own.tool
    return UnshownClaim(own.quote, own.tool, own.arguments, f"It says {own.quote!r}, but of {call} {why}.")


@dataclass(frozen=True, slots=True)
class Heard:
    """A `Heard` is the result of taking in a message.

    Attributes:
        turn: The number of the user's messages so far.
        events: The changes of the ledger.
        yes: Whether the user says yes to the assistant's text or question.
        unheard: Why the message, or a part of it, could not be read; "" if all of it was. Until it can be read, the
            guard asks about writing calls. If it is too long, the guard asks until the user's next message.
        unread: Statements that could not be used, with reasons.
        calls: The model's calls for reading it.
        claims: The assistant's claims of completed work that no call supports.
    """

    turn: int
    events: tuple[EventRecord, ...] = ()
    yes: bool = False
    unheard: str = ""
    unread: tuple[str, ...] = ()
    calls: tuple[CallRecord, ...] = ()
    claims: tuple[UnshownClaim, ...] = ()


class MessageIntake:
    """A `MessageIntake` takes in the messages of one conversation, one after the other."""

    def __init__(self, guard: Keeper, kept: EventLog, decisions: CallDecisions) -> None:
        self._guard, self._events, self._decisions = guard, kept, decisions
        self._checked: tuple[tuple[str, int], tuple[UnshownClaim, ...]] | None = None

    async def hear(self, body: Mapping[str, Any], answers: Decision | str | None, *, is_latest: bool = True) -> Heard:
        """Take in the messages of one turn. `body` has both texts, the time and the app's name for them.

        If `is_latest` is false, a message that says yes is ignored, because the yes may have counted already.
        """
        try:
            state = await self._events.opened()
        except StoreError:
            self._events.keep("heard", _body(body, _unread(body)))
            raise
        if body.get("ref") in state.refs:
            return Heard(state.turn)
        asked = {} if answers is None else {decision_in(state, answers): "answer"}
        answered: Mapping[str, str] = {}
        words = ReadMessage((), False, False)
        if body["user"] is not None:
            # A late reading that cannot be written is kept, and the new message is still taken in.
            with suppress(StoreError):
                await self._decisions.hear_again()
            state = await self._events.opened()
            before = "\n".join(filter(None, (state.words.before(state.turn + 1), body["assistant"])))
            context = state.context(read_part(before), local_time(body["at"]))
            reader, limit = self._guard.reader, self._guard.timeout_s
            listings = {id: own.listing for id, own in state.decisions.items() if own.listing and not asked}
            listed, is_bare = listed_at_end(before, listings)
            asked = asked or dict.fromkeys(listed, "listing")
            decisions = [state.decisions[id] for id in asked]
            words = await read_user_message(reader, state, context, body["user"], limit, decisions)
            answered = asked if words.yes else {}
            if listed and is_latest and not (is_bare and words.yes):
                answered, words = await self._read_as_yes(asked, words, before, body["user"])
        if words.yes and not is_latest:
            return Heard(state.turn)
        known = len(state.ledger.events)
        more: dict[str, Any] = {**({"answered": answered} if answered else {}), **({} if is_latest else {"old": True})}
        if body["assistant"] is not None:
            more["promises"] = hear_promises(state, read_part(body["assistant"]), local_time(body["at"]))
        await self._events.happened("heard", {**_body(body, words), **more})
        state = self._events.state
        changes = tuple(own.record() for own in state.ledger.events[known:])
        why = unread_part(body["assistant"] or "")
        unread = (*words.unread, *([f"what the assistant said: {why}"] if why else []))
        claims: tuple[UnshownClaim, ...] = ()
        try:
            if body["assistant"] is not None:
                claims = await self.claims_in(body["assistant"])
        except Exception:  # noqa: BLE001  a custom reader may raise anything; a missing check of claims stops nothing
            _log.warning("claims could not be read", exc_info=True)
        return Heard(state.turn, changes, words.yes, words.unheard or words.cut, unread, words.calls, claims)

    async def claims_in(self, text: str) -> tuple[UnshownClaim, ...]:
        """Return the unsupported claims in a text.

        If the method is called twice in a row with one text, the model reads it once.
        """
        key = text, self._events.state.seq
        if self._checked is None or self._checked[0] != key:
            calls = list[CallRecord]()
            found = await unshown_claims(self._guard, self._events.state, text, calls)
            if calls:
                await self._events.happened("claims read", {"claims": [own.quote for own in found], **cost_of(calls)})
            self._checked = (text, self._events.state.seq), found
        return self._checked[1]

    async def _read_as_yes(
        self, listed: Mapping[str, str], words: ReadMessage, assistant: str, user: str
    ) -> tuple[dict[str, str], ReadMessage]:
        """Return the listings that a reply accepts in the reader's view, when code alone cannot tell."""
        found, calls = dict[str, str](), list[CallRecord]()
        for id, way in listed.items():
            own = self._events.state.decisions[id]
            if await self._decisions.is_yes(question_of(own.tool, own.arguments, assistant, user), calls):
                found[id] = way
        return found, replace(words, calls=(*words.calls, *calls))


def _body(body: Mapping[str, Any], words: ReadMessage) -> dict[str, Any]:
    found = {name: own for name, own in body.items() if own is not None}
    if body["user"] is not None:
        found |= {"taken": list(words.taken), "yes": words.yes, "void": words.void, **cost_of(words.calls)}
        found |= {name: own for name, own in (("unheard", words.unheard), ("cut", words.cut)) if own}
    return found


def _unread(body: Mapping[str, Any]) -> ReadMessage:
    """Return the reading of a message in a conversation that could not be opened. It can only end an earlier yes."""
    plainly = read_yes("", read_part(body["user"] or ""))
    return replace(plainly, unheard="the conversation could not be read when it was said")


def listed_at_end(message: str, listings: Mapping[str, str]) -> tuple[tuple[str, ...], bool]:
    """Return the ids of the decisions whose listings end a message, and whether the message has no other text.

    White space and markup are ignored, and a courtesy before the listings counts as no text. Other text before them may
    change the meaning of a yes. A message with text after a listing does not end with it.
    """
    found = list[str]()
    rest = message
    while True:
        ended = {id: before for id, text in listings.items() if (before := _before(rest, text)) is not None}
        if not ended:
            break
        # Decisions on the same call have one listing.
        rest = next(iter(ended.values()))
        found += [id for id in ended if id not in found]
    return tuple(found), not rest.strip() or answer_of(rest) != "more"


def _before(message: str, listing: str) -> str | None:
    """Return the text before a listing that ends a message, or None."""
    if not listing:
        return None
    # A listing that contains markup has to be there literally.
    pairs = [(" ".join(message.split()), " ".join(listing.split()))]
    if not _MARKUP.search(listing):
        pairs.append((" ".join(_MARKUP.sub(" ", message).split()), pairs[0][1]))
        pairs.append((" ".join(_MARKUP.sub("", message).split()), pairs[0][1]))
    before = next((text.removesuffix(own) for text, own in pairs if text.endswith(own)), None)
    return None if before is None else _BULLET.sub("", before)
