"""This module has the `Guard`: one policy, a reader, a model and a store for all conversations of an app."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, overload

from holdtrue.guard.clients.blocking import OnBlock
from holdtrue.guard.clients.conversations import Conversations

Client = TypeVar("Client")
Function = TypeVar("Function", bound=Callable[..., Any])


class Guard(Conversations):
    """A `Guard` checks the tool calls of an app's conversations against a policy and against the users' words.

    Args:
        policy: The operator's tools and rules. `make_policy` also makes a policy without rules; with such a policy,
            only the users' words count.
        model: A model that reads users' messages, or its name (`local/...`, `openai/...`). Without one, code reads only
            unambiguous words.
        reader: A custom reader (`RequestReader`) that replaces the model's reader.
        reads: Whether the guard reads messages, to find requests and claims of completed work.
        store: The store of events; in memory by default.
        mode: In mode `observe`, the guard decides and records as usual, but stops no call.
        clock: A function that returns the time. A policy that states a `now`, for tests, uses that moment instead.
        locale: The locale in which dates, times and numbers are written.
        sure: A call may contradict a message as the reader understood it. If the reader is at least this confident, the
            guard asks before the call. If the confidence is at least 0.98, the guard blocks the call.
        timeout_s: The time limit for reading one message.
        fetch: A function `fetch(tool, arguments)`, or one for each tool by its name that takes the arguments by name.
            With it the guard itself calls reading tools for facts that a decision misses. It may be asynchronous.
        fetch_most: The largest number of such calls for one decision.
        fetch_timeout_s: The time limit for all such calls of one decision.
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
        """Return a stand-in for a client of OpenAI's or Anthropic's library that lets only allowed tool calls out.

        The conversation of a request is named by its metadata (`metadata={"conversation": id, "tenant": ...}`), by
        `conversation`, or by the `with guard.inside(id)` block around it. The guard reads each message of the request
        once. Streams are buffered, because a call is complete only at the end of its stream.

        Args:
            on_block: How a stopped call is handled; see `OnBlock`.
            attempts: The model may give at most this many answers until one has no stopped call. After that the request
                is refused.
            hold_claims: Whether to hold back an answer, like a stopped call, if it claims work that no call has done.
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

        The function's name, or `name`, is the name of a tool of the policy. The guard records the result of the
        function, or the error that the function raises. The app calls the function inside a `with guard.inside(id)`
        block, which names the conversation.

        Args:
            on_block: How a stopped call is handled; see `OnBlock`.
            unchecked: The parameters that are no part of the call, such as a connection. No rule sees them.
        """
        from holdtrue.guard.clients.functions import guarded_function

        if function is None:
            return lambda own: guarded_function(self, own, name, on_block, unchecked)
        return guarded_function(self, function, name, on_block, unchecked)
