"""Asks about scripts in a worker process with limits on time and memory; the process that asks cannot be hurt."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from holdtrue.budget import OUT_OF_TIME, Budget
from holdtrue.errors import SettingsError
from holdtrue.logic.smtlib.script import Script
from holdtrue.logic.smtlib.structure import satisfies
from holdtrue.solving.engine import EngineFault
from holdtrue.solving.result import Unknown
from holdtrue.solving.smt.messages import READY, structure_from_json, write_question
from holdtrue.solving.smt.result import ScriptCore, ScriptSatisfiable

START_S = 60.0
"""How long a worker may take to start; it takes half a second on an idle machine."""

MEGABYTES = 1024

LOOK_UP_S = 0.2
"""How often a process that waits for an answer looks up, to see whether it was interrupted."""

GRACE = (1.1, 0.03)
"""The worker is killed at `GRACE[0] * timeout_s + GRACE[1]` seconds; z3 stops at `timeout_s` by itself as a rule."""


class ScriptChecker:
    """A worker that answers one question after the other, and is replaced when it ends.

    It starts with the first question; that time is not counted against the budget. Every question has a z3 context of
    its own: answers do not depend on earlier ones. Not to be used from two threads at once. Close it, or use it in a
    `with` statement.
    """

    def __init__(self, *, megabytes: int = MEGABYTES) -> None:
        if megabytes < 1:
            raise SettingsError(f"a worker needs at least 1 MB of memory, not {megabytes}")
        self._megabytes = megabytes
        self._process: subprocess.Popen[bytes] | None = None

    def check(self, script: Script, budget: Budget) -> ScriptSatisfiable | ScriptCore | Unknown:
        """Can all assertions of the script hold together? Names of the script play no part in the answer.

        `Unknown` where time or memory ended, z3 gave up, or the worker died. A witness that direct evaluation refutes
        is an `EngineFault`.
        """
        if budget.timeout_s is not None and budget.timeout_s <= 0:
            return Unknown(OUT_OF_TIME)
        question = write_question(script, budget)
        answer = self._ask(question, budget.timeout_s)
        if isinstance(answer, Unknown):
            return answer
        data = json.loads(answer)
        if "last" in data:
            self.close()
        if "unknown" in data:
            return Unknown(data["unknown"])
        if "core" in data:
            return ScriptCore(tuple(data["core"]))
        witness = structure_from_json(data["sat"], script)
        confirmed = satisfies(witness, script)
        if confirmed is False:
            raise EngineFault("z3 gave a structure that direct evaluation refutes")
        return ScriptSatisfiable(witness, confirmed is True)

    def close(self) -> None:
        """End the worker, if there is one; the next question starts another."""
        if self._process is not None:
            process, self._process = self._process, None
            _end(process)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ask(self, question: bytes, timeout_s: float | None) -> bytes | Unknown:
        """The worker's answer; afterwards there is either a worker that waits for a question, or none."""
        if self._process is not None and self._process.poll() is not None:
            self.close()  # it ended between two questions, which is not for this one to suffer from
        if self._process is None:
            self._process = _start(self._megabytes)
        process = self._process
        factor, more = GRACE
        answer, late = b"", False
        try:
            answer, late = _exchange(process, question, None if timeout_s is None else factor * timeout_s + more)
        finally:
            # Also where the one who asks was interrupted: a worker with a question open is of no use to the next.
            if late or not answer.endswith(b"\n"):
                self.close()
        if answer.endswith(b"\n"):
            return answer
        if late:
            return Unknown("the time budget ran out, and the worker with it")
        return Unknown(f"the worker ended while it worked (exit code {process.returncode})")


def _start(megabytes: int) -> subprocess.Popen[bytes]:
    # What can be imported here can be imported there; -P, because the working directory is not to add to it.
    path = os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path)
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "holdtrue.solving.smt.worker", str(megabytes)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": path},
        start_new_session=True,  # an interrupt from the keyboard is for the one who asks
    )
    ready = False
    try:
        ready = _exchange(process, b"", START_S)[0] == READY
    finally:
        if not ready:
            _end(process)
    if not ready:
        raise EngineFault(f"the worker for SMT-LIB scripts does not start (exit code {process.returncode})")
    return process


def _exchange(process: subprocess.Popen[bytes], question: bytes, limit_s: float | None) -> tuple[bytes, bool]:
    """A line from the worker, b"" where it ended instead; and whether it was ended because time was up."""
    deadline = Budget(limit_s).start()
    answers: list[bytes] = []
    # A thread waits for the answer: once z3 was used in this process, the way in which it puts signal handlers back
    # makes the system resume a read after Ctrl-C, and the interrupt would only be noticed when the read ends.
    talk = threading.Thread(target=lambda: answers.append(_talk(process, question)), daemon=True)
    talk.start()
    late = False
    try:
        while talk.is_alive() and not late:
            talk.join(LOOK_UP_S if deadline.remaining_s is None else min(LOOK_UP_S, deadline.remaining_s))
            late = deadline.passed and talk.is_alive()
    finally:
        if talk.is_alive():
            process.kill()
            talk.join()
    return answers[0] if answers else b"", late


def _talk(process: subprocess.Popen[bytes], question: bytes) -> bytes:
    if process.stdin is None or process.stdout is None:
        raise EngineFault("a worker without pipes")
    try:
        process.stdin.write(question)
        process.stdin.flush()
        return process.stdout.readline()
    except OSError:
        return b""  # it has ended


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):  # what was still to be written has nobody to read it
                pipe.close()
    process.wait()
