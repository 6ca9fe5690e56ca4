"""The arguments that a call of a plain function gives to a tool: all that is passed, and Python's own defaults."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from inspect import BoundArguments
from typing import Any

from holdtrue.errors import InputError
from holdtrue.guard.json_values import recorded
from holdtrue.rules.types import Record


@dataclass(frozen=True, slots=True)
class GivenArguments:
    """The `GivenArguments` of a function are those of its arguments that are decided on: all but the `unchecked`.

    `rest` is the parameter that takes all other names, or None.
    """

    signature: inspect.Signature
    unchecked: frozenset[str]
    rest: str | None

    @classmethod
    def of_function(
        cls, tool: str, function: Callable[..., Any], declared: Record, unchecked: Collection[str]
    ) -> GivenArguments:
        """Return those of a function. Raises `InputError` where its parameters are not those that a tool declares."""
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
        """Return what to pass, and the arguments that are decided on, by their names.

        They are copies, for others may change a list while it is decided on. Defaults are given, too, for the function
        runs with them; a default of None is how functions say that an argument is not given, so that it is none. Raises
        `InputError` for what cannot be copied.
        """
        bound = self.signature.bind(*args, **kwargs)
        passed = set(bound.arguments)
        bound.apply_defaults()
        given: dict[str, Any] = {}
        for name, value in bound.arguments.items():
            if name == self.rest:
                bound.arguments[name] = {each: self._copied(each, one) for each, one in value.items()}
                given |= bound.arguments[name]
            elif name in passed or value is not None:
                bound.arguments[name] = self._copied(name, value)
                is_list = self.signature.parameters[name].kind is inspect.Parameter.VAR_POSITIONAL
                given[name] = [*bound.arguments[name]] if is_list else bound.arguments[name]
        return bound, {name: own for name, own in given.items() if name not in self.unchecked}

    def mended_in(self, bound: BoundArguments, places: int, mended: Mapping[str, Any]) -> BoundArguments:
        """Return what to pass with arguments that were mended.

        Raises `InputError` for one of those that were passed by their place, which are so many.
        """
        if by_place := mended.keys() & {*[*self.signature.parameters][:places]}:
            raise InputError(f"{', '.join(sorted(by_place))} was mended, and has to be passed by name for that")
        for name, own in mended.items():
            if name in self.signature.parameters:
                bound.arguments[name] = own
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
        """Return the arguments with those that were mended; the others stay the objects that they are."""
        kept = {name: value for name, value in given.items() if name in mend and _is_same(value, mend[name])}
        return {**given, **mend, **kept}


def _is_same(one: Any, other: Any) -> bool:
    return bool(recorded([one]) == recorded([other]))
