"""Normal forms of constraints whose arguments may change places."""

from __future__ import annotations

from collections.abc import Callable

from holdtrue.world.instance import Arg


def any_order(start: int = 0, stop: int | None = None) -> Callable[[tuple[Arg, ...]], tuple[Arg, ...]]:
    """For `ConstraintType.canonical`: the arguments `start:stop`, as a slice has them, may stand in any order."""

    def sort(args: tuple[Arg, ...]) -> tuple[Arg, ...]:
        ordered = list(args)
        ordered[start:stop] = sorted(args[start:stop], key=str)
        return tuple(ordered)

    return sort
