"""The guard of an app: one policy, a reader, a model to ask and a store, for all of its conversations."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from holdtrue.errors import SettingsError
from holdtrue.guard.conversation.guarded_conversation import GuardedConversation
from holdtrue.guard.conversation.hearing import guard_world
from holdtrue.guard.conversation.state import ConversationState
from holdtrue.guard.decision import Mode
from holdtrue.guard.moments import moment_text_of
from holdtrue.guard.policy import Policy
from holdtrue.guard.store.event import Store, check_names
from holdtrue.guard.store.memory import MemoryStore
from holdtrue.language.extract import LlmExtractor
from holdtrue.language.readers import TemplateExtractor
from holdtrue.language.reading import Extractor
from holdtrue.language.slot_values.slot_value import LOCALES
from holdtrue.models.chat import ChatModel
from holdtrue.models.model_registry import open_model

if TYPE_CHECKING:
    from holdtrue.guard.conversation.guarded_conversation import GuardedConversation as Conversation

SURE = 0.8
"""A reading that is less probable is doubtful: a call that goes against it is asked about and not blocked."""


class Guard:
    """A `Guard` holds the conversations of an app to a policy, and to what is said in them.

    Args:
        policy: What the operator demands; without one nothing but what is said counts (`make_policy` takes tools).
        model: A model that reads what users say, or its name (`local/...`, `openai/...`); without one, code reads.
        reader: A reader of one's own in place of the model's; `reads=False` lets nobody read.
        store: Where events are kept, in memory by default.
        mode: `observe` decides and writes down the same, and stops nothing.
        clock: What says the time; a policy that states a `now`, for tests, has that.
        locale: How dates, times and numbers are written.
        sure: From which probability on a reading is no longer doubtful.
        timeout_s: How long reading one message may take.
    """

    def __init__(
        self,
        policy: Policy,
        *,
        model: ChatModel | str | None = None,
        reader: Extractor | None = None,
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
        own = TemplateExtractor() if self.model is None else LlmExtractor(self.model)
        self.reader: Extractor | None = (reader or own) if reads else None
        self.store: Store = store if store is not None else MemoryStore()
        self.mode, self.locale, self.sure, self.timeout_s = mode, locale, sure, timeout_s
        self.world = guard_world(policy)
        self._clock = clock
        self._conversations: weakref.WeakValueDictionary[tuple[str, str], GuardedConversation] = (
            weakref.WeakValueDictionary()
        )

    def conversation(self, id: str, tenant: str = "") -> Conversation:
        """Return a conversation by its id, the same one for the same id; what is kept of it is read when it is used.

        Conversations of two tenants are two, whatever their ids. Raises `InputError` for an id that is none: who knows
        of no id must not guess one, or what two users said is mixed.
        """
        check_names(tenant, id)
        found = self._conversations.get((tenant, id))
        if found is None:
            found = self._conversations[tenant, id] = GuardedConversation(self, id, tenant)
        return found

    def new_state(self) -> ConversationState:
        """Return the state of a conversation in which nothing has happened."""
        return ConversationState(self.policy, self.world, self.locale)

    def now(self) -> str:
        """Return the moment, as moments of the policy are written."""
        if self._clock is None and self.policy.now is not None:
            return self.policy.now
        moment = datetime.now(UTC).astimezone() if self._clock is None else self._clock()
        return moment_text_of(moment, self.policy.moment)

    async def aclose(self) -> None:
        """Release the store, and the model if it was opened by name."""
        await self.store.aclose()
        if self._opened and self.model is not None:
            await self.model.aclose()
