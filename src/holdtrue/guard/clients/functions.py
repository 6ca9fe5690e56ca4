"""A guard around a plain function: a call of it is decided on before it runs, and its result is seen."""

from __future__ import annotations

import functools
import inspect
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from holdtrue.errors import InputError, StoreConflict
from holdtrue.guard.clients.blocking import CallStopped, OnBlock, check_on_block
from holdtrue.guard.clients.current import current_of
from holdtrue.guard.clients.given_arguments import GivenArguments
from holdtrue.guard.clients.told_results import tell_result
from holdtrue.guard.decision import Decision

if TYPE_CHECKING:
    from holdtrue.guard.conversation.guarded_conversation import GuardedConversation, Outcome
    from holdtrue.guard.guard import Guard

_log = logging.getLogger(__name__)
Function = TypeVar("Function", bound=Callable[..., Any])


def guarded_function(guard: Guard, function: Function, name: str | None, on_block: OnBlock) -> Function:
    """Return a function like another one, whose calls are decided on in the conversation that it runs in.

    Only the parameters that the policy's tool declares take part in the decision; others, such as a connection, are
    passed on. Raises `InputError` where the policy names no such tool, and for a function that yields.
    """
    check_on_block(on_block)
    tool = name or str(getattr(function, "__name__", type(function).__name__))
    declared = guard.policy.tools.get(tool)
    if declared is None:
        known = ", ".join(guard.policy.tools) or "none"
        raise InputError(f"the policy names no tool {tool!r}, only {known}; give guard.tool(name=...)")
    _check_runs_at_once(tool, function)
    given_by = GivenArguments(inspect.signature(function), frozenset(declared.arguments.fields))

    async def decide(talk: GuardedConversation, given: dict[str, Any]) -> tuple[Decision, dict[str, Any]]:
        decision = await talk.check(tool, given)
        if decision.stops and on_block == "mend" and decision.mend is not None:
            given = given_by.mended(given, decision.mend.arguments)
            decision = await talk.check(tool, given)
        return decision, given

    def stopped(decision: Decision) -> str:
        if on_block == "raise":
            raise CallStopped((decision,))
        return decision.for_user if on_block == "refuse" else decision.for_model

    @functools.wraps(function)
    async def asynchronous(*args: Any, **kwargs: Any) -> Any:
        talk = current_of(guard, None, "")
        before = given_by.of(args, kwargs)
        decision, given = await decide(talk, before)
        if decision.stops:
            return stopped(decision)
        try:
            result = await function(*args, **{**kwargs, **given_by.changed(args, before, given)})
        except BaseException as error:
            await _told_result(talk, decision, given, _told(error), _outcome(error))
            raise
        await _told_result(talk, decision, given, result)
        return result

    @functools.wraps(function)
    def synchronous(*args: Any, **kwargs: Any) -> Any:
        talk = current_of(guard, None, "")
        before = given_by.of(args, kwargs)
        decision, given = guard.run(decide(talk, before))
        if decision.stops:
            return stopped(decision)
        try:
            result = _whole(tool, function(*args, **{**kwargs, **given_by.changed(args, before, given)}))
        except BaseException as error:
            guard.run(_told_result(talk, decision, given, _told(error), _outcome(error)))
            raise
        guard.run(_told_result(talk, decision, given, result))
        return result

    return asynchronous if _is(inspect.iscoroutinefunction, function) else synchronous  # type: ignore[return-value]


def _check_runs_at_once(tool: str, function: Any) -> None:
    """Raise `InputError` for a function that yields: it runs only while somebody takes what it yields."""
    if _is(inspect.isgeneratorfunction, function) or _is(inspect.isasyncgenfunction, function):
        raise InputError(
            f"{tool} yields, so that it would run after its result was seen; guard a function that returns all of it"
        )


def _is(kind: Callable[[Any], bool], function: Any) -> bool:
    """Return whether a function is of a kind, or an object is whose calls are those of a method."""
    own = function.func if isinstance(function, functools.partial) else function
    return kind(own) or kind(inspect.getattr_static(type(own), "__call__", None))


def _whole(tool: str, result: Any) -> Any:
    """Return a result. Raises `InputError` for one that is still to be made, for nobody would see how that ends."""
    if inspect.iscoroutine(result) or inspect.isgenerator(result):
        result.close()
    elif not (inspect.isawaitable(result) or inspect.isasyncgen(result)):
        return result
    raise InputError(
        f"{tool} returned a {type(result).__name__}, which runs after its result was seen; make it an `async def` that "
        "awaits it, or return all of it"
    )


async def _told_result(
    talk: GuardedConversation, decision: Decision, given: dict[str, Any], result: Any, outcome: Outcome | None = None
) -> None:
    """Tell a conversation how a call ended. It has ended, whether or not that can be written down now.

    Where it cannot, the call stays pending, or what happened is written with whatever comes next; the caller is not to
    take that for a failure of the call, and do it again.
    """
    kept_from = await tell_result(talk, decision.tool, given, result, decision.id, outcome)
    if isinstance(kept_from, StoreConflict):
        _log.warning("%s ran, and its result could not be written down: it stays pending", decision.tool)
    elif kept_from is not None:
        _log.warning("%s ran, and its result will be written down later: %s", decision.tool, kept_from)


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def _outcome(error: BaseException) -> Outcome:
    """Return how a call ended that raised: an error means failure; whoever was cancelled may have had its effect."""
    return "failed" if isinstance(error, Exception) else "unknown"
