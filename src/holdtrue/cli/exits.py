"""Exit codes, the same for every verb."""

from __future__ import annotations

import sys
from collections.abc import Collection
from enum import IntEnum

from holdtrue.errors import HoldtrueError, InfrastructureError
from holdtrue.record import TurnOutcome


class ExitCode(IntEnum):
    """What a command came to."""

    OK = 0
    WRONG = 1
    USAGE = 2
    UNDECIDED = 3
    INFRASTRUCTURE = 4


def fail(error: HoldtrueError) -> ExitCode:
    """Say what went wrong in one line on standard error, and give the exit code for it."""
    print(f"holdtrue: {error}", file=sys.stderr)
    return ExitCode.INFRASTRUCTURE if isinstance(error, InfrastructureError) else ExitCode.USAGE


def first_of(exits: Collection[ExitCode]) -> ExitCode:
    """The one exit code of a command to which several apply: the first of 4, 2, 1, 3, 0."""
    precedence = (ExitCode.INFRASTRUCTURE, ExitCode.USAGE, ExitCode.WRONG, ExitCode.UNDECIDED, ExitCode.OK)
    return next(code for code in precedence if code in exits)


def exit_for(outcome: TurnOutcome) -> ExitCode:
    """The exit code that says what a turn came to."""
    match outcome:
        case TurnOutcome.CONSISTENT:
            return ExitCode.OK
        case TurnOutcome.UNDECIDED:
            return ExitCode.UNDECIDED
    return ExitCode.WRONG
