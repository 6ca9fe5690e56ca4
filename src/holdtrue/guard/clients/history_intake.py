"""Take in the histories of requests and the texts of answers: each message once, and each result for its call.

The outcome of a call counts, even if it cannot be written at once.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from holdtrue.errors import StoreConflict, StoreError
from holdtrue.guard.clients.forms import Shown
from holdtrue.guard.clients.history_alignment import KnownItems, digest_of
from holdtrue.guard.conversation.calls import GivenCall, said_by
from holdtrue.guard.conversation.worker import begun
from holdtrue.guard.fetching import call_text
from holdtrue.guard.json_values import recorded
from holdtrue.guard.results import is_error

if TYPE_CHECKING:
    from holdtrue.guard.conversation.guarded_conversation import Ending, GuardedConversation
    from holdtrue.guard.conversation.message_intake import Heard

_TRIES = 3


async def tell_result(
    talk: GuardedConversation,
    tool: str,
    arguments: Any,
    result: Any,
    id: str | None,
    outcome: Ending | None = None,
    ref: str | None = None,
) -> StoreConflict | StoreError | None:
    """Take in a result, and return the error that keeps it from being written now, or None.

    After a `StoreConflict` the result is taken in again, at most `_TRIES` times in all; then the call stays pending.
    After another `StoreError` the result is written later. Neither error lets another call through.
    """
    kept_from: StoreConflict | None = None
    for _ in range(_TRIES):
        try:
            await talk.saw(tool, arguments, result, call=id, outcome=outcome, ref=ref)
            return None
        except StoreConflict as error:
            kept_from = error
        except StoreError as error:
            return error
    return kept_from


_MOST_CONVERSATIONS = 10_000
_MOST_CALLS = 200
_SHORTEST_BEGIN = 12
"""The least number of characters of the beginning that identifies a shortened text."""


@dataclass(eq=False)
class Made:
    """A call that came out of a client with an `id`. If `is_run` is true, a guarded function reports its result."""

    call: GivenCall
    id: str | None
    is_run: bool = False
    said: str = ""
    failed: bool = False


def _made_calls(talk: GuardedConversation) -> list[Made]:
    """Return the calls that came out of clients and whose results no request has shown, oldest first.

    A request that continues a stored response has only the ids of its calls. After a restart, a writing call is found
    among the pending ones, and the result of a reading call is ignored.
    """
    kept: OrderedDict[tuple[str, str], list[Made]] = talk.guard.made_calls
    found = kept.setdefault((talk.tenant, talk.id), [])
    kept.move_to_end((talk.tenant, talk.id))
    while len(kept) > _MOST_CONVERSATIONS:
        kept.popitem(last=False)
    return found


async def taken_over(talk: GuardedConversation, tool: str, arguments: Any) -> Made | None:
    """Return the client's call that a function makes now, or None. The call is decided on again before it runs."""
    async with talk.client_lock:
        own = GivenCall(tool, arguments, None)
        free = (made for made in _made_calls(talk) if not made.is_run and is_alike(made.call, own))
        made = next(free, None)
        if made is None:
            return None
        made.is_run = True
        alike = [own for own in await talk.pending() if is_alike(own, made.call)]
        for own in sorted(alike, key=lambda own: own.id != made.call.id)[:1]:
            await tell_result(talk, own.tool, own.arguments, "a guarded function makes it", own.id, "failed")
        return made


@dataclass(frozen=True, slots=True)
class TakenIn:
    """`TakenIn` are the new items of a history: the messages that were heard, and the calls whose results were seen."""

    heard: tuple[Heard, ...] = ()
    seen: tuple[GivenCall, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.heard or self.seen)


async def take_in(talk: GuardedConversation, history: Sequence[Shown], *, is_continued: bool = False) -> TakenIn:
    """Take in the new items of a history, and return them.

    If `is_continued` is true, the provider keeps the earlier ones.
    """
    heard: list[Heard] = []
    called: list[GivenCall] = []
    async with talk.client_lock:
        known = KnownItems.of(await talk.known_refs())
        seen = set(known.digests)
        words = await talk.known_words()
        shown = await _with_calls(talk, history)
        awaited = await _awaited(talk, [own.call for own in shown if own.kind == "result" and own.call is not None])
        answered = {id(own.call) for own in shown if own.kind == "result"}
        items: list[tuple[Shown, str]] = []
        for place, own in enumerate(shown):
            if (own.kind == "user") or (own.kind == "assistant" and own.text):
                digest = digest_of(own.kind, own.text)
                if digest not in seen and place < len(history) - 1:
                    digest = digest_of(own.kind, _whole(own, words))
                items.append((own, digest))
            elif own.kind == "result" and own.call is not None:
                items.append((own, _digest(own.call)))
            elif own.call is not None and id(own.call) not in answered and await talk.has_ended(own.call):
                _put_unshown(items, own, known.digests)
        surely_new = [place for place, (own, _) in enumerate(items) if own.kind == "result" and id(own.call) in awaited]
        digests = [digest for _, digest in items]
        for new in known.new_in(digests, surely_new=surely_new, is_continued=is_continued):
            own = items[new.place][0]
            if own.kind == "call":
                continue
            if own.kind == "user":
                heard.append(await talk.heard(user=own.text, ref=new.ref, is_latest=new.is_latest))
            elif own.call is None:
                heard.append(await talk.heard(assistant=own.text, ref=new.ref))
            else:
                await _take_result_in(talk, own.call, own.text, new.ref)
                called.append(own.call)
    return TakenIn(tuple(heard), tuple(called))


def _put_unshown(items: list[tuple[Shown, str]], call: Shown, known: Sequence[str]) -> None:
    """Put the result of a call among the items. It is known already, but the history does not show it yet.

    Frameworks show the results of parallel calls together, after the last one. The results stand in the known order.
    """
    digest = "" if call.call is None else _digest(call.call)
    if digest not in known:
        return
    place = len(items)
    while place and items[place - 1][0].kind == "call" and known.index(items[place - 1][1]) > known.index(digest):
        place -= 1
    items.insert(place, (call, digest))


async def _with_calls(talk: GuardedConversation, history: Sequence[Shown]) -> list[Shown]:
    """Return a history in which calls have their tools and arguments, even if it has only their ids."""
    found, made = list[Shown](), [*_made_calls(talk)]
    for own in history:
        if own.call is not None and not own.call.tool:
            known = next((each for each in made if each.id == own.call.id), None)
            own = replace(own, call=await talk.known_call(own.call) if known is None else known.call)
            made = [each for each in made if each is not known]
        found.append(own)
    return found


async def _awaited(talk: GuardedConversation, calls: Sequence[GivenCall]) -> set[int]:
    """Return the calls whose results in a history are the first ones, by the identities of the calls.

    Some clients count the ids of calls anew in each message. So the last calls of an id are the open ones: those that
    wait for a result or were stopped. A call whose result only a guarded function has reported is open, too.
    """
    open_ones = Counter(_digest(GivenCall(tool, None, id)) for id, tool in await talk.awaited())
    open_ones += Counter(_digest(own.call) for own in _made_calls(talk) if own.is_run)
    found = set[int]()
    for own in reversed(calls):
        if open_ones[_digest(own)] > 0:
            open_ones[_digest(own)] -= 1
            found.add(id(own))
    return found


def _whole(own: Shown, words: Sequence[tuple[str, str]]) -> str:
    """Return the full text of a message that an app may have shortened."""
    begin = own.text.rstrip(" .…")
    if len(begin) < _SHORTEST_BEGIN:
        return own.text
    return next((text for who, text in words if who == own.kind and text.startswith(begin)), own.text)


async def _take_result_in(talk: GuardedConversation, call: GivenCall, text: str, ref: str) -> None:
    """Take in the result of a call in a history, which a guarded function may have reported already.

    *Like* calls have the same tool and arguments. Among them, the function's result is the one with the same content,
    or with the same id and outcome. If no like call waits for a result, any reported result of one counts.
    """
    made, like = _made_calls(talk), (call.tool, call_text(call.arguments))
    waits = [(key, id) for key, id, each in await talk.waiting() if each == like]
    alike = [own for own in made if is_alike(own.call, call)]
    run = [own for own in alike if own.is_run]
    failed, said = False, ""
    if run:
        failed, said = await begun(lambda: (is_error(talk.guard.policy, text), said_by(text)), text)
    own = next((own for own in run if not waits or own.said == said), None) or next(
        (own for own in run if own.call.id == call.id and own.failed is failed), None
    )
    if own is not None:
        await talk.saw_again(call.tool, call.arguments, text, call=call.id, ref=ref)
    else:
        others = [key for key, _ in waits if any(each.call.id == call.id for each in run)]
        key = [*(key for key, id in waits if id == call.id), *others, call.id][0]
        await talk.saw(call.tool, call.arguments, text, call=key, ref=ref)
        own = next((each for each in alike if not each.is_run and each.call.id == call.id), None)
    if own is not None:
        made.remove(own)


async def note_result(
    talk: GuardedConversation, call: GivenCall, result: Any, outcome: Ending | None = None
) -> StoreConflict | StoreError | None:
    """Take in the result of a call right after it ran, under the name that it will have in the history.

    Return the error that keeps it from being written now, or None.
    """
    async with talk.client_lock:
        ref = KnownItems.of(await talk.known_refs()).appended(_digest(call))
        return await tell_result(talk, call.tool, call.arguments, result, call.id, outcome, ref)


async def has_come(talk: GuardedConversation, call: GivenCall) -> bool:
    """Return whether a result of a call with this tool and id was taken in."""
    return _digest(call) in KnownItems.of(await talk.known_refs()).digests


async def note_answer(talk: GuardedConversation, text: str, calls: Sequence[Made]) -> None:
    """Take in the text of an answer that comes out, and note its calls."""
    async with talk.client_lock:
        if text:
            ref = KnownItems.of(await talk.known_refs()).appended(digest_of("assistant", text))
            await talk.heard(assistant=text, ref=ref)
    made = _made_calls(talk)
    # A new call replaces those like it that functions made earlier.
    made[:] = [own for own in made if not (own.is_run and any(is_alike(own.call, new.call) for new in calls))]
    made += calls
    del made[:-_MOST_CALLS]


def _digest(call: GivenCall) -> str:
    return digest_of("result", call.id or "", call.tool)


def is_alike(one: GivenCall, other: GivenCall) -> bool:
    """Return whether two calls have the same tool and arguments, regardless of their ids."""
    return one.tool == other.tool and call_text(recorded(one.arguments)) == call_text(recorded(other.arguments))
