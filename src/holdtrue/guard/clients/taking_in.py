"""Let a conversation take in what requests show and answers say: each message once, and each result for its call.

How a call ended counts, whether or not it can be written down at once.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from holdtrue.errors import StoreConflict, StoreError
from holdtrue.guard.clients.forms import Shown
from holdtrue.guard.clients.known_items import KnownItems, digest_of
from holdtrue.guard.conversation.calls import GivenCall
from holdtrue.guard.conversation.shared_lock import SharedLock
from holdtrue.guard.json_values import recorded

if TYPE_CHECKING:
    from holdtrue.guard.conversation.guarded_conversation import GuardedConversation, Outcome
    from holdtrue.guard.guard import Guard


_TRIES = 3


async def tell_result(
    talk: GuardedConversation, tool: str, arguments: Any, result: Any, id: str | None, outcome: Outcome | None = None
) -> StoreConflict | StoreError | None:
    """Let a conversation see a result, and return what keeps it from being written down now, or None.

    After a `StoreConflict` it is told again, for what another process wrote is known then; after so many of them the
    call stays pending. After another `StoreError` it is written with whatever comes next. Neither lets another call
    through.
    """
    kept_from: StoreConflict | None = None
    for _ in range(_TRIES):
        try:
            await talk.saw(tool, arguments, result, call=id, outcome=outcome)
            return None
        except StoreConflict as error:
            kept_from = error
        except StoreError as error:
            return error
    return kept_from


_MOST_CONVERSATIONS = 10_000
_MOST_CALLS = 200
_SHORTEST_BEGIN = 12
"""So many characters of a text that was said tell it from others."""
_locks: WeakKeyDictionary[GuardedConversation, SharedLock] = WeakKeyDictionary()
_made: WeakKeyDictionary[Guard, MadeCalls] = WeakKeyDictionary()


def lock_of(talk: GuardedConversation) -> SharedLock:
    """Return the lock of a conversation for what clients do in several steps."""
    return _locks.setdefault(talk, SharedLock())


@dataclass
class _Made:
    """A call that came out; whether a guarded function makes it, which tells its result itself."""

    call: GivenCall
    is_run: bool = False


class MadeCalls:
    """The `MadeCalls` of a guard are the calls that came out of clients and whose results have not been shown.

    A request that continues a stored response names only the call's id. The latest are kept, in memory: after a restart
    a call that writes is known as a pending one, and the result of one that reads is not seen.
    """

    def __init__(self) -> None:
        self._calls: OrderedDict[tuple[str, str], list[_Made]] = OrderedDict()

    @classmethod
    def of(cls, guard: Guard) -> MadeCalls:
        """Return the calls of a guard, whichever clients it wraps."""
        return _made.setdefault(guard, cls())

    def add(self, talk: GuardedConversation, calls: Sequence[GivenCall]) -> None:
        """Note calls that come out."""
        own = self._calls.setdefault((talk.tenant, talk.id), [])
        self._calls.move_to_end((talk.tenant, talk.id))
        own += map(_Made, calls)
        del own[:-_MOST_CALLS]
        while len(self._calls) > _MOST_CONVERSATIONS:
            self._calls.popitem(last=False)

    def find(self, talk: GuardedConversation, id: str | None) -> GivenCall | None:
        """Return the oldest call with an id."""
        return next((own.call for own in self._of(talk) if own.call.id == id), None)

    def begin(self, talk: GuardedConversation, call: GivenCall) -> GivenCall | None:
        """Return the oldest call just like one that a function makes now, or None where none came out."""
        made = next((own for own in self._of(talk) if not own.is_run and is_alike(own.call, call)), None)
        if made is None:
            return None
        made.is_run = True
        return made.call

    def is_run(self, talk: GuardedConversation, call: GivenCall) -> bool:
        """Return whether a function made a call that came out."""
        alike = (own for own in self._of(talk) if own.is_run and own.call.id == call.id)
        return any(not call.tool or is_alike(own.call, call) for own in alike)

    def drop(self, talk: GuardedConversation, call: GivenCall) -> None:
        """Forget a call, for its result was seen: the oldest one just like it."""
        for place, each in enumerate(self._of(talk)):
            if each.call.id == call.id and is_alike(each.call, call):
                del self._of(talk)[place]
                return

    def _of(self, talk: GuardedConversation) -> list[_Made]:
        return self._calls.get((talk.tenant, talk.id), [])


async def taken_over(talk: GuardedConversation, tool: str, arguments: Any) -> str | None:
    """Return the id of a call that came out of a client and that a function makes now, or None.

    It was let through when it came out, and is decided on again just before it is made, so that it is not under way.
    """
    async with lock_of(talk):
        made = MadeCalls.of(talk.guard).begin(talk, GivenCall(tool, arguments, None))
        if made is None:
            return None
        alike = [own for own in await talk.pending() if is_alike(own, made)]
        for own in sorted(alike, key=lambda own: own.id != made.id)[:1]:
            await tell_result(talk, own.tool, own.arguments, "a guarded function makes it", own.id, "failed")
        return made.id


async def take_in(talk: GuardedConversation, history: Sequence[Shown], *, is_continued: bool = False) -> None:
    """Let a conversation take in what a request shows and it has not taken in yet.

    `is_continued` says that the provider keeps what came before, so that what is shown is new.
    """
    async with lock_of(talk):
        known = KnownItems.of(await talk.known_refs())
        seen = set(known.digests)
        words = await talk.known_words()
        items: list[tuple[Shown, str]] = []
        for place, own in enumerate(history):
            if (own.kind == "user") or (own.kind == "assistant" and own.text):
                digest = digest_of(own.kind, own.text)
                if digest not in seen and place < len(history) - 1:
                    digest = digest_of(own.kind, _whole(own, words))
                items.append((own, digest))
            elif own.kind == "result" and own.call is not None:
                digest = _digest_of_result(own.call, own.text)
                is_known = digest in seen or MadeCalls.of(talk.guard).is_run(talk, own.call)
                if own.call.tool or is_known or await _call_of(talk, own.call) is not None:
                    items.append((own, digest))
        for new in known.new_in([digest for _, digest in items], is_continued=is_continued):
            await _take_one_in(talk, items[new.place][0], new.ref, new.is_latest)


def _whole(own: Shown, words: Sequence[tuple[str, str]]) -> str:
    """Return the text of which an app kept the beginning, as it was said, or the text itself."""
    begin = own.text.rstrip(" .…")
    if len(begin) < _SHORTEST_BEGIN:
        return own.text
    return next((text for who, text in words if who == own.kind and text.startswith(begin)), own.text)


async def _take_one_in(talk: GuardedConversation, own: Shown, ref: str, is_latest: bool) -> None:
    if own.kind == "user":
        await talk.heard(user=own.text, ref=ref, is_latest=is_latest)
    elif own.kind == "assistant":
        await talk.heard(assistant=own.text, ref=ref)
    elif own.call is not None:
        call = await _call_of(talk, own.call)
        if MadeCalls.of(talk.guard).is_run(talk, own.call):
            await talk.saw_again(own.call.tool, own.call.arguments, own.text, call=own.call.id, ref=ref)
        elif call is not None:
            await talk.saw(call.tool, call.arguments, own.text, call=call.id, ref=ref)
            MadeCalls.of(talk.guard).drop(talk, call)


async def note_answer(talk: GuardedConversation, text: str, calls: Sequence[GivenCall]) -> None:
    """Let a conversation take in the text of an answer that comes out, and note its calls."""
    async with lock_of(talk):
        if text:
            ref = KnownItems.of(await talk.known_refs()).appended(digest_of("assistant", text))
            await talk.heard(assistant=text, ref=ref)
    MadeCalls.of(talk.guard).add(talk, calls)


def _digest_of_result(call: GivenCall, text: str) -> str:
    """Return what stands for a result: its call, for apps shorten results later; its text, if no call is told."""
    told = call.tool if call.id and call.tool else f"{call.tool}\0{text}"
    return digest_of("result", call.id or "", told)


async def _call_of(talk: GuardedConversation, call: GivenCall) -> GivenCall | None:
    """Return a call with its tool and arguments, if only its id is given, or None where nobody knows it."""
    if call.tool:
        return call
    return MadeCalls.of(talk.guard).find(talk, call.id) or await talk.known_call(call)


def is_alike(one: GivenCall, other: GivenCall) -> bool:
    """Return whether two calls are of one tool with the same arguments, whatever their ids."""
    return one.tool == other.tool and recorded(one.arguments) == recorded(other.arguments)
