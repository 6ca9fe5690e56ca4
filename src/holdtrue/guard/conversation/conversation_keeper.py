"""The parts that all conversations of a guard share: one policy, readers, a model, a store and a clock."""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakValueDictionary

from holdtrue.errors import InputError, SessionError, SettingsError, StoreError
from holdtrue.event_loop import in_running_loop
from holdtrue.guard.conversation.fact_fetching import FetchFunctions, Fetching
from holdtrue.guard.conversation.message_reading import guard_acts
from holdtrue.guard.conversation.state import ConversationState
from holdtrue.guard.decision import Mode
from holdtrue.guard.moment_texts import moment_text_of
from holdtrue.guard.policy import Policy
from holdtrue.guard.store.event import Store
from holdtrue.guard.store.memory import MemoryStore
from holdtrue.language.requests.operation import ClaimReader, RequestReader
from holdtrue.language.requests.plain_reader import PlainReader
from holdtrue.language.slot_values.slot_value import LOCALES

if TYPE_CHECKING:
    from holdtrue.guard.conversation.guarded_conversation import GuardedConversation as Conversation
    from holdtrue.language.judgements import ConsentReader
    from holdtrue.models.chat import ChatModel

Result = TypeVar("Result")
SURE = 0.8
"""If a reader is less confident about a message than this, a call that contradicts the message only gets a warning."""


class Keeper:
    """A `Keeper` has the shared parts of a guard, and keeps conversations with unwritten events alive."""

    def __init__(
        self,
        policy: Policy,
        *,
        model: ChatModel | str | None = None,
        reader: RequestReader | None = None,
        reads: bool = True,
        store: Store | None = None,
        mode: Mode = "enforce",
        clock: Callable[[], datetime] | None = None,
        locale: str = "en-US",
        sure: float = SURE,
        timeout_s: float = 60.0,
        fetch: FetchFunctions | None = None,
        fetch_most: int = 10,
        fetch_timeout_s: float = 10.0,
    ) -> None:
        if locale not in LOCALES:
            raise SettingsError(f"locale is one of {', '.join(LOCALES)}, not {locale!r:.40}")
        if mode not in ("enforce", "observe"):
            raise SettingsError(f"mode is 'enforce' or 'observe', not {mode!r:.40}")
        if not timeout_s > 0:
            raise SettingsError(f"timeout_s must be more than 0, got {timeout_s}")
        self.policy = policy
        self.fetching = Fetching(policy, fetch, fetch_most, fetch_timeout_s)
        self._opened = isinstance(model, str)
        if isinstance(model, str):
            from holdtrue.models.model_registry import open_model

            model = open_model(model)
        self.model = model
        own: RequestReader = PlainReader()
        self.consent_reader: ConsentReader | None = None
        """The reader that decides whether a message is a yes: the given `reader` if it can do that, or the model."""
        if model is not None:
            from holdtrue.language.judgements import ModelConsentReader
            from holdtrue.language.requests.request_reader import ModelRequestReader

            own = ModelRequestReader(model)
            self.consent_reader = ModelConsentReader(model) if reads else None
        if reader is not None:
            from holdtrue.language.judgements import ConsentReader

            given: object = reader
            self.consent_reader = given if isinstance(given, ConsentReader) else self.consent_reader
        self.reader: RequestReader | None = (reader or own) if reads else None
        readers: tuple[object, ...] = (reader, own) if reads else ()
        self.claim_reader = next((each for each in readers if isinstance(each, ClaimReader)), None)
        """The reader that finds claims of completed work in the assistant's messages."""
        self.store: Store = store if store is not None else MemoryStore()
        self.mode, self.locale, self.sure, self.timeout_s = mode, locale, sure, timeout_s
        self.acts = guard_acts(policy)
        self.clock = clock
        self._background = Background()
        self._conversations: WeakValueDictionary[tuple[str, str], Conversation] = WeakValueDictionary()
        self.made_calls: OrderedDict[tuple[str, str], list[Any]] = OrderedDict()
        """The calls that wrapped clients returned, by conversation (`clients.history_intake`)."""
        self._opening = threading.Lock()
        self._open: OrderedDict[tuple[str, str], Any] = OrderedDict()
        self._held: dict[tuple[str, str], Conversation] = {}
        """Conversations with events that are not written yet. Without this reference they could be garbage-collected.
        """

    def hold(self, talk: Conversation) -> None:
        """Keep a conversation alive, because some of its events are not written yet."""
        self._held[talk.tenant, talk.id] = talk

    def let_go(self, talk: Conversation) -> None:
        """Drop the reference to a conversation, because all of its events are written."""
        self._held.pop((talk.tenant, talk.id), None)

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Wait for a coroutine in synchronous code, and return its result: `guard.run(talk.check(...))`."""
        if in_running_loop():
            work.close()
            raise SessionError("guard.run waits, and would hold up the running event loop: write await instead")
        return self._background.run(work)

    def close(self) -> None:
        """Call `aclose` from synchronous code."""
        try:
            self._background.run(self.aclose())
        finally:
            self._background.close()

    def new_state(self) -> ConversationState:
        """Return the state of a conversation without events."""
        return ConversationState(self.policy, self.acts, self.locale)

    def now(self) -> str:
        """Return the current moment in the form that the policy's moments have."""
        if self.clock is None and self.policy.now is not None:
            return self.policy.now
        moment = datetime.now(UTC).astimezone() if self.clock is None else self.clock()
        return moment_text_of(moment, self.policy.moment)

    @property
    def waits(self) -> bool:
        """Return whether events of some conversations are not written yet."""
        return bool(self._held)

    async def save(self) -> None:
        """Write the waiting events of all conversations. Raises `StoreError` at the end if some cannot be written."""
        lost: list[str] = []
        for talk in tuple(self._held.values()):
            try:
                await talk.save()
            except (StoreError, SessionError, InputError) as error:
                lost.append(f"{talk.id!r:.60}: {error}")
        if lost:
            raise StoreError(f"not all that happened could be written down: {'; '.join(lost)}")

    async def aclose(self) -> None:
        """Write waiting events, and release the store, and the model if the guard opened it by name.

        Raises `StoreError` at the end if events are lost.
        """
        try:
            await self.save()
        finally:
            self._open.clear()
            await self.store.aclose()
            if self._opened and self.model is not None:
                await self.model.aclose()


class Background:
    """A `Background` runs coroutines on an event loop in its own thread, which the first `run` starts."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Run a coroutine and return its result. Raises `SessionError` on the loop's thread, which must not wait."""
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(target=self._loop.run_forever, name="holdtrue guard", daemon=True)
                self._thread.start()
        if threading.current_thread() is self._thread:
            work.close()
            raise SessionError("this waits for the guard inside of the guard; use the asynchronous methods there")
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        """End the thread if it was started."""
        with self._lock:
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
        if loop is not None and thread is not None:
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()
