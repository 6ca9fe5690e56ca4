"""Exit codes, the same for every verb."""

from __future__ import annotations

import sys
from enum import IntEnum

from holdtrue.errors import HoldtrueError, InfrastructureError


class ExitCode(IntEnum):
    """What a command came to; `check`, where several apply, gives the first of 4, 2, 1, 3, 0."""

    OK = 0
    WRONG = 1
    USAGE = 2
    UNDECIDED = 3
    INFRASTRUCTURE = 4


def fail(error: HoldtrueError) -> ExitCode:
    """Say what went wrong in one line on standard error, and give the exit code for it."""
    print(f"holdtrue: {error}", file=sys.stderr)
    return ExitCode.INFRASTRUCTURE if isinstance(error, InfrastructureError) else ExitCode.USAGE
