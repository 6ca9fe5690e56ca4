"""The guard of an app: one policy, a reader, a model to ask and a store, for all of its conversations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, overload

from holdtrue.guard.clients.blocking import OnBlock
from holdtrue.guard.clients.conversations import Conversations

Client = TypeVar("Client")
Function = TypeVar("Function", bound=Callable[..., Any])


class Guard(Conversations):
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
        from holdtrue.guard.clients.guarded_client import guarded_client

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
        from holdtrue.guard.clients.functions import guarded_function

        if function is None:
            return lambda own: guarded_function(self, own, name, on_block, unchecked)
        return guarded_function(self, function, name, on_block, unchecked)
