"""Take in the messages of a conversation: what is read of them, or that they could not be read, is kept."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from holdtrue.errors import HoldtrueError, StoreError
from holdtrue.guard.conversation.call_decisions import CallDecisions, question_of
from holdtrue.guard.conversation.calls import decision_in
from holdtrue.guard.conversation.hearing import HeardWords, cost_of, hear_plainly, hear_user
from holdtrue.guard.conversation.keeper import Keeper
from holdtrue.guard.conversation.kept_events import KeptEvents
from holdtrue.guard.conversation.open_requests import is_same_value
from holdtrue.guard.conversation.plain_words import hear_promises
from holdtrue.guard.conversation.said import read_part, unread_part
from holdtrue.guard.conversation.state import ConversationState
from holdtrue.guard.decision import Decision
from holdtrue.guard.json_values import arguments_of
from holdtrue.guard.moment_texts import local_time
from holdtrue.language.requests.operation import Claim
from holdtrue.language.yes_words import answer_of
from holdtrue.record import CallRecord, EventRecord
from holdtrue.rules.values import NotSeen, to_json


@dataclass(frozen=True, slots=True)
class UnshownClaim:
    """An `UnshownClaim` is a claim of work that no call shows: its words, the tool, what it names, and why not."""

    quote: str
    tool: str
    arguments: Mapping[str, Any]
    say: str


async def unshown_claims(
    guard: Keeper, state: ConversationState, text: str, calls: list[CallRecord]
) -> tuple[UnshownClaim, ...]:
    """Return the claims in a text of the assistant that no call shows, and add the calls of a model to `calls`.

    Without a reader of claims none is found. Raises `ModelError` and `TimeoutError`.
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
        return True  # What no tool of the policy does, no call can show.
    fields = tool.arguments.fields
    for call in state.facts.done.get(own.tool, ()):
        if isinstance(call, NotSeen):
            return True  # Nobody knows with which arguments it was made, so that nothing shows the claim to be false.
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


_log = logging.getLogger(__name__)
_MARKUP = re.compile(
    r"(?<!\w)(?:\*\*|__|`)|(?:\*\*|__|`)(?!\w)|</?[a-z][a-z0-9]*>|(?m:^[ \t]*(?:[#>*\u2022-]+[ \t]+)+)"
)
"""Signs for emphasis stand beside words: within one they are a part of it."""
_BULLET = re.compile(r"(?:\d{1,3}[.)])?[\s#>*\u2022-]*$")
"""What stands before an item of a list."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A `Heard` says what hearing a message did.

    Attributes:
        turn: The number of the user's messages so far.
        events: What it changed in the ledger.
        yes: Whether the user says yes to what was said or asked before.
        unheard: Why the message, or a part of it, could not be read; "" where all was. Calls that write are asked about
            until it can, or, where it is too long for ever, until the user says something else.
        unread: What seemed to be said and could not be taken, with the reasons.
        calls: The calls of a model that reading it took.
        claims: What the assistant claimed to have done and no call shows.
    """

    turn: int
    events: tuple[EventRecord, ...] = ()
    yes: bool = False
    unheard: str = ""
    unread: tuple[str, ...] = ()
    calls: tuple[CallRecord, ...] = ()
    claims: tuple[UnshownClaim, ...] = ()


class HeardMessages:
    """The `HeardMessages` of a conversation are taken in one after the other."""

    def __init__(self, guard: Keeper, kept: KeptEvents, decisions: CallDecisions) -> None:
        self._guard, self._kept, self._decisions = guard, kept, decisions
        self._checked: tuple[tuple[str, int], tuple[UnshownClaim, ...]] | None = None

    async def hear(self, body: Mapping[str, Any], answers: Decision | str | None, *, is_latest: bool = True) -> Heard:
        """Take in what was said: `body` has the texts of both, the moment and the name that they are given.

        A yes that may be an old one is not heard, for it must not count again.
        """
        try:
            state = await self._kept.opened()
        except StoreError:
            self._kept.keep("heard", _body(body, _unread(body)))
            raise
        if body.get("ref") in state.refs:
            return Heard(state.turn)
        asked = {} if answers is None else {decision_in(state, answers): "answer"}
        answered: Mapping[str, str] = {}
        words = HeardWords((), False, False)
        if body["user"] is not None:
            # What was read late and could not be written is kept; the new message is heard all the same.
            with suppress(StoreError):
                await self._decisions.hear_again()
            state = await self._kept.opened()
            before = "\n".join(filter(None, (state.words.before(state.turn + 1), body["assistant"])))
            context = state.context(read_part(before), local_time(body["at"]))
            reader, limit = self._guard.reader, self._guard.timeout_s
            listings = {id: own.listing for id, own in state.decisions.items() if own.listing and not asked}
            listed, is_bare = listed_at_end(before, listings)
            asked = asked or dict.fromkeys(listed, "listing")
            decisions = [state.decisions[id] for id in asked]
            words = await hear_user(reader, state, context, body["user"], limit, decisions)
            answered = asked if words.yes else {}
            if listed and is_latest and not (is_bare and words.yes):
                answered, words = await self._read_as_yes(asked, words, before, body["user"])
        if words.yes and not is_latest:
            return Heard(state.turn)
        known = len(state.ledger.events)
        more: dict[str, Any] = {**({"answered": answered} if answered else {}), **({} if is_latest else {"old": True})}
        if body["assistant"] is not None:
            more["promises"] = hear_promises(state, read_part(body["assistant"]), local_time(body["at"]))
        await self._kept.happened("heard", {**_body(body, words), **more})
        state = self._kept.known
        changes = tuple(own.record() for own in state.ledger.events[known:])
        why = unread_part(body["assistant"] or "")
        unread = (*words.unread, *([f"what the assistant said: {why}"] if why else []))
        claims = await self._claims_heard(body["assistant"])
        return Heard(state.turn, changes, words.yes, words.unheard or words.cut, unread, words.calls, claims)

    async def _claims_heard(self, assistant: str | None) -> tuple[UnshownClaim, ...]:
        """Return what the assistant was heard to claim; where nobody can read it, that stops nothing."""
        try:
            return () if assistant is None else await self.claims_in(assistant)
        except (HoldtrueError, TimeoutError):
            _log.warning("claims could not be read", exc_info=True)
            return ()

    async def claims_in(self, text: str) -> tuple[UnshownClaim, ...]:
        """Return what a text of the assistant claims to have done and no call shows; it is read once in a row."""
        key = text, self._kept.known.seq
        if self._checked is None or self._checked[0] != key:
            calls = list[CallRecord]()
            found = await unshown_claims(self._guard, self._kept.known, text, calls)
            if calls:
                await self._kept.happened("claims read", {"claims": [own.quote for own in found], **cost_of(calls)})
            self._checked = (text, self._kept.known.seq), found
        return self._checked[1]

    async def _read_as_yes(
        self, listed: Mapping[str, str], words: HeardWords, assistant: str, user: str
    ) -> tuple[dict[str, str], HeardWords]:
        """Return to which of the listings a reader takes a reply for a yes, where code alone cannot tell."""
        found, calls = dict[str, str](), list[CallRecord]()
        for id, way in listed.items():
            own = self._kept.known.decisions[id]
            if await self._decisions.is_yes(question_of(own.tool, own.arguments, assistant, user), calls):
                found[id] = way
        return found, replace(words, calls=(*words.calls, *calls))


def _body(body: Mapping[str, Any], words: HeardWords) -> dict[str, Any]:
    """Return what was said, and what was read of it, as an event has it."""
    found = {name: own for name, own in body.items() if own is not None}
    if body["user"] is not None:
        found |= {"taken": list(words.taken), "yes": words.yes, "void": words.void, **words.cost}
        found |= {name: own for name, own in (("unheard", words.unheard), ("cut", words.cut)) if own}
    return found


def _unread(body: Mapping[str, Any]) -> HeardWords:
    """Return what was said while the conversation could not be read: what takes a yes back counts anyway."""
    plainly = hear_plainly("", read_part(body["user"] or ""))
    return replace(plainly, unheard="the conversation could not be read when it was said")


def listed_at_end(message: str, listings: Mapping[str, str]) -> tuple[tuple[str, ...], bool]:
    """Return which listings, by the ids of their decisions, a message ends with, and whether it says nothing else.

    White space and markup do not matter, nor does a courtesy before the listings. Other words before them may make
    something else of a yes, and what stands behind them is the last that the user hears, so that nothing may.
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
    """Return what stands before a listing with which a message ends, or None where it does not end with it."""
    if not listing:
        return None
    # What has signs of markup itself has to stand there to the letter.
    pairs = [(" ".join(message.split()), " ".join(listing.split()))]
    if not _MARKUP.search(listing):
        pairs.append((" ".join(_MARKUP.sub(" ", message).split()), pairs[0][1]))
        pairs.append((" ".join(_MARKUP.sub("", message).split()), pairs[0][1]))
    before = next((text.removesuffix(own) for text, own in pairs if text.endswith(own)), None)
    return None if before is None else _BULLET.sub("", before)
