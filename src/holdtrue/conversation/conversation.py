"""The base of all conversations: their verbs, the rule that they do one thing at a time, and a synchronous face."""

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
from holdtrue.verification.certification import certify, recheck_theory
from holdtrue.verification.explanation_results import Explained
from holdtrue.verification.ledger_theory import Theory, explain_theory

Result = TypeVar("Result")


class Conversation:
    """A conversation that is held true to what was agreed in it. A `model` that is given by name is opened here.

    Each kind of answer has a subclass: `Session`, `QuerySession`, `SearchSession`, `ClaimSession`. All have these
    verbs:

    - `turn` plays a turn; `ask` is the same for code that is not asynchronous.
    - `check` judges an answer that somebody else gives.
    - `add`, `amend` and `withdraw` change what was agreed, and return the events.
    - `explain` tells a turn's verdict in sentences.
    - `explain_ledger` says whether all that was agreed can be kept, and `certificate` proves it.
    - `save` and `load` keep the conversation in a file, but for the model, the method and the world that it is about.

    A conversation does one thing at a time. While something runs, everything else that changes the conversation, or
    asks its solver, is refused with `SessionBusy`, from any task or thread: two turns at once would both go on from
    the same state, and one would be lost. Nothing waits, because what waits inside of a turn for that turn would wait
    for ever. After an error the conversation is as it was before.
    """

    answers = "answers"
    """What its answers are, in words for errors and in files."""
    budget: Budget
    """The limits of questions to the solver, also of those about what holds."""

    def __init__(self, model: ChatModel | str) -> None:
        self._runner: asyncio.Runner | None = None
        self._lock = threading.Lock()
        self._face = threading.Lock()  # the runner's own: a second `ask` must not reach a loop that runs
        self._running = ""  # what holds the lock, in words
        self._closed = False
        self._saving = threading.Lock()
        self._owns_model = isinstance(model, str)
        self.model = open_model(model) if isinstance(model, str) else check_model(model)

    def _theory(self) -> Theory:
        """Return what holds now, as formulas; raises `SessionError` if nothing was read yet."""
        raise NotImplementedError

    def explain_ledger(self) -> Explained:
        """Explain what was agreed so far: whether all of it can be kept, what clashes, and what would mend that."""
        with self._alone("explain_ledger", also_closed=True):
            return explain_theory(self._theory(), self.budget)

    def certificate(self) -> Certificate | WitnessCertificate | NoCertificate:
        """Return for others a proof that not all that was agreed can be kept, or a witness that it can.

        `holdtrue.solving.certificate.write_certificate` writes it.
        """
        with self._alone("certificate", also_closed=True):
            theory = self._theory()
            return certify(theory, theory.engine(), self.budget)

    def recheck(self) -> Confirmed | Unknown:
        """Ask another solver whether what was agreed so far can be kept, or whether its conflict is a minimal one.

        Returns `Unknown` if that is not known in time. Raises `EngineFault` if the two solvers disagree.
        """
        with self._alone("recheck", also_closed=True):
            theory = self._theory()
            return recheck_theory(theory, theory.engine(), self.budget)

    def save(self, path: str | Path) -> None:
        """Write the conversation to a file from which `load` goes on; what is there stays until the new one is whole.

        Raises `RecordError` for what a file cannot hold, `InfrastructureError` where the disk refuses, `SessionBusy`
        during a turn, which the file would not hold, and `SessionError` for a `Session` about a world of no domain.
        """
        # Saves wait for each other: each is short, and the last one is a whole file like the first.
        with self._saving, self._alone("save", also_closed=True):
            write_saved(Path(path), type(self).__name__, self.answers, self._to_save())

    def _to_save(self) -> object:
        """Return what the file holds of this face: a dataclass of plain values."""
        raise NotImplementedError

    @classmethod
    def load(cls, path: str | Path, *args: Any, **settings: Any) -> Conversation:
        """The conversation that a file holds, by the face that saved it; it goes on as if it had never ended.

        Raises `RecordError` for a damaged or foreign file, naming the place, and `SettingsError` where what the file
        only names is not given again.
        """
        raise NotImplementedError

    @contextmanager
    def _alone(self, doing: str, *, also_closed: bool = False) -> Iterator[None]:
        """Do this and nothing else. Where it fails, or is cancelled, the session is as it was before.

        What is done puts new values in the place of old ones and edits none, so that putting the old ones back is
        enough. Raises `SessionBusy` where something else runs, `SessionClosed` unless that is `also_closed` to do.
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
        """Return the result of `begin()`, for code that is not asynchronous.

        Raises `SessionError` inside of a running event loop, where only `instead` can be written, and `SessionBusy`.
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
        """Release the model, if the session opened it by name; one that was handed in stays open.

        Nothing can be said in a closed session; what it holds can still be read and saved. Closing it twice is
        harmless. Raises `SessionBusy` while something runs.
        """
        with self._alone("closing", also_closed=True):
            await self._release()
            self._closed = True

    async def _release(self) -> None:
        if self._owns_model:
            await self.model.aclose()

    def close(self) -> None:
        """`aclose` for code that is not asynchronous."""
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
