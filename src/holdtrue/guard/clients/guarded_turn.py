"""One turn of a model behind a guard: what the request shows is heard, and no call leaves that is not allowed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from holdtrue.guard.clients.blocking import CallStopped, OnBlock, for_user
from holdtrue.guard.clients.deciding_calls import DecidedAnswer, decide, take_back
from holdtrue.guard.clients.forms import Form, as_text, check_answer
from holdtrue.guard.clients.requests import check_decidable, shape_in
from holdtrue.guard.clients.taking_in import note_answer, take_in
from holdtrue.guard.conversation.calls import GivenCall
from holdtrue.guard.conversation.guarded_conversation import GuardedConversation
from holdtrue.guard.decision import Decision

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
        asked for, `InputError` for a request whose calls nobody could decide on, and whatever `send` raises.
        """
        asked = self.form.settled(request)
        await check_decidable(talk, asked)
        shape = shape_in(talk.guard.policy, asked, self.form.shape(asked))
        is_continued = bool(asked.get("previous_response_id") or asked.get("conversation"))
        await take_in(talk, self.form.history(asked), is_continued=is_continued)
        usages: list[Any] = []
        for attempt in range(1, self.attempts + 1):
            answer = await send(asked)
            check_answer(answer)
            usages.append(getattr(answer, "usage", None))
            calls = self.form.calls(answer)
            decided = await decide(talk, calls, shape, self.form.structured(answer) if shape else {})
            stopped = decided.stopped
            if not stopped:
                return await self._finished(talk, answer, calls, decided, usages)
            await take_back(talk, decided)
            if self.on_block == "raise":
                raise CallStopped(stopped)
            if self.on_block == "mend":
                mended = await self._mended(talk, answer, calls, decided, shape, usages)
                if mended is not None:
                    return mended
            if self.on_block == "refuse":
                break
            if attempt < self.attempts:
                asked = self.form.told(asked, answer, decided.results, decided.whys)
        refused = self.form.refused(answer, for_user(stopped))
        return await self._finished(talk, refused, [], DecidedAnswer((), (), {}), usages)

    async def _finished(
        self, talk: GuardedConversation, answer: Any, calls: list[GivenCall], decided: DecidedAnswer, usages: list[Any]
    ) -> Any:
        """Return an answer that comes out, once the conversation knows of it; else its calls are not made."""
        try:
            await note_answer(talk, self.form.text(answer), calls)
            return self.form.with_usage(answer, usages)
        except BaseException:
            await take_back(talk, decided)
            raise

    async def _mended(
        self,
        talk: GuardedConversation,
        answer: Any,
        calls: list[GivenCall],
        decided: DecidedAnswer,
        shape: str | None,
        usages: list[Any],
    ) -> Any | None:
        """Return the answer with mended calls and texts in the place of stopped ones, if all are allowed together."""
        if any(own.mend is None for own in decided.stopped):
            return None
        # They are decided on as the very texts that come out.
        arguments = _mends(dict(enumerate(decided.decisions)))
        texts = _mends(decided.shaped)
        mended = self.form.changed(answer, arguments, texts)
        if mended is None:
            return None
        again = [GivenCall(own.tool, arguments.get(at, own.arguments), own.id) for at, own in enumerate(calls)]
        own_texts = self.form.structured(answer) if shape else {}
        found = await decide(talk, again, shape, own_texts | texts)
        if found.stopped:
            await take_back(talk, found)
            return None
        return await self._finished(talk, mended, again, found, usages)


def _mends(decisions: Mapping[int, Decision]) -> dict[int, str]:
    return {
        place: as_text(own.mend.arguments) for place, own in decisions.items() if own.stops and own.mend is not None
    }
