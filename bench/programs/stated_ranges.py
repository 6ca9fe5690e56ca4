"""The range of a function of whole numbers, where a constraint states it for all arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from bench.programs.call_grammar import Call
from bench.programs.enumeration_meaning import Declared, Members

WIDEST = 1_000
"""Values of a function; real ones have a dozen."""

_BOUNDS = {"<": (None, -1), "<=": (None, 0), ">": (1, None), ">=": (0, None), "==": (0, 0)}
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}
Bounds = tuple[int | None, int | None]


def stated_range(
    function: Declared, constraints: Sequence[Call], sorts: Mapping[str, Members]
) -> tuple[int, ...] | None:
    """Every value that a function can have by constraints such as `ForAll([x:days], And(1 <= f(x), f(x) <= 7))`.

    None where they do not state both ends for all of its arguments, or leave no value, or over `WIDEST`.
    """
    lows: list[int] = []
    highs: list[int] = []
    for constraint in constraints:
        if constraint.name != "ForAll" or len(constraint.parts) != 1:
            continue
        ranged = {binder.name: binder.sorts for binder in constraint.binders}
        for low, high in _stated(constraint.parts[0], function, ranged, sorts):
            lows += [] if low is None else [low]
            highs += [] if high is None else [high]
    if not lows or not highs or not 0 <= min(highs) - max(lows) < WIDEST:
        return None
    return tuple(range(max(lows), min(highs) + 1))


def _stated(
    call: Call, function: Declared, ranged: Mapping[str, tuple[str, ...]], sorts: Mapping[str, Members]
) -> Iterator[Bounds]:
    """The bounds that a part states in which all operands have to hold, or, of several cases, all together."""
    if call.name == "And":
        for part in call.parts:
            yield from _stated(part, function, ranged, sorts)
    elif call.name == "Or":
        cases = [[*_stated(part, function, ranged, sorts)] for part in call.parts]
        lows = [low for case in cases for low, _ in case if low is not None]
        highs = [high for case in cases for _, high in case if high is not None]
        if all(len(case) == 1 and None not in case[0] for case in cases) and lows and highs:
            yield min(lows), max(highs)
    elif call.name in _BOUNDS and len(call.parts) == 2:
        left, right = call.parts
        for one, other, op in ((left, right, call.name), (right, left, _TURNED[call.name])):
            if other.name.isdecimal() and _of_all(one, function, ranged, sorts):
                low, high = _BOUNDS[op]
                end = int(other.name)
                yield None if low is None else end + low, None if high is None else end + high


def _of_all(
    call: Call, function: Declared, ranged: Mapping[str, tuple[str, ...]], sorts: Mapping[str, Members]
) -> bool:
    """Return whether it is the function, of variables that between them stand for all of its arguments."""
    names = [part.name for part in call.parts]
    if call.name != function.name or len(set(names)) != len(function.arguments) or len(names) != len(set(names)):
        return False
    for part, argument in zip(call.parts, function.arguments, strict=True):
        if argument is None or part.name not in ranged or part.parts:
            return False
        values = {value for sort in ranged[part.name] if sort in sorts for value in sorts[sort].values}
        if not set(argument.values) <= values:
            return False
    return True
