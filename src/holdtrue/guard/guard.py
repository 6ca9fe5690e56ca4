"""The guard of an app: one policy, a reader, a model to ask and a store, for all of its conversations."""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar, overload

from holdtrue.errors import InputError, SessionError, SettingsError, StoreError
from holdtrue.guard.clients.background import Background
from holdtrue.guard.clients.blocking import OnBlock
from holdtrue.guard.clients.current import in_conversation
from holdtrue.guard.clients.functions import guarded_function
from holdtrue.guard.clients.guarded_client import guarded_client
from holdtrue.guard.conversation.guarded_conversation import GuardedConversation
from holdtrue.guard.conversation.hearing import guard_acts
from holdtrue.guard.conversation.state import ConversationState
from holdtrue.guard.decision import Mode
from holdtrue.guard.moments import moment_text_of
from holdtrue.guard.policy import Policy
from holdtrue.guard.store.event import Store, check_names
from holdtrue.guard.store.memory import MemoryStore
from holdtrue.language.consent_reading import ConsentReader, ModelConsentReader
from holdtrue.language.requests.operation import ClaimReader, RequestReader
from holdtrue.language.requests.plain_reader import PlainReader
from holdtrue.language.requests.request_reader import ModelRequestReader
from holdtrue.language.slot_values.slot_value import LOCALES
from holdtrue.models.chat import ChatModel
from holdtrue.models.model_registry import open_model

if TYPE_CHECKING:
    from holdtrue.guard.conversation.guarded_conversation import GuardedConversation as Conversation

Client = TypeVar("Client")
Result = TypeVar("Result")
Function = TypeVar("Function", bound=Callable[..., Any])
SURE = 0.8
"""A call that goes against a reading which is less probable is let through, and that is told."""


class Guard:
    """A `Guard` holds the conversations of an app to a policy, and to what is said in them.

    Args:
        policy: What the operator demands; without one nothing but what is said counts (`make_policy` takes tools).
        model: A model that reads what users say, or its name (`local/...`, `openai/...`); without one, code reads what
            can mean nothing else.
        reader: A reader of one's own in place of the model's (`RequestReader`); `reads=False` lets nobody read.
        store: Where events are kept, in memory by default.
        mode: `observe` decides and writes down the same, and stops nothing.
        clock: What says the time; a policy that states a `now`, for tests, has that.
        locale: How dates, times and numbers are written.
        sure: From which probability on a call that goes against a reading is asked about; from 0.98 on it is blocked.
        timeout_s: How long reading one message may take.
    """

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
    ) -> None:
        if locale not in LOCALES:
            raise SettingsError(f"locale is one of {', '.join(LOCALES)}, not {locale!r:.40}")
        if mode not in ("enforce", "observe"):
            raise SettingsError(f"mode is 'enforce' or 'observe', not {mode!r:.40}")
        if not timeout_s > 0:
            raise SettingsError(f"timeout_s must be more than 0, got {timeout_s}")
        self.policy = policy
        self._opened = isinstance(model, str)
        self.model = open_model(model) if isinstance(model, str) else model
        own: RequestReader = PlainReader() if self.model is None else ModelRequestReader(self.model)
        self.reader: RequestReader | None = (reader or own) if reads else None
        given: object = reader
        asked = None if self.model is None or not reads else ModelConsentReader(self.model)
        self.consent_reader: ConsentReader | None = given if isinstance(given, ConsentReader) else asked
        """Who reads whether words are a yes: a reader of one's own that can, or the model."""
        readers: tuple[object, ...] = (reader, own) if reads else ()
        self.claim_reader = next((each for each in readers if isinstance(each, ClaimReader)), None)
        """Who reads what the assistant claims to have done."""
        self.store: Store = store if store is not None else MemoryStore()
        self.mode, self.locale, self.sure, self.timeout_s = mode, locale, sure, timeout_s
        self.acts = guard_acts(policy)
        self._clock = clock
        self._background = Background()
        self._conversations: weakref.WeakValueDictionary[tuple[str, str], GuardedConversation] = (
            weakref.WeakValueDictionary()
        )
        self._held: dict[tuple[str, str], GuardedConversation] = {}
        """The conversations of which something is not written down yet: nobody else may hold them."""
        self._opening = threading.Lock()

    def conversation(self, id: str, tenant: str = "") -> Conversation:
        """Return a conversation by its id, the same one for the same id; what is kept of it is read when it is used.

        Conversations of two tenants are two, whatever their ids. Raises `InputError` for an id that is none: who knows
        of no id must not guess one, or what two users said is mixed.
        """
        check_names(tenant, id)
        with self._opening:
            found = self._conversations.get((tenant, id))
            if found is None:
                found = self._conversations[tenant, id] = GuardedConversation(self, id, tenant)
            return found

    def hold(self, talk: Conversation) -> None:
        """Hold a conversation, whoever else does, until it is let go: something of it is not written down yet."""
        self._held[talk.tenant, talk.id] = talk

    def let_go(self, talk: Conversation) -> None:
        """Leave it to others to hold a conversation: all of it is written down."""
        self._held.pop((talk.tenant, talk.id), None)

    @contextmanager
    def inside(self, id: str, tenant: str = "") -> Iterator[Conversation]:
        """Let clients and functions that this guard wraps be of a conversation, inside of a `with` block."""
        with in_conversation(self.conversation(id, tenant)) as talk:
            yield talk

    def wrap(
        self,
        client: Client,
        *,
        conversation: str | None = None,
        tenant: str = "",
        on_block: OnBlock = "tell_model",
        attempts: int = 3,
        hold_claims: bool = False,
    ) -> Client:
        """Return what is used as an OpenAI or AsyncOpenAI client, and lets no call of a tool out that is not allowed.

        Which conversation a request is of says its metadata (`metadata={"conversation": id, "tenant": ...}`), or
        `conversation`, or the `with guard.inside(id)` block that it is made in. What the request shows is heard, each
        message once. Streams are buffered, for a call is whole only at their end.

        Args:
            on_block: What becomes of a stopped call; see `OnBlock`.
            attempts: How often the model is asked at most, until it calls nothing that is stopped; then it is refused.
            hold_claims: Whether an answer that claims work which no call shows is held back like a stopped call.
        """
        found: Client = guarded_client(self, client, conversation, tenant, on_block, attempts, hold_claims)
        return found

    @overload
    def tool(
        self, function: Function, *, name: str | None = None, on_block: OnBlock = "raise", unchecked: Sequence[str] = ()
    ) -> Function: ...

    @overload
    def tool(
        self,
        function: None = None,
        *,
        name: str | None = None,
        on_block: OnBlock = "raise",
        unchecked: Sequence[str] = (),
    ) -> Callable[[Function], Function]: ...

    def tool(
        self,
        function: Any = None,
        *,
        name: str | None = None,
        on_block: OnBlock = "raise",
        unchecked: Sequence[str] = (),
    ) -> Any:
        """Return a function, or a decorator of functions, whose calls are decided on before they run.

        Its name, or `name`, is that of a tool of the policy. Its result, or the error that it raises, is seen. It runs
        inside of `with guard.inside(id)`.

        Args:
            on_block: What becomes of a stopped call; see `OnBlock`.
            unchecked: The parameters that are no part of the call, such as a connection: no rule sees them.
        """
        if function is None:
            return lambda own: guarded_function(self, own, name, on_block, unchecked)
        return guarded_function(self, function, name, on_block, unchecked)

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Return the result of something asynchronous, for code that is not: `guard.run(talk.check(...))`."""
        if _in_running_loop():
            work.close()
            raise SessionError("guard.run waits, and would hold up the running event loop: write await instead")
        return self._background.run(work)

    def close(self) -> None:
        """`aclose` for code that is not asynchronous."""
        try:
            self._background.run(self.aclose())
        finally:
            self._background.close()

    def new_state(self) -> ConversationState:
        """Return the state of a conversation in which nothing has happened."""
        return ConversationState(self.policy, self.acts, self.locale)

    def now(self) -> str:
        """Return the moment, as moments of the policy are written."""
        if self._clock is None and self.policy.now is not None:
            return self.policy.now
        moment = datetime.now(UTC).astimezone() if self._clock is None else self._clock()
        return moment_text_of(moment, self.policy.moment)

    async def aclose(self) -> None:
        """Release the store, and the model if it was opened by name.

        What could not be written when it happened is tried once more before. Raises `StoreError`, after all is
        released, where something is lost.
        """
        lost: list[str] = []
        for talk in tuple(self._held.values()):
            try:
                await talk.save()
            except (StoreError, SessionError, InputError) as error:
                lost.append(f"{talk.id!r:.60}: {error}")
        await self.store.aclose()
        if self._opened and self.model is not None:
            await self.model.aclose()
        if lost:
            raise StoreError(f"not all that happened could be written down: {'; '.join(lost)}")


def _in_running_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
