"""Decide on the calls of an app or a framework, with mends and answers of people, and take in their results."""

from __future__ import annotations

import logging
from dataclasses import replace as changed
from typing import TYPE_CHECKING, Any

from holdtrue.errors import InputError, StoreConflict
from holdtrue.guard.clients.blocking import mend_of
from holdtrue.guard.clients.history_intake import note_result
from holdtrue.guard.conversation.calls import GivenCall, read_given_call
from holdtrue.guard.conversation.state_parts import same_call
from holdtrue.guard.conversation.worker import look_for_mends
from holdtrue.guard.outcome import Outcome, outcome_of

_log = logging.getLogger(__name__)

if TYPE_CHECKING:
    from holdtrue.guard.conversation.guarded_conversation import Ending, GuardedConversation


async def decide_call(
    talk: GuardedConversation, tool: Any, arguments: Any, call: str | None, *, replace: bool
) -> Outcome:
    """Decide on a call. If `replace` is true, the nearest allowed call takes the place of a blocked one."""
    own = read_given_call(tool, arguments, call)
    decision = await talk.check(own)
    await look_for_mends((decision,))
    if replace and decision.stops and (mend := mend_of(decision)) is not None:
        mended = await talk.check(own.tool, dict(mend.arguments), call=own.id)
        if not mended.stops:
            return outcome_of(mended, own.id, replaced=True)
    return outcome_of(decision, own.id)


async def resume_call(
    talk: GuardedConversation, interrupt: Any, answer: bool | str, *, is_rerun: bool = False
) -> Outcome:
    """Take in a person's answer to an interrupt, and decide on just its call again.

    If `is_rerun` is true, the person saw the question of the last run, which may have been another one. Without such a
    question, the answer counts as none.

    Raises `InputError` if the interrupt is of another conversation, or if its call is not the one that was asked about.
    """
    if not (isinstance(interrupt, dict) and isinstance(interrupt.get("decision"), str)):
        raise InputError(f"interrupt: the JSON of outcome.to_interrupt() is needed, not {interrupt!r:.60}")
    if not isinstance(answer, bool | str):
        raise InputError(f"answer: True, False or the words of the person are needed, not {answer!r:.60}")
    named = interrupt.get("tenant"), interrupt.get("conversation")
    if named != (talk.tenant, talk.id):
        raise InputError(f"interrupt: it is of another conversation, {named[1]!r:.60}")
    id, tool, arguments = interrupt["decision"], interrupt.get("tool"), interrupt.get("arguments")
    asked = await talk.decided(id)
    if asked is None or not same_call(asked, str(tool), arguments):
        raise InputError(f"interrupt: {id:.20} is no decision on {tool!r:.40} with these arguments")
    said = answer if isinstance(answer, str) else "yes" if answer else "no"
    shown = await talk.decided(id, before=True) if is_rerun else asked
    heard = None if shown is None else await talk.heard(user=said, answers=shown.id)
    outcome = await decide_call(talk, str(tool), arguments, interrupt.get("call"), replace=False)
    return outcome if heard is None or heard.yes or outcome.goes_on else changed(outcome, refusal=said)


async def end_call(talk: GuardedConversation, outcome: Outcome, result: Any, ending: Ending | None) -> None:
    """Take in the result of a call that went on. A result that is an exception means a failed call.

    A failure to write the result is no error here: it would look like a failure of the call. The call stays pending.
    """
    if isinstance(result, BaseException):
        ending, result = ending or ending_of(result), f"{type(result).__name__}: {result}"
    decision = outcome.decision
    call = GivenCall(decision.tool, decision.arguments, outcome.call or str(decision.id))
    kept_from = await note_result(talk, call, result, ending)
    if kept_from is not None:
        kind = "stays pending" if isinstance(kept_from, StoreConflict) else "is written later"
        _log.warning("%s ran, and its result could not be written down: it %s", decision.tool, kind)


def ending_of(error: BaseException) -> Ending:
    """Return how a call ended that raised an error. One that ran out of time or was cancelled may have worked."""
    return "unknown" if isinstance(error, TimeoutError) or not isinstance(error, Exception) else "failed"
