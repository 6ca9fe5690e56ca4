"""The arguments that a call of a plain function gives to a tool: all that is passed, and Python's own defaults."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from holdtrue.errors import InputError
from holdtrue.guard.json_values import recorded
from holdtrue.rules.types import Record

Passed = tuple[tuple[Any, ...], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class GivenArguments:
    """The `GivenArguments` of a function are those of its arguments that are decided on: all but the `unchecked`."""

    signature: inspect.Signature
    unchecked: frozenset[str]

    @classmethod
    def of_function(
        cls, tool: str, function: Callable[..., Any], declared: Record, unchecked: Collection[str]
    ) -> GivenArguments:
        """Return those of a function. Raises `InputError` where its parameters are not those that a tool declares."""
        signature = inspect.signature(function)
        own = signature.parameters
        kinds = {each.kind for each in own.values()}
        rest = next((name for name, each in own.items() if each.kind is each.VAR_KEYWORD), None)
        free = {*unchecked, *(name for name in [*own][:1] if name in ("self", "cls"))}
        if more := [name for name in own if name not in {*declared.fields, *declared.unread, *free, rest}]:
            raise InputError(
                f"the function takes {', '.join(more)}, which the tool {tool} does not declare, so no rule would see it; "
                f"declare it, or give guard.tool(unchecked=[{more[0]!r}]) if it is no part of the call"
            )
        missing = [name for name, each in declared.fields.items() if each.required and name not in own]
        if missing and rest is None:
            raise InputError(f"the tool {tool} needs {', '.join(missing)}, which the function does not take")
        if rest is not None and inspect.Parameter.POSITIONAL_ONLY in kinds:
            raise InputError("a function with parameters by place alone and **others could be given two of one name")
        return cls(signature, frozenset(free))

    def bound(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return what to pass, by parameters, and the arguments that are decided on, by their names.

        They are copies, for others may change a list while it is decided on. Defaults are given, too, for the function
        runs with them; a default of None is how functions say that an argument is not given, so that it is none. Raises
        `InputError` for what cannot be copied.
        """
        bound = self.signature.bind(*args, **kwargs)
        passed = set(bound.arguments)
        bound.apply_defaults()
        own: dict[str, Any] = {}
        given: dict[str, Any] = {}
        for name, value in bound.arguments.items():
            kind = self.signature.parameters[name].kind
            if name not in passed and (value is None or name in self.unchecked) and kind is not kind.POSITIONAL_ONLY:
                continue
            if kind is kind.VAR_KEYWORD:
                own[name] = {each: self._copied(each, one) for each, one in value.items()}
                given |= {each: one for each, one in own[name].items() if each not in self.unchecked}
                continue
            own[name] = self._copied(name, value)
            if name not in self.unchecked and (name in passed or value is not None):
                given[name] = [*own[name]] if kind is kind.VAR_POSITIONAL else own[name]
        return own, given

    def passed(self, own: Mapping[str, Any], places: int, more: Mapping[str, Any]) -> Passed:
        """Return how to pass arguments, of which so many had been passed by their place, with those that were mended.

        Raises `InputError` for a mended one that had been passed by its place.
        """
        parameters = self.signature.parameters
        if by_place := more.keys() & {*[*parameters][:places]}:
            raise InputError(f"{', '.join(sorted(by_place))} was mended, and has to be passed by name for that")
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        for at, (name, parameter) in enumerate(parameters.items()):
            if parameter.kind is parameter.VAR_POSITIONAL:
                args += own.get(name, ())
            elif parameter.kind is parameter.VAR_KEYWORD:
                kwargs |= own.get(name, {})
            elif name in own and (parameter.kind is parameter.POSITIONAL_ONLY or at < places):
                args.append(more.get(name, own[name]))
            elif name in own:
                kwargs[name] = own[name]
        return tuple(args), kwargs | {name: one for name, one in more.items() if not self._is_by_place(name)}

    def _is_by_place(self, name: str) -> bool:
        own = self.signature.parameters.get(name)
        return own is not None and own.kind is own.POSITIONAL_ONLY

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
