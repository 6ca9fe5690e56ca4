"""Exit codes, the same for every command: 0 all right, 1 something is wrong, 2 the command was used wrongly, 3 not
decided within the limits, 4 a model, a server or a file failed.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from enum import IntEnum

from holdtrue.errors import HoldtrueError, InfrastructureError
from holdtrue.record import TurnOutcome


class ExitCode(IntEnum):
    """The exit code of a command: see the head of this file for what each says."""

    OK = 0
    WRONG = 1
    USAGE = 2
    UNDECIDED = 3
    INFRASTRUCTURE = 4


def fail(error: HoldtrueError) -> ExitCode:
    """Print an error in one line on standard error, and return 4 for a fault of infrastructure and 2 for any other."""
    print(f"holdtrue: {error}", file=sys.stderr)
    return ExitCode.INFRASTRUCTURE if isinstance(error, InfrastructureError) else ExitCode.USAGE


def first_of(exits: Collection[ExitCode]) -> ExitCode:
    """Return the one exit code of a command to which several apply: the gravest, in the order 4, 2, 1, 3, 0."""
    precedence = (ExitCode.INFRASTRUCTURE, ExitCode.USAGE, ExitCode.WRONG, ExitCode.UNDECIDED, ExitCode.OK)
    return next(code for code in precedence if code in exits)


def exit_for(outcome: TurnOutcome) -> ExitCode:
    """Return 0 for a consistent turn, 3 for an undecided one, and 1 for any other outcome."""
    match outcome:
        case TurnOutcome.CONSISTENT:
            return ExitCode.OK
        case TurnOutcome.UNDECIDED:
            return ExitCode.UNDECIDED
    return ExitCode.WRONG
