"""The exit codes of all commands.

- 0: All is well.
- 1: Something is wrong.
- 2: The command was used wrongly.
- 3: Something was not decided within the limits.
- 4: A model, a server or a file failed.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from enum import IntEnum

from holdtrue.errors import HoldtrueError, InfrastructureError
from holdtrue.record import TurnOutcome


class ExitCode(IntEnum):
    """The exit code of a command; the module docstring explains each."""

    OK = 0
    WRONG = 1
    USAGE = 2
    UNDECIDED = 3
    INFRASTRUCTURE = 4


def fail(error: HoldtrueError) -> ExitCode:
    """Print an error in one line on standard error. Return 4 for an `InfrastructureError` and 2 for any other."""
    print(f"holdtrue: {error}", file=sys.stderr)
    return ExitCode.INFRASTRUCTURE if isinstance(error, InfrastructureError) else ExitCode.USAGE


def first_of(exits: Collection[ExitCode]) -> ExitCode:
    """Return the gravest of several exit codes, in the order 4, 2, 1, 3, 0."""
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
