"""Play one turn of a model behind a guard: take in the request's history, and return only allowed calls.

All calls of an answer are decided on together. If the answer is rejected, its allowed calls are taken back.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

from holdtrue.guard.clients import forms
from holdtrue.guard.clients.blocking import CallStopped, OnBlock, for_user, mend_of
from holdtrue.guard.clients.chat_form import ChatForm
from holdtrue.guard.clients.history_intake import Made, is_alike, note_answer, take_in, tell_result
from holdtrue.guard.clients.messages_form import MessagesForm
from holdtrue.guard.clients.request_checks import check_decidable, shape_in
from holdtrue.guard.clients.responses_form import ResponsesForm
from holdtrue.guard.conversation.calls import GivenCall
from holdtrue.guard.conversation.guarded_conversation import GuardedConversation
from holdtrue.guard.conversation.worker import begun, ended, look_for_mends
from holdtrue.guard.decision import Decision
from holdtrue.guard.result_forms import stop_mark

NOT_MADE = (
    f"{stop_mark('ask')} It was not called, because another call of the same message was not allowed. "
    "Call it again if it is needed."
)


@dataclass(frozen=True, slots=True)
class DecidedAnswer:
    """The calls of an answer with their decisions. `shaped` are the decisions on its structured texts, by place.

    `calls` have the ids that the conversation uses: None if the model gave no id or gave it twice.
    """

    calls: tuple[GivenCall, ...]
    decisions: tuple[Decision, ...]
    shaped: dict[int, Decision]

    @property
    def stopped(self) -> list[Decision]:
        """Return the decisions that stop the answer."""
        return [own for own in (*self.decisions, *self.shaped.values()) if own.stops]

    @property
    def results(self) -> list[str]:
        """Return the results of the calls for the model."""
        return [own.for_model if own.stops else NOT_MADE for own in self.decisions]

    @property
    def whys(self) -> dict[int, str]:
        """Return the reasons why texts were rejected, by place, as messages to the model."""
        return {place: own.for_model for place, own in self.shaped.items() if own.stops}


async def decide(
    talk: GuardedConversation, calls: Sequence[GivenCall], shape: str | None, texts: dict[int, str]
) -> DecidedAnswer:
    """Return the decisions on an answer. If one of them fails, the calls allowed before it are taken back."""
    own, decisions = await _decide_calls(talk, calls)
    tool = None if shape is None else talk.guard.policy.tools.get(shape)
    shaped: dict[int, Decision] = {}
    try:
        if shape is not None and tool is not None and tool.is_answer:
            for place, text in texts.items():
                shaped[place] = await talk.check(shape, text)
        found = DecidedAnswer(own, decisions, shaped)
        await look_for_mends(found.stopped)
    except BaseException:
        await take_back(talk, DecidedAnswer(own, decisions, {}))
        raise
    return found


async def take_back(talk: GuardedConversation, decided: DecidedAnswer) -> None:
    """Record that the allowed calls of an answer are not made. Later results for them are ignored.

    A cancelled task records it all the same.
    """

    async def tell() -> None:
        for call, decision in zip(decided.calls, decided.decisions, strict=True):
            if not decision.stops:
                await tell_result(talk, call.tool, call.arguments, NOT_MADE, call.id or decision.id, "failed")

    await ended(asyncio.ensure_future(tell()))


async def _decide_calls(
    talk: GuardedConversation, calls: Sequence[GivenCall]
) -> tuple[tuple[GivenCall, ...], tuple[Decision, ...]]:
    own = forms.with_own_ids(calls)
    decisions: list[Decision] = []
    async with talk.client_lock:
        begun = {each.id for each in await talk.pending()}
        try:
            for call in own:
                decisions.append(await talk.check(call))  # noqa: PERF401  those before a failure are taken back
        except BaseException:
            made = len(decisions)
            await take_back(talk, DecidedAnswer(tuple(own[:made]), tuple(decisions), {}))
            # A decision that was under way may have been recorded all the same.
            for each in await talk.pending():
                if each.id not in begun and is_alike(each, own[made]):
                    await tell_result(talk, each.tool, each.arguments, NOT_MADE, each.id, "failed")
            raise
    return tuple(own), tuple(decisions)


Form = ChatForm | ResponsesForm | MessagesForm
"""A kind of requests and answers. Calls and texts are identified by their places, because ids may be missing or
repeated.
"""
Send = Callable[[dict[str, Any]], Awaitable[Any]]


Ending = Literal["passed", "mended", "refused"]


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A `PlayedTurn` is an answer with allowed calls only.

    Attributes:
        ending: `passed` for an answer of the model, `mended` if the guard changed it, or `refused` without calls.
        attempts: The number of answers that the model gave.
        decisions: The decisions on all attempts, in order.
        made: The calls of the answer with their decisions.
    """

    answer: Any
    ending: Ending
    attempts: int
    decisions: tuple[Decision, ...]
    made: DecidedAnswer = DecidedAnswer((), (), {})


@dataclass(frozen=True, slots=True)
class GuardedTurn:
    """Plays turns with one form of requests. The model is asked at most `attempts` times.

    With `as_refusal`, a refused answer has the form that the protocol has for refusals.
    """

    form: Form
    on_block: OnBlock
    attempts: int
    holds_claims: bool = False
    as_refusal: bool = False

    async def play(self, talk: GuardedConversation, request: Mapping[str, Any], send: Send) -> PlayedTurn:
        """Return an answer of the model with allowed calls only. `send` asks the model.

        The answer has the usage of all attempts. Raises `CallStopped` if `on_block` is `raise`, `InputError` for a
        request that cannot be guarded, and any error of `send`.
        """
        asked = forms.settled(request)
        check_decidable(talk.guard.policy, asked, self.form.read)
        shape = shape_in(talk.guard.policy, asked, self.form.shape(asked))
        thread = forms.plain(asked.get("thread") or {}).get("previous_message_id")
        is_continued = bool(asked.get("previous_response_id") or asked.get("conversation") or thread)
        await take_in(talk, self.form.history(asked), is_continued=is_continued)
        usages: list[Any] = []
        made: list[Decision] = []
        for attempt in range(1, self.attempts + 1):
            answer = await send(asked)
            forms.check_answer(answer)
            usages.append(getattr(answer, "usage", None))
            strange = partial(forms.strange_calls, answer, talk.guard.policy.tools)
            calls = [*self.form.calls(answer), *await begun(strange, answer.__dict__)]
            decided = await decide(talk, calls, shape, self.form.structured(answer) if shape else {})
            made += [*decided.decisions, *decided.shaped.values()]
            stopped = decided.stopped
            claims = {} if stopped or calls else await self._claims(talk, answer)
            if claims and attempt < self.attempts:
                asked = self.form.told(asked, answer, [], claims)
                continue
            if claims:
                refused = self.form.refused(answer, "\n".join(claims.values()), as_refusal=self.as_refusal)
                refused = await self._finished(talk, refused, [], decided, usages)
                return PlayedTurn(refused, "refused", attempt, tuple(made))
            if not stopped:
                answer = await self._finished(talk, answer, calls, decided, usages)
                return PlayedTurn(answer, "passed", attempt, tuple(made), decided)
            await take_back(talk, decided)
            if self.on_block == "raise":
                raise CallStopped(stopped)
            if self.on_block == "mend":
                mended = await self._mended(talk, answer, calls, decided, shape, usages)
                if mended is not None:
                    of = mended[1]
                    decisions = (*made, *of.decisions, *of.shaped.values())
                    return PlayedTurn(mended[0], "mended", attempt, decisions, of)
            if self.on_block == "refuse":
                break
            if attempt < self.attempts:
                asked = self.form.told(asked, answer, decided.results, decided.whys)
        refused = self.form.refused(answer, for_user(stopped), as_refusal=self.as_refusal)
        refused = await self._finished(talk, refused, [], DecidedAnswer((), (), {}), usages)
        return PlayedTurn(refused, "refused", attempt, tuple(made))

    async def _claims(self, talk: GuardedConversation, answer: Any) -> dict[int, str]:
        """Return sentences on the unsupported claims in an answer, by the places of its texts."""
        if not self.holds_claims:
            return {}
        said, whole = self.form.structured(answer), self.form.text(answer)
        if said and whole not in said.values():
            said[min(said)] = whole  # A claim may stand beside an answer.
        found = {place: await talk.check_reply(text) for place, text in said.items()}
        return {place: "\n".join(own.say for own in claims) for place, claims in found.items() if claims}

    async def _finished(
        self, talk: GuardedConversation, answer: Any, calls: list[GivenCall], decided: DecidedAnswer, usages: list[Any]
    ) -> Any:
        """Take an answer in and return it. If that fails, its calls are taken back."""
        try:
            made = [Made(known, own.id) for known, own in zip(decided.calls, calls, strict=True)]
            await note_answer(talk, self.form.text(answer), made)
            return forms.with_usage(answer, usages)
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
    ) -> tuple[Any, DecidedAnswer] | None:
        """Return the answer with mends in place of stopped calls and texts, and the decisions on it.

        Return None if some are still not allowed.
        """
        if any(mend_of(own) is None for own in decided.stopped):
            return None
        # The decisions are on the texts that the answer will have.
        arguments = _mends(dict(enumerate(decided.decisions)))
        texts = _mends(decided.shaped)
        mended = self.form.changed(answer, arguments, texts)
        if mended is None:
            return None
        again = [replace(own, arguments=arguments.get(at, own.arguments)) for at, own in enumerate(calls)]
        own_texts = self.form.structured(answer) if shape else {}
        found = await decide(talk, again, shape, own_texts | texts)
        if found.stopped:
            await take_back(talk, found)
            return None
        mended = await self._finished(talk, mended, again, found, usages)
        return mended, found


def _mends(decisions: Mapping[int, Decision]) -> dict[int, str]:
    return {
        place: forms.as_text(own.mend.arguments)
        for place, own in decisions.items()
        if own.stops and own.mend is not None
    }
