"""A `Door` is the common part of the hooks of frameworks: words go in, calls are decided on, and results come back."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from holdtrue.guard.clients.conversations import Conversations, check_guard, current_of
from holdtrue.guard.clients.history_intake import has_come
from holdtrue.guard.conversation.calls import GivenCall
from holdtrue.guard.conversation.guarded_conversation import Ending, GuardedConversation
from holdtrue.guard.outcome import Outcome

_log = logging.getLogger(__name__)
_in_tool: ContextVar[bool] = ContextVar("holdtrue_in_tool", default=False)


class Door:
    """A `Door` connects the hooks of a framework, which see one step at a time, to the conversations of a guard.

    A failure raises in the hook, so that the framework makes no call. In mode `observe`, which stops nothing, it is
    logged. The parameter `id` is the framework's id of the conversation, or None.

    Args:
        conversation: The id of the conversation of all steps, in place of the framework's id. Without both, it is that
            of the `with guard.inside(id)` block.
        replace: Whether the nearest allowed call takes the place of a blocked one.
    """

    def __init__(self, guard: Conversations, conversation: str | None, tenant: str, *, replace: bool = False) -> None:
        check_guard(guard)
        self.guard, self._conversation, self._tenant, self._replace = guard, conversation, tenant, replace
        self._begun: dict[tuple[str, str, Any], Outcome] = {}

    def talk(self, id: str | None = None) -> GuardedConversation:
        """Return the conversation of a step."""
        return current_of(self.guard, id if self._conversation is None else self._conversation, self._tenant, "")

    async def hear(self, id: str | None, messages: Any = None, *, said: str = "", written: str = "") -> None:
        """Take in messages of a client, or the words that the user `said` or the assistant has `written`.

        Nothing is heard inside of a running tool: to an agent that is a tool a model speaks, and no user.
        """
        with self._observing("what was said was not heard"):
            if messages and not _in_tool.get():
                await self.talk(id).take_in(messages)
            elif said or written:
                await self.talk(id).heard(user=said or None, assistant=written or None)

    async def decide(
        self, id: str | None, tool: str, arguments: Any, call: Any, answer: bool | None = None
    ) -> Outcome | None:
        """Return how to go on with a call; in mode `observe`, None if it could not be decided on.

        Args:
            call: The id of the call in the framework, or a number that names it while it runs.
            answer: The answer of a person who was asked about just this call, or None if nobody was.
        """
        outcome: Outcome | None = None
        with self._observing(f"a call of {tool} was not decided on"):
            talk, named = self.talk(id), call if isinstance(call, str) else None
            if answer and await has_come(talk, GivenCall(tool, arguments, named)):
                answer = None  # The framework shows an answer that was used up.
            outcome = await talk.decide(tool, arguments, call=named, replace=self._replace)
            questions = 0 if answer is None else 1 + 2 * answer  # A yes is to the call, whatever is asked about it.
            for _ in range(questions):
                if outcome.kind == "interrupt":
                    outcome = await talk.resume(outcome.to_interrupt(), answer is True)
            if outcome.goes_on:
                self._begun[talk.tenant, talk.id, call] = outcome
        return outcome

    async def asks(self, id: str | None, tool: str, arguments: Any, call: str) -> bool:
        """Return whether a person has to be asked about a call. The call does not begin by this."""
        if self.guard.mode == "observe":
            return False
        trial = await self.talk(id).check(tool, arguments, call=call, partial=True)
        return trial.outcome.kind == "interrupt"

    def begun(self, id: str | None) -> frozenset[Any]:
        """Return the calls of a conversation that went on and have no result yet."""
        talk = self.talk(id)
        return frozenset(call for tenant, own, call in self._begun if (tenant, own) == (talk.tenant, talk.id))

    async def ran(self, id: str | None, call: Any, result: Any, ending: Ending | None = None) -> None:
        """Take in the result of a call that went on. Other results count as nothing.

        It raises nothing: a call that was made must not look like a failed one, which would be repeated.
        """
        try:
            talk = self.talk(id)
            if (outcome := self._begun.pop((talk.tenant, talk.id, call), None)) is not None:
                await talk.ran(outcome, result, ending=ending)
        except Exception:  # noqa: BLE001  the call stays pending
            _log.warning("the result of a call was not taken in", exc_info=True)

    async def run(self, id: str | None, call: Any, work: Awaitable[Any]) -> Any:
        """Wait for the work of a tool, and take in its result or its error."""
        before = _in_tool.set(True)
        try:
            result = await work
        except BaseException as error:
            await self.ran(id, call, error)
            raise
        finally:
            _in_tool.reset(before)
        await self.ran(id, call, result)
        return result

    @contextmanager
    def _observing(self, what: str) -> Iterator[None]:
        """Log an error in the block if the guard only observes."""
        try:
            yield
        except Exception:
            if self.guard.mode == "enforce":
                raise
            _log.warning(what, exc_info=True)
