"""A guard around a plain function: a call of it is decided on before it runs, and its result is seen."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from holdtrue.errors import InputError
from holdtrue.guard.clients.blocking import CallStopped, OnBlock, check_on_block
from holdtrue.guard.clients.current import current_of
from holdtrue.guard.decision import Decision

if TYPE_CHECKING:
    from holdtrue.guard.conversation.guarded_conversation import GuardedConversation
    from holdtrue.guard.guard import Guard

Function = TypeVar("Function", bound=Callable[..., Any])


def guarded_function(guard: Guard, function: Function, name: str | None, on_block: OnBlock) -> Function:
    """Return a function like another one, whose calls are decided on in the conversation that it runs in.

    Only the parameters that the policy's tool declares take part in the decision; others, such as a connection, are
    passed on. Raises `InputError` where the policy names no such tool.
    """
    check_on_block(on_block)
    tool = name or function.__name__
    declared = guard.policy.tools.get(tool)
    if declared is None:
        known = ", ".join(guard.policy.tools) or "none"
        raise InputError(f"the policy names no tool {tool!r}, only {known}; give guard.tool(name=...)")
    signature = inspect.signature(function)
    fields = declared.arguments.fields

    def arguments_of(args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        bound = signature.bind(*args, **kwargs)
        own = dict(bound.arguments)
        for parameter in signature.parameters.values():
            if parameter.kind is parameter.VAR_KEYWORD:
                own |= own.pop(parameter.name, {})
        return {key: value for key, value in own.items() if key in fields}

    async def decide(talk: GuardedConversation, given: dict[str, Any]) -> tuple[Decision, dict[str, Any]]:
        decision = await talk.check(tool, given)
        if decision.stops and on_block == "mend" and decision.mend is not None:
            given = {**given, **decision.mend.arguments}
            decision = await talk.check(tool, given)
        return decision, given

    def stopped(decision: Decision) -> str:
        if on_block == "raise":
            raise CallStopped((decision,))
        return decision.for_user if on_block == "refuse" else decision.for_model

    @functools.wraps(function)
    async def asynchronous(*args: Any, **kwargs: Any) -> Any:
        talk = current_of(guard, None, "")
        decision, given = await decide(talk, arguments_of(args, kwargs))
        if decision.stops:
            return stopped(decision)
        try:
            result = await function(*args, **{**kwargs, **_changed(signature, args, kwargs, given)})
        except BaseException as error:
            await talk.saw(tool, given, _told(error), call=decision.id, outcome=_outcome(error))
            raise
        await talk.saw(tool, given, result, call=decision.id)
        return result

    @functools.wraps(function)
    def synchronous(*args: Any, **kwargs: Any) -> Any:
        talk = current_of(guard, None, "")
        decision, given = guard.run(decide(talk, arguments_of(args, kwargs)))
        if decision.stops:
            return stopped(decision)
        try:
            result = function(*args, **{**kwargs, **_changed(signature, args, kwargs, given)})
        except BaseException as error:
            guard.run(talk.saw(tool, given, _told(error), call=decision.id, outcome=_outcome(error)))
            raise
        guard.run(talk.saw(tool, given, result, call=decision.id))
        return result

    return asynchronous if inspect.iscoroutinefunction(function) else synchronous  # type: ignore[return-value]


def _changed(
    signature: inspect.Signature, args: tuple[Any, ...], kwargs: dict[str, Any], given: dict[str, Any]
) -> dict[str, Any]:
    """Return the arguments that were mended, or set, and are not passed by their place."""
    placed = set(list(signature.parameters)[: len(args)])
    bound = signature.bind(*args, **kwargs).arguments
    changed = {name: value for name, value in given.items() if name not in bound or bound[name] != value}
    if by_place := placed & changed.keys():
        raise InputError(f"{', '.join(sorted(by_place))} was mended, and has to be passed by name for that")
    return changed


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def _outcome(error: BaseException) -> Any:
    """Return how a call ended that raised: an error means failure; whoever was cancelled may have had its effect."""
    return "failed" if isinstance(error, Exception) else "unknown"
