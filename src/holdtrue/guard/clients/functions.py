"""Guard a plain Python function as a tool: decide on each call before the function runs, and record the result.

The function gets exactly the arguments that were decided on, with Python's defaults.
"""

from __future__ import annotations

import copy
import functools
import inspect
import logging
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from inspect import BoundArguments
from typing import Any, TypeVar

from holdtrue.errors import InputError, StoreConflict
from holdtrue.guard.clients.blocking import CallStopped, OnBlock, check_on_block, mend_of
from holdtrue.guard.clients.call_outcomes import ending_of
from holdtrue.guard.clients.conversations import Conversations, current_of
from holdtrue.guard.clients.history_intake import Made, taken_over, tell_result
from holdtrue.guard.conversation.calls import said_by
from holdtrue.guard.conversation.guarded_conversation import Ending, GuardedConversation
from holdtrue.guard.conversation.worker import look_for_mends
from holdtrue.guard.decision import Decision
from holdtrue.guard.json_values import recorded
from holdtrue.guard.results import is_error
from holdtrue.rules.types import Record


@dataclass(frozen=True, slots=True)
class GivenArguments:
    """The parameters of a function. The `unchecked` ones are not decided on, and `rest` takes all other names."""

    signature: inspect.Signature
    unchecked: frozenset[str]
    rest: str | None

    @classmethod
    def of_function(
        cls, tool: str, function: Callable[..., Any], declared: Record, unchecked: Collection[str]
    ) -> GivenArguments:
        """Return the parameters of a function.

        Raises `InputError` if its parameters differ from the tool's declaration.
        """
        signature = inspect.signature(function)
        own = signature.parameters
        rest = next((name for name, each in own.items() if each.kind is each.VAR_KEYWORD), None)
        free = {*unchecked, *({"self", "cls"} & {*[*own][:1]})}
        if more := [name for name in own if name not in {*declared.fields, *declared.unread, *free, rest}]:
            raise InputError(
                f"the function takes {', '.join(more)}, which the tool {tool} does not declare, so no rule sees it; "
                f"declare it, or give guard.tool(unchecked=[{more[0]!r}]) if it is no part of the call"
            )
        missing = [name for name, each in declared.fields.items() if each.required and name not in own]
        if missing and rest is None:
            raise InputError(f"the tool {tool} needs {', '.join(missing)}, which the function does not take")
        if rest is not None and any(each.kind is each.POSITIONAL_ONLY for each in own.values()):
            raise InputError("a function with parameters by place alone and **others could be given two of one name")
        return cls(signature, frozenset(free), rest)

    def bound(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> tuple[BoundArguments, dict[str, Any]]:
        """Return the bound arguments of a call, and those that are decided on, by name.

        The arguments are copied, because the originals could change meanwhile. Defaults are included, since the
        function runs with them. An argument that is None is left out if None is its default. Raises `InputError` if one
        cannot be copied.
        """
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        given: dict[str, Any] = {}
        for name, value in bound.arguments.items():
            if name == self.rest:
                bound.arguments[name] = {each: self._copied(each, one) for each, one in value.items()}
                given |= bound.arguments[name]
            elif value is not None or self.signature.parameters[name].default is not None:
                bound.arguments[name] = self._copied(name, value)
                is_list = self.signature.parameters[name].kind is inspect.Parameter.VAR_POSITIONAL
                given[name] = [*bound.arguments[name]] if is_list else bound.arguments[name]
        return bound, {name: own for name, own in given.items() if name not in self.unchecked}

    def mended_in(self, bound: BoundArguments, mended: Mapping[str, Any]) -> BoundArguments:
        """Return the bound arguments with mended ones in their places."""
        for name, own in mended.items():
            if name in self.signature.parameters:
                is_list = self.signature.parameters[name].kind is inspect.Parameter.VAR_POSITIONAL
                bound.arguments[name] = tuple(own) if is_list else own
            else:
                bound.arguments[self.rest or name][name] = own
        return bound

    def _copied(self, name: str, value: Any) -> Any:
        if name in self.unchecked:
            return value
        try:
            return copy.deepcopy(value)
        except Exception as error:
            raise InputError(
                f"{name}: a {type(value).__name__} cannot be copied, so it could change while it is decided on; pass "
                f"what it says, or give guard.tool(unchecked=[{name!r}]) if it is no part of the call"
            ) from error

    def mended(self, given: Mapping[str, Any], mend: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments with the mended values. A value that stays the same stays the same object."""
        kept = {name: value for name, value in given.items() if name in mend and _is_same(value, mend[name])}
        return {**given, **mend, **kept}


def _is_same(one: Any, other: Any) -> bool:
    return bool(recorded([one]) == recorded([other]))


_log = logging.getLogger(__name__)
Function = TypeVar("Function", bound=Callable[..., Any])


def guarded_function(
    guard: Conversations, function: Function, name: str | None, on_block: OnBlock, unchecked: Collection[str] = ()
) -> Function:
    """Return a function whose calls are decided on in the current conversation.

    The decision is on copies of all arguments except the `unchecked` ones, such as a connection. A call that came out
    of a wrapped client is the same call when the function makes it. Raises `InputError` if the policy does not declare
    the tool with these parameters, or if the function yields.
    """
    check_on_block(on_block)
    tool = name or str(getattr(function, "__name__", type(function).__name__))
    declared = guard.policy.tools.get(tool)
    if declared is None:
        known = ", ".join(guard.policy.tools) or "none"
        raise InputError(f"the policy names no tool {tool!r}, only {known}; give guard.tool(name=...)")
    _check_runs_at_once(tool, function)
    given_by = GivenArguments.of_function(tool, function, declared.arguments, unchecked)

    async def decide(talk: GuardedConversation, before: dict[str, Any]) -> tuple[Decision, Made | None, dict[str, Any]]:
        given, made = before, await taken_over(talk, tool, before)
        id = None if made is None else made.call.id
        decision = await talk.check(tool, given, call=id)
        await look_for_mends((decision,))
        if decision.stops and on_block == "mend" and (mend := mend_of(decision)) is not None:
            given = given_by.mended(given, mend.arguments)
            decision = await talk.check(tool, given, call=id)
        changed = {name: own for name, own in given.items() if name not in before or before[name] is not own}
        return decision, made, changed

    def stopped(decision: Decision) -> str:
        if on_block == "raise":
            raise CallStopped((decision,))
        return decision.for_user if on_block == "refuse" else decision.for_model

    @functools.wraps(function)
    async def asynchronous(*args: Any, **kwargs: Any) -> Any:
        talk = current_of(guard, None, "")
        own, given = given_by.bound(args, kwargs)
        decision, made, changed = await decide(talk, given)
        if decision.stops:
            return stopped(decision)
        try:
            own = given_by.mended_in(own, changed)
            result = await function(*own.args, **own.kwargs)
        except BaseException as error:
            await _told_result(talk, decision, made, _told(error), ending_of(error))
            raise
        await _told_result(talk, decision, made, result)
        return result

    @functools.wraps(function)
    def synchronous(*args: Any, **kwargs: Any) -> Any:
        talk = current_of(guard, None, "")
        own, given = given_by.bound(args, kwargs)
        decision, made, changed = guard.run(decide(talk, given))
        if decision.stops:
            return stopped(decision)
        try:
            own = given_by.mended_in(own, changed)
            result = _whole(tool, function(*own.args, **own.kwargs))
        except BaseException as error:
            guard.run(_told_result(talk, decision, made, _told(error), ending_of(error)))
            raise
        guard.run(_told_result(talk, decision, made, result))
        return result

    return asynchronous if _is(inspect.iscoroutinefunction, function) else synchronous  # type: ignore[return-value]


def _check_runs_at_once(tool: str, function: Any) -> None:
    """Raise `InputError` for a generator, which would run after its result was taken in."""
    if _is(inspect.isgeneratorfunction, function) or _is(inspect.isasyncgenfunction, function):
        raise InputError(
            f"{tool} yields, so that it would run after its result was seen; guard a function that returns all of it"
        )


def _is(kind: Callable[[Any], bool], function: Any) -> bool:
    """Return whether a predicate holds for a function, or for the `__call__` method of an object."""
    own = function.func if isinstance(function, functools.partial) else function
    return kind(own) or kind(inspect.getattr_static(type(own), "__call__", None))


def _whole(tool: str, result: Any) -> Any:
    """Return a result. Raises `InputError` for a coroutine or a generator, whose end nobody would see."""
    if inspect.iscoroutine(result) or inspect.isgenerator(result):
        result.close()
    elif not (inspect.isawaitable(result) or inspect.isasyncgen(result)):
        return result
    raise InputError(
        f"{tool} returned a {type(result).__name__}, which runs after its result was seen; make it an `async def` that "
        "awaits it, or return all of it"
    )


async def _told_result(
    talk: GuardedConversation, decision: Decision, made: Made | None, result: Any, outcome: Ending | None = None
) -> None:
    """Record how a call ended, and log a warning if that cannot be written now.

    If writing fails, the call stays pending, or the event is written later. The caller gets no error then, because it
    could take that for a failure of the call and repeat it.
    """
    if made is not None:
        made.said, made.failed = said_by(result), outcome == "failed" or is_error(talk.guard.policy, result)
    id = (made and made.call.id) or decision.id
    kept_from = await tell_result(talk, decision.tool, decision.arguments, result, id, outcome)
    if isinstance(kept_from, StoreConflict):
        _log.warning("%s ran, and its result could not be written down: it stays pending", decision.tool)
    elif kept_from is not None:
        _log.warning("%s ran, and its result will be written down later: %s", decision.tool, kept_from)


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"
