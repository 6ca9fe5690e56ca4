"""The base class of all conversations: their verbs, one call at a time, and methods for synchronous code."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self, TypeVar

from holdtrue.budget import Budget
from holdtrue.conversation.arguments import check_model
from holdtrue.conversation.saved_file import write_saved
from holdtrue.errors import SessionBusy, SessionClosed, SessionError
from holdtrue.event_loop import in_running_loop
from holdtrue.models.chat import ChatModel
from holdtrue.models.model_registry import open_model
from holdtrue.solving.certificate import Certificate, NoCertificate, WitnessCertificate
from holdtrue.solving.recheck import Confirmed
from holdtrue.solving.result import Unknown
from holdtrue.verification.explanation_results import Explained
from holdtrue.verification.ledger_theory import Theory, certify, explain_theory, recheck_theory

Result = TypeVar("Result")


class Conversation:
    """A conversation that is checked against everything that was agreed. A `model` given by name is opened here.

    Each kind of answer has a subclass: `Session`, `QuerySession`, `SearchSession`, `ClaimSession`. All have these
    verbs:

    - `turn` plays a turn, and `ask` does the same for code that is not asynchronous.
    - `check` judges an answer that is given from outside.
    - `add`, `amend` and `withdraw` change the agreed entries, and return the events.
    - `explain` describes a turn's verdict in sentences.
    - `explain_ledger` says whether all agreed entries can be kept, and `certificate` proves it.
    - `save` and `load` keep the conversation in a file, without the model, the method and the world.

    A conversation does one thing at a time. While a call runs, every other call that changes the conversation or uses
    its solver raises `SessionBusy`, from any task or thread. Two turns at once would both continue from the same state,
    and one would be lost. No call waits, because a call made from inside a turn would wait for ever. After an error the
    conversation is as it was before.
    """

    answers = "answers"
    """The kind of its answers, in words for errors and files."""
    budget: Budget
    """The limits of all questions to the solver."""

    def __init__(self, model: ChatModel | str) -> None:
        self._runner: asyncio.Runner | None = None
        self._lock = threading.Lock()
        self._face = threading.Lock()  # for the runner, since a second `ask` must not use a running loop
        self._running = ""  # the call that holds the lock, in words
        self._closed = False
        self._saving = threading.Lock()
        self._owns_model = isinstance(model, str)
        self.model = open_model(model) if isinstance(model, str) else check_model(model)

    def _theory(self) -> Theory:
        """Return the active entries as formulas. Raises `SessionError` if nothing was read yet."""
        raise NotImplementedError

    def explain_ledger(self) -> Explained:
        """Explain the agreed entries: whether all can be kept, which of them clash, and how to mend that."""
        with self._alone("explain_ledger", also_closed=True):
            return explain_theory(self._theory(), self.budget)

    def certificate(self) -> Certificate | WitnessCertificate | NoCertificate:
        """Return a proof that the agreed entries clash, or a witness that keeps all of them, for other programs to
        check.

        `holdtrue.solving.certificate.write_certificate` writes it to files.
        """
        with self._alone("certificate", also_closed=True):
            theory = self._theory()
            return certify(theory, theory.engine(), self.budget)

    def recheck(self) -> Confirmed | Unknown:
        """Ask another solver to confirm that the agreed entries can be kept, or that their conflict is minimal.

        Returns `Unknown` if that is not known in time. Raises `EngineFault` if the two solvers disagree.
        """
        with self._alone("recheck", also_closed=True):
            theory = self._theory()
            return recheck_theory(theory, theory.engine(), self.budget)

    def save(self, path: str | Path) -> None:
        """Write the conversation to a file for `load`. An existing file stays until the new one is complete.

        Raises `RecordError` for values that a file cannot hold, and `InfrastructureError` if the file cannot be
        written. Raises `SessionBusy` during a turn, and `SessionError` for a `Session` about a world without a domain.
        """
        # A save waits for another one to end, since each is short.
        with self._saving, self._alone("save", also_closed=True):
            write_saved(Path(path), type(self).__name__, self.answers, self._to_save())

    def _to_save(self) -> object:
        """Return the state for the file: a dataclass of plain values."""
        raise NotImplementedError

    @classmethod
    def load(cls, path: str | Path, *args: Any, **settings: Any) -> Conversation:
        """Return the conversation in a file that the same class saved. It continues as if it had never ended.

        Raises `RecordError` with the place for a damaged or foreign file. Raises `SettingsError` if an object that the
        file only names is not given again.
        """
        raise NotImplementedError

    @contextmanager
    def _alone(self, doing: str, *, also_closed: bool = False) -> Iterator[None]:
        """Run the block alone. If it fails or is cancelled, the session gets its earlier attributes back.

        The block must replace values and not edit them, so that restoring the attributes is enough. Raises
        `SessionBusy` if another call runs. Raises `SessionClosed` on a closed session unless `also_closed` is true.
        """
        if not self._lock.acquire(blocking=False):
            raise self._busy(doing)
        before, done = dict(vars(self)), False
        self._running = doing
        try:
            if self._closed and not also_closed:
                raise SessionClosed(f"this session was closed, so {doing} is refused; make another session")
            yield
            done = True
        finally:
            if not done:
                self._put_back(before)
            self._running = ""
            self._lock.release()

    def _put_back(self, before: dict[str, Any]) -> None:
        for name in vars(self).keys() - before.keys():
            delattr(self, name)
        vars(self).update(before)

    def _busy(self, doing: str) -> SessionBusy:
        return SessionBusy(
            f"{doing} is refused, because {self._running or 'something else'} is still running on this session; "
            "nothing was changed. Await that first, or use one session for each conversation"
        )

    def _run(self, doing: str, instead: str, begin: Callable[[], Coroutine[Any, Any, Result]]) -> Result:
        """Return the result of `begin()` for code that is not asynchronous.

        Raises `SessionBusy`. In a running event loop, it raises `SessionError`, which names `instead` as the code to
        write.
        """
        if in_running_loop():
            raise SessionError(
                f"{doing} cannot wait inside of a running event loop (a notebook, a web server, an async function); "
                f"nothing was done. Write: {instead}"
            )
        if not self._face.acquire(blocking=False):
            raise self._busy(doing)
        try:
            if self._runner is None:
                self._runner = asyncio.Runner()
            return self._runner.run(begin())
        finally:
            self._face.release()

    async def aclose(self) -> None:
        """Release the model if the session opened it by name. A model object that was passed in stays open.

        A closed session refuses turns and changes, but can still be read and saved. Closing twice is harmless. Raises
        `SessionBusy` while another call runs.
        """
        with self._alone("closing", also_closed=True):
            await self._release()
            self._closed = True

    async def _release(self) -> None:
        if self._owns_model:
            await self.model.aclose()

    def close(self) -> None:
        """Call `aclose` from code that is not asynchronous."""
        self._run("close()", "await session.aclose(), or `async with` in place of `with`", self.aclose)
        runner, self._runner = self._runner, None
        if runner is not None:
            runner.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.aclose()
