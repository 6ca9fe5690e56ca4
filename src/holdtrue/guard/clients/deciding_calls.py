"""Decide on all that one answer of a model calls, and take back what was allowed where the answer never comes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from holdtrue.guard.clients.taking_in import is_alike, lock_of
from holdtrue.guard.clients.told_results import tell_result
from holdtrue.guard.conversation.calls import GivenCall
from holdtrue.guard.conversation.guarded_conversation import GuardedConversation
from holdtrue.guard.conversation.worker import look_for_mends
from holdtrue.guard.decision import Decision
from holdtrue.guard.stops import stop_mark

NOT_MADE = (
    f"{stop_mark('ask')} It was not called, because another call of the same message was not allowed. "
    "Call it again if it is needed."
)


@dataclass(frozen=True, slots=True)
class DecidedAnswer:
    """The calls of an answer with their decisions, and the decisions on its structured texts, by their places.

    `calls` have the ids by which the conversation knows them: None where a model's id is missing or stands twice.
    """

    calls: tuple[GivenCall, ...]
    decisions: tuple[Decision, ...]
    shaped: dict[int, Decision]

    @property
    def stopped(self) -> list[Decision]:
        """Return the decisions for which the answer must not come out."""
        return [own for own in (*self.decisions, *self.shaped.values()) if own.stops]

    @property
    def results(self) -> list[str]:
        """Return what the model is told of each call."""
        return [own.for_model if own.stops else NOT_MADE for own in self.decisions]

    @property
    def whys(self) -> dict[int, str]:
        """Return what the model is told of texts that will not do."""
        return {place: own.for_model for place, own in self.shaped.items() if own.stops}


async def decide(
    talk: GuardedConversation, calls: Sequence[GivenCall], shape: str | None, texts: dict[int, str]
) -> DecidedAnswer:
    """Return the decisions on an answer; where one of them fails, the calls allowed before it are taken back."""
    own, decisions = await _decide_calls(talk, calls)
    tool = None if shape is None else talk.guard.policy.tools.get(shape)
    shaped: dict[int, Decision] = {}
    try:
        if shape is not None and tool is not None and tool.is_answer:
            for place, text in texts.items():
                shaped[place] = await talk.check(shape, text)
    except BaseException:
        await take_back(talk, DecidedAnswer(own, decisions, {}))
        raise
    found = DecidedAnswer(own, decisions, shaped)
    await look_for_mends(found.stopped)
    return found


async def take_back(talk: GuardedConversation, decided: DecidedAnswer) -> None:
    """Tell a conversation that the allowed calls of an answer are not made, for it does not come out."""
    for call, decision in zip(decided.calls, decided.decisions, strict=True):
        if not decision.stops and talk.guard.policy.writes(call.tool):
            await tell_result(talk, call.tool, call.arguments, NOT_MADE, call.id or decision.id, "failed")


async def _decide_calls(
    talk: GuardedConversation, calls: Sequence[GivenCall]
) -> tuple[tuple[GivenCall, ...], tuple[Decision, ...]]:
    own = _with_ids(calls)
    decisions: list[Decision] = []
    async with lock_of(talk):
        begun = {each.id for each in await talk.pending()}
        try:
            for call in own:
                decisions.append(await talk.check(call))  # noqa: PERF401  those so far count if the next one fails
        except BaseException:
            made = len(decisions)
            await take_back(talk, DecidedAnswer(tuple(own[:made]), tuple(decisions), {}))
            # The decision on the next one may be written down all the same, though nobody waits for it any more.
            for each in await talk.pending():
                if each.id not in begun and is_alike(each, own[made]):
                    await tell_result(talk, each.tool, each.arguments, NOT_MADE, each.id, "failed")
            raise
    return tuple(own), tuple(decisions)


def _with_ids(calls: Sequence[GivenCall]) -> list[GivenCall]:
    """Return calls without the ids that stand for two of them: the conversation names those by the decision."""
    ids = [own.id for own in calls]
    return [own if ids.count(own.id) == 1 else GivenCall(own.tool, own.arguments, None) for own in calls]
