"""The arguments that a call of a plain function gives to a tool: those that are passed, and Python's own defaults."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from holdtrue.errors import InputError
from holdtrue.guard.json_values import recorded


@dataclass(frozen=True, slots=True)
class GivenArguments:
    """The `GivenArguments` of a function are those of its arguments that a tool declares, by its `fields`."""

    signature: inspect.Signature
    fields: frozenset[str]

    def of(self, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments that a call gives, those by default too, for the function runs with them.

        A default of None is how functions say that an argument is not given, so that it is none.
        """
        bound = self.signature.bind(*args, **kwargs)
        passed = set(bound.arguments)
        bound.apply_defaults()
        own: dict[str, Any] = {}
        for parameter in self.signature.parameters.values():
            value = bound.arguments[parameter.name]
            if parameter.kind is parameter.VAR_KEYWORD:
                own |= value
            elif parameter.kind is not parameter.VAR_POSITIONAL and (parameter.name in passed or value is not None):
                own[parameter.name] = value
        return {name: value for name, value in own.items() if name in self.fields}

    def mended(self, given: Mapping[str, Any], mend: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments with those that were mended; the others stay the objects that they are."""
        kept = {name: value for name, value in given.items() if name in mend and _is_same(value, mend[name])}
        return {**given, **mend, **kept}

    def changed(self, args: tuple[Any, ...], before: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments that were mended, to pass them by name.

        Raises `InputError` for one that was passed by its place.
        """
        names = {name for name, value in given.items() if name not in before or before[name] is not value}
        if by_place := names & set(list(self.signature.parameters)[: len(args)]):
            raise InputError(f"{', '.join(sorted(by_place))} was mended, and has to be passed by name for that")
        return {name: given[name] for name in given if name in names}


def _is_same(one: Any, other: Any) -> bool:
    return bool(recorded([one]) == recorded([other]))
