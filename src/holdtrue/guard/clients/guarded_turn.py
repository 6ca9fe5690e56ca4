"""One turn of a model behind a guard: what the request shows is heard, and no call leaves that is not allowed."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from holdtrue.guard.clients.blocking import CallStopped, OnBlock, for_user
from holdtrue.guard.clients.forms import Form, as_text
from holdtrue.guard.conversation.calls import GivenCall
from holdtrue.guard.conversation.guarded_conversation import GuardedConversation
from holdtrue.guard.decision import Decision
from holdtrue.guard.json_values import parsed

NOT_MADE = "It was not called, because another call of the same message was not allowed. Call it again if it is needed."
Send = Callable[[dict[str, Any]], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class GuardedTurn:
    """A `GuardedTurn` plays turns in one form of requests; it knows what follows a stop, and how often to try."""

    form: Form
    on_block: OnBlock
    attempts: int

    async def play(self, talk: GuardedConversation, request: Mapping[str, Any], send: Send) -> Any:
        """Return the model's answer, all of whose calls are allowed; `send` asks the model.

        What was rejected is in no answer; what all attempts cost together is. Raises `CallStopped` where that was
        asked for, and whatever `send` raises.
        """
        refs = await self._hear(talk, request)
        usages: list[Any] = []
        more: list[Any] = []
        for attempt in range(1, self.attempts + 1):
            answer = await send(self.form.with_more(request, more) if more else dict(request))
            usages.append(getattr(answer, "usage", None))
            calls = self.form.calls(answer)
            decisions = await self._decide(talk, calls)
            stopped = [own for own in decisions if own.stops]
            shaped = None if calls else await self._shaped(talk, request, answer)
            if shaped is not None and shaped.stops:
                stopped = [shaped]
                if self.on_block == "mend" and shaped.mend is not None:
                    mended = self.form.with_text(answer, as_text(shaped.mend.arguments))
                    return await self._finished(talk, mended, usages, refs)
                if self.on_block in ("tell_model", "mend") and attempt < self.attempts:
                    more += self.form.told_of_text(answer, shaped.for_model)
                    continue
            if not stopped:
                return await self._finished(talk, answer, usages, refs)
            if self.on_block == "raise":
                await self._not_made(talk, calls, decisions)
                raise CallStopped(stopped)
            if self.on_block == "mend" and all(own.mend is not None for own in stopped):
                mended = await self._mended(talk, answer, calls, decisions)
                if mended is not None:
                    return await self._finished(talk, mended, usages, refs)
                more += self._told(answer, calls, decisions)
                continue
            await self._not_made(talk, calls, decisions)
            if self.on_block == "refuse" or attempt == self.attempts:
                break
            more += self._told(answer, calls, decisions)
        return await self._finished(talk, self.form.refused(answer, for_user(stopped)), usages, refs)

    async def _hear(self, talk: GuardedConversation, request: Mapping[str, Any]) -> _Refs:
        """Let a conversation take in what a request shows and it has not taken in yet."""
        history = self.form.history(request)
        refs = _Refs(self.form.begins_after(request))
        named = [refs.next(own.kind, own.text, None if own.call is None else own.call.id) for own in history]
        known = await talk.known_refs()
        last = max((place for place, ref in enumerate(named) if ref in known), default=-1)
        for own, ref in list(zip(history, named, strict=True))[last + 1 :]:
            match own.kind:
                case "user":
                    await talk.heard(user=own.text, ref=ref)
                case "assistant" if own.text:
                    await talk.heard(assistant=own.text, ref=ref)
                case "result" if own.call is not None:
                    call = await talk.known_call(own.call)
                    if call is not None:
                        await talk.saw(call.tool, call.arguments, own.text, call=call.id, ref=ref)
        return refs

    async def _shaped(self, talk: GuardedConversation, request: Mapping[str, Any], answer: Any) -> Decision | None:
        """Return the decision on a structured answer whose shape the policy names, or None."""
        shape = self.form.shape(request)
        tool = None if shape is None else talk.guard.policy.tools.get(shape)
        if shape is None or tool is None or not tool.is_answer:
            return None
        return await talk.check(shape, self.form.text(answer))

    async def _decide(self, talk: GuardedConversation, calls: list[GivenCall]) -> list[Decision]:
        return list(await talk.check_all(calls))

    async def _finished(self, talk: GuardedConversation, answer: Any, usages: list[Any], refs: _Refs) -> Any:
        text = self.form.text(answer)
        if text:
            await talk.heard(assistant=text, ref=refs.next("assistant", text, None))
        return self.form.with_usage(answer, usages)

    @staticmethod
    async def _not_made(talk: GuardedConversation, calls: list[GivenCall], decisions: list[Decision]) -> None:
        """Tell a conversation that the allowed calls of a rejected answer are not made either."""
        for call, decision in zip(calls, decisions, strict=True):
            if not decision.stops and talk.guard.policy.writes(call.tool):
                await talk.saw(call.tool, call.arguments, NOT_MADE, call=call.id or decision.id, outcome="failed")

    def _told(self, answer: Any, calls: list[GivenCall], decisions: list[Decision]) -> list[Any]:
        results = {
            str(call.id): decision.for_model if decision.stops else NOT_MADE
            for call, decision in zip(calls, decisions, strict=True)
        }
        return self.form.told(answer, results)

    async def _mended(
        self, talk: GuardedConversation, answer: Any, calls: list[GivenCall], decisions: list[Decision]
    ) -> Any | None:
        """Return the answer with mended calls in the place of stopped ones, if all of them are allowed together."""
        await self._not_made(talk, calls, decisions)
        arguments: dict[str, Any] = {}
        again = []
        for call, decision in zip(calls, decisions, strict=True):
            own = call.arguments if decision.mend is None or not decision.stops else decision.mend.arguments
            arguments[str(call.id)] = own
            again.append(GivenCall(call.tool, own, call.id))
        found = await self._decide(talk, again)
        if any(own.stops for own in found):
            await self._not_made(talk, again, found)
            return None
        changed = {
            str(call.id): arguments[str(call.id)]
            for call in calls
            if parsed(call.arguments) != parsed(arguments[str(call.id)])
        }
        return self.form.with_arguments(answer, changed)


class _Refs:
    """Names the parts of a history by what they say and what stands before them, so that each is taken in once."""

    def __init__(self, after: str) -> None:
        self._before = after
        self._seen: dict[str, int] = {}

    def next(self, kind: str, text: str, call: str | None) -> str:
        own = "\0".join((kind, text, call or ""))
        name = hashlib.sha256(f"{self._before}\0\0{own}".encode("utf-8", "surrogatepass")).hexdigest()[:24]
        self._seen[name] = self._seen.get(name, 0) + 1
        self._before = own
        return f"{name}-{self._seen[name]}"
