"""Let a conversation take in what requests show and answers say: each message once, and each result for its call.

How a call ended counts, whether or not it can be written down at once.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

from holdtrue.errors import StoreConflict, StoreError
from holdtrue.guard.clients.forms import Shown
from holdtrue.guard.clients.history_alignment import KnownItems, digest_of
from holdtrue.guard.conversation.calls import GivenCall, said_by
from holdtrue.guard.conversation.guard_base import GuardBase
from holdtrue.guard.conversation.guarded_conversation import GuardedConversation, Outcome
from holdtrue.guard.conversation.worker import SharedLock, begun
from holdtrue.guard.fetching import call_text
from holdtrue.guard.json_values import recorded
from holdtrue.guard.results import is_error

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
_DIGEST = len(digest_of())
_SHORTEST_BEGIN = 12
"""So many characters of a text that was said tell it from others."""
_locks: WeakKeyDictionary[GuardedConversation, SharedLock] = WeakKeyDictionary()
_made: WeakKeyDictionary[GuardBase, MadeCalls] = WeakKeyDictionary()


def lock_of(talk: GuardedConversation) -> SharedLock:
    """Return the lock of a conversation for what clients do in several steps."""
    return _locks.setdefault(talk, SharedLock())


@dataclass(eq=False)
class Made:
    """A call that came out, as its conversation knows it, and the `id` that it came out with.

    `is_run` says that a guarded function makes it, which tells its result itself: what it `said`, and if it `failed`.
    """

    call: GivenCall
    id: str | None
    is_run: bool = False
    said: str = ""
    failed: bool = False


class MadeCalls:
    """The `MadeCalls` of a guard are the calls that came out of clients and whose results have not been shown.

    A request that continues a stored response names only the call's id. The latest are kept, in memory: after a restart
    a call that writes is known as a pending one, and the result of one that reads is not seen.
    """

    def __init__(self) -> None:
        self._calls: OrderedDict[tuple[str, str], list[Made]] = OrderedDict()

    @classmethod
    def of(cls, guard: GuardBase) -> MadeCalls:
        """Return the calls of a guard, whichever clients it wraps."""
        return _made.setdefault(guard, cls())

    def add(self, talk: GuardedConversation, calls: Sequence[Made]) -> None:
        """Note calls that come out; what functions made of calls like them was shown before, if it ever is."""
        own = self._calls.setdefault((talk.tenant, talk.id), [])
        self._calls.move_to_end((talk.tenant, talk.id))
        own[:] = [each for each in own if not (each.is_run and any(is_alike(each.call, new.call) for new in calls))]
        own += calls
        del own[:-_MOST_CALLS]
        while len(self._calls) > _MOST_CONVERSATIONS:
            self._calls.popitem(last=False)

    def calls(self, talk: GuardedConversation) -> list[Made]:
        """Return the calls of a conversation, oldest first."""
        return self._calls.get((talk.tenant, talk.id), [])


async def taken_over(talk: GuardedConversation, tool: str, arguments: Any) -> Made | None:
    """Return a call that came out of a client and that a function makes now, or None.

    It was let through when it came out, and is decided on again just before it is made, so that it is not under way.
    """
    async with lock_of(talk):
        own = GivenCall(tool, arguments, None)
        free = (made for made in MadeCalls.of(talk.guard).calls(talk) if not made.is_run and is_alike(made.call, own))
        made = next(free, None)
        if made is None:
            return None
        made.is_run = True
        alike = [own for own in await talk.pending() if is_alike(own, made.call)]
        for own in sorted(alike, key=lambda own: own.id != made.call.id)[:1]:
            await tell_result(talk, own.tool, own.arguments, "a guarded function makes it", own.id, "failed")
        return made


async def take_in(talk: GuardedConversation, history: Sequence[Shown], *, is_continued: bool = False) -> None:
    """Let a conversation take in what a request shows and it has not taken in yet.

    `is_continued` says that the provider keeps what came before, so that what is shown is new.
    """
    async with lock_of(talk):
        refs = await talk.known_refs()
        known = KnownItems.of(refs)
        seen = set(known.digests)
        words = await talk.known_words()
        shown = await _with_calls(talk, history)
        results = await _result_digests(talk, [own.call for own in shown if own.call is not None], refs)
        items: list[tuple[Shown, str]] = []
        for place, own in enumerate(shown):
            if (own.kind == "user") or (own.kind == "assistant" and own.text):
                digest = digest_of(own.kind, own.text)
                if digest not in seen and place < len(history) - 1:
                    digest = digest_of(own.kind, _whole(own, words))
                items.append((own, digest))
            elif own.kind == "result" and own.call is not None:
                items.append((own, results[id(own.call)]))
        for new in known.new_in([digest for _, digest in items], is_continued=is_continued):
            await _take_one_in(talk, items[new.place][0], new.ref, new.is_latest)


async def _with_calls(talk: GuardedConversation, history: Sequence[Shown]) -> list[Shown]:
    """Return a history in which the calls have tools and arguments, also where only ids are told."""
    found, made = list[Shown](), [*MadeCalls.of(talk.guard).calls(talk)]
    for own in history:
        if own.call is not None and not own.call.tool:
            known = next((each for each in made if each.id == own.call.id), None)
            own = replace(own, call=await talk.known_call(own.call) if known is None else known.call)
            made = [each for each in made if each is not known]
        found.append(own)
    return found


async def _result_digests(
    talk: GuardedConversation, calls: Sequence[GivenCall], refs: Collection[str]
) -> dict[int, str]:
    """Return what stands for the results of shown calls: their ids and tools, for apps shorten results later.

    Ids are used again, so that it also says which of all calls that have come out it is: the last one that is shown is
    the last one that came out.
    """
    shown = {id(own): _digest(own) for own in calls}
    out = [_digest(GivenCall(tool, None, id)) for _, id, (tool, _) in await talk.waiting()]
    out += [_digest(own.call) for own in MadeCalls.of(talk.guard).calls(talk) if own.is_run]
    told = Counter(own.rpartition(": ")[2][:_DIGEST] for own in refs)
    left, found = (told + Counter(out)) | Counter(shown.values()), dict[int, str]()
    for key, digest in reversed(shown.items()):
        found[key] = digest if left[digest] == 1 else f"{digest}{left[digest]:x}"
        left[digest] -= 1
    return found


def _whole(own: Shown, words: Sequence[tuple[str, str]]) -> str:
    """Return the text of which an app kept the beginning, as it was said, or the text itself."""
    begin = own.text.rstrip(" .…")
    if len(begin) < _SHORTEST_BEGIN:
        return own.text
    return next((text for who, text in words if who == own.kind and text.startswith(begin)), own.text)


async def _take_one_in(talk: GuardedConversation, own: Shown, ref: str, is_latest: bool) -> None:
    call = own.call
    if own.kind == "user":
        await talk.heard(user=own.text, ref=ref, is_latest=is_latest)
    elif call is None:
        await talk.heard(assistant=own.text, ref=ref)
    else:
        await _take_result_in(talk, call, own.text, ref)


async def _take_result_in(talk: GuardedConversation, call: GivenCall, text: str, ref: str) -> None:
    """Let a conversation take in a result. Of calls that are alike nobody said which one a guarded function makes.

    Its own result is the one that says the same, or has the id and ended alike; any is where no other one waits.
    """
    made, like = MadeCalls.of(talk.guard).calls(talk), (call.tool, call_text(call.arguments))
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


async def note_answer(talk: GuardedConversation, text: str, calls: Sequence[Made]) -> None:
    """Let a conversation take in the text of an answer that comes out, and note its calls."""
    async with lock_of(talk):
        if text:
            ref = KnownItems.of(await talk.known_refs()).appended(digest_of("assistant", text))
            await talk.heard(assistant=text, ref=ref)
    MadeCalls.of(talk.guard).add(talk, calls)


def _digest(call: GivenCall) -> str:
    return digest_of("result", call.id or "", call.tool)


def is_alike(one: GivenCall, other: GivenCall) -> bool:
    """Return whether two calls are of one tool with the same arguments, whatever their ids."""
    return one.tool == other.tool and call_text(recorded(one.arguments)) == call_text(recorded(other.arguments))
