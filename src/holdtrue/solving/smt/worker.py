"""The worker process: reads questions from its input, answers on its output, a line of JSON each.

Run as `python -m holdtrue.solving.smt.worker MEGABYTES` by `checker.ScriptChecker`, which says when it has been
long enough.
"""

from __future__ import annotations

import json
import sys
from typing import Any, BinaryIO

import z3

from holdtrue.errors import SmtLibError
from holdtrue.solving.smt.confinement import close_doors, limit_memory, limit_time
from holdtrue.solving.smt.decide import decide_script
from holdtrue.solving.smt.messages import READY, read_question


def work(questions: BinaryIO, answers: BinaryIO, megabytes: int) -> None:
    """Answer until the questions end, or the memory limit is hit: z3 cannot be relied on after that."""
    limit_memory(megabytes * 2**20)
    z3.set_param("memory_max_size", megabytes)  # this process has no other use for z3
    z3.SimpleSolver(ctx=z3.Context()).check()  # what is loaded when first needed is loaded now
    close_doors()
    answers.write(READY)
    answers.flush()
    for line in questions:
        answer = _answer(line, megabytes)
        answers.write(json.dumps(answer).encode() + b"\n")
        answers.flush()
        if "last" in answer:
            return


def _answer(line: bytes, megabytes: int) -> dict[str, Any]:
    """The answer; with "last" where this process is of no use after it."""
    try:
        script, budget = read_question(line)
        limit_time(budget.timeout_s)
        return decide_script(script, budget)
    except SmtLibError as error:
        return {"unknown": f"the script is too large for the worker: {error}"}
    except MemoryError:
        reason = "memory"
    except z3.Z3Exception as error:
        # Its messages are bytes as often as texts.
        reason = error.args[0].decode() if error.args and isinstance(error.args[0], bytes) else str(error)
    if "memory" in reason:
        reason = f"the memory limit of {megabytes} MB was reached"
    return {"unknown": reason, "last": True}


if __name__ == "__main__":
    work(sys.stdin.buffer, sys.stdout.buffer, int(sys.argv[1]))
