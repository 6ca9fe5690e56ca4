"""This module has the `Guard`: one policy, a reader, a model and a store for all conversations of an app."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, overload

from holdtrue.guard.clients.blocking import OnBlock
from holdtrue.guard.clients.conversations import Conversations

Client = TypeVar("Client")
Function = TypeVar("Function", bound=Callable[..., Any])


class Guard(Conversations):
    """A `Guard` holds the conversations of an app to a policy and to the words of their users.

    Args:
        policy: The operator's rules. Without a policy, only the user's words count (`make_policy` takes tools).
        model: A model that reads users' messages, or its name (`local/...`, `openai/...`). Without one, code reads only
            unambiguous words.
        reader: A custom reader in place of the model's (`RequestReader`). With `reads=False`, nothing is read.
        store: The store of events; in memory by default.
        mode: `observe` decides and records the same, and stops nothing.
        clock: A function that returns the time. A policy that states a `now`, for tests, uses that moment instead.
        locale: The locale in which dates, times and numbers are written.
        sure: From this probability on, the guard asks about a call that goes against a reading. From 0.98 on, it blocks
            the call.
        timeout_s: The time limit for reading one message.
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
        """Return a stand-in for an OpenAI or AsyncOpenAI client that lets only allowed tool calls out.

        The conversation of a request is named by its metadata (`metadata={"conversation": id, "tenant": ...}`), by
        `conversation`, or by the `with guard.inside(id)` block around it. The guard reads each message of the request
        once. Streams are buffered, because a call is complete only at the end of its stream.

        Args:
            on_block: How a stopped call is handled; see `OnBlock`.
            attempts: The most times the model is asked for an answer without a stopped call. After that the request is
                refused.
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

        The function's name, or `name`, is the name of a tool of the policy. The guard takes in its result, or the error
        that it raises. The function runs inside `with guard.inside(id)`.

        Args:
            on_block: How a stopped call is handled; see `OnBlock`.
            unchecked: The parameters that are no part of the call, such as a connection. No rule sees them.
        """
        from holdtrue.guard.clients.functions import guarded_function

        if function is None:
            return lambda own: guarded_function(self, own, name, on_block, unchecked)
        return guarded_function(self, function, name, on_block, unchecked)
