"""A conversation does one thing at a time, a failure changes nothing, and closing is final."""

from __future__ import annotations

import asyncio
import gc
import json
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.conversation import Session
from holdtrue.conversation.query_session import QuerySession
from holdtrue.conversation.query_state import Question
from holdtrue.conversation.search_session import SearchSession
from holdtrue.errors import InputError, SessionBusy, SessionClosed, SessionError, SettingsError
from holdtrue.kinds.labels.case import Case, Premise
from holdtrue.kinds.search.problem import Requirement, SearchProblem
from holdtrue.language.reading import Extraction
from holdtrue.ledger.approval import APPROVE, Decision, Retraction
from holdtrue.ledger.ledger import Ledger
from holdtrue.logic.formula import Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.models.chat import Reply, Request
from holdtrue.models.scripted import ScriptModel
from holdtrue.record import Label, Usage
from holdtrue.world.instance import Constraint
from holdtrue_claims.conversation.claim_session import ClaimSession
from tests.language.rota import WEEK, made

GOOD = json.dumps({"solution": {"Ann": 1, "Bob": 2, "Cy": 3, "Dee": 4}})
X = Variable("x", IntSort(0, 9))
ONE = SearchProblem.of((X,), (Requirement("c1", "x = 3", X.eq(3)),))


class WaitingModel:
    """A model that answers after `go` is set, and counts the calls that reached it."""

    name = "held"

    def __init__(self) -> None:
        self.asked = 0
        self.reached = asyncio.Event()
        self.go = asyncio.Event()

    async def complete(self, request: Request) -> Reply:
        self.asked += 1
        self.reached.set()
        await self.go.wait()
        return Reply(GOOD, Usage(1, 1, 1))

    async def aclose(self) -> None:
        """Do nothing."""


def rota(model: Any) -> Session:
    return Session(WEEK, model=model, method="direct", extractor="templates")


def queries(model: Any, **given: Any) -> QuerySession:
    premise = WEEK.formula(made("on_day", "Ann", 1))
    return QuerySession(Case.of(WEEK, [Premise("Ann works on day 1", premise)]), model=model, **given)


def search(model: Any) -> SearchSession:
    return SearchSession(ONE, model=model, method="cd_vgs")


def claims(model: Any) -> ClaimSession:
    return ClaimSession("Ann is tall.", model=model, method="direct", measure=False)


def question(id: str = "q1") -> Question:
    return Question(id, "Does Ann work on day 1?", WEEK.formula(made("on_day", "Ann", 1)), "Ann works on day 1")


# For each kind of session: how it is opened, how it plays a turn, and the calls that a running turn forbids.
Play = Callable[[Any], Coroutine[Any, Any, Any]]
Change = Callable[[Any], Any]
SESSIONS: dict[str, tuple[Callable[[Any], Any], Play, list[Change]]] = {
    "Session": (
        rota,
        lambda s: s.turn("Ann works on day 1."),
        [
            lambda s: s.add("on_day", "Bob", 2),
            lambda s: s.amend("C001", "on_day", "Bob", 2),
            lambda s: s.withdraw("C001"),
            lambda s: s.check("{}"),
            lambda s: s.explain_ledger(),
            lambda s: s.certificate(),
            lambda s: s.recheck(),
            lambda s: s.save("/nonexistent/never.json"),
        ],
    ),
    "QuerySession": (
        queries,
        lambda s: s.turn([question()]),
        [
            lambda s: s.check({}),
            lambda s: s.add(question("q2"), Label.ENTAILED),
            lambda s: s.amend("q1", question("q2"), Label.ENTAILED),
            lambda s: s.withdraw("q1"),
            lambda s: s.explain_ledger(),
            lambda s: s.certificate(),
            lambda s: s.recheck(),
        ],
    ),
    "SearchSession": (
        search,
        lambda s: s.turn(),
        [
            lambda s: s.check("{}"),
            lambda s: s.add(ONE.constraints[0]),
            lambda s: s.amend("c1", ONE.constraints[0]),
            lambda s: s.withdraw("c1"),
            lambda s: s.explain_ledger(),
            lambda s: s.certificate(),
            lambda s: s.recheck(),
        ],
    ),
    "ClaimSession": (
        claims,
        lambda s: s.turn("Is Ann tall?"),
        [
            lambda s: s.add("Bob is tall."),
            lambda s: s.amend("P1", "Bob is tall."),
            lambda s: s.withdraw("P1"),
            lambda s: s.explain_ledger(),
            lambda s: s.certificate(),
            lambda s: s.recheck(),
        ],
    ),
}
KINDS = sorted(SESSIONS)


def state(session: Any) -> dict[str, Any]:
    """All that a session keeps."""
    return {name: value for name, value in vars(session).items() if name not in ("_runner", "_lock", "_face")}


@pytest.mark.parametrize("kind", KINDS)
async def test_a_second_turn_and_every_change_are_refused_while_a_turn_runs(kind: str) -> None:
    opening, play, changes = SESSIONS[kind]
    model = WaitingModel()
    session = opening(model)
    first = asyncio.ensure_future(play(session))
    await model.reached.wait()
    before = state(session)
    with pytest.raises(SessionBusy, match=r"is still running on this session.*one session for each conversation"):
        await play(session)
    for change in changes:
        with pytest.raises(SessionBusy, match=r"because a (turn|trial) is still running"):
            change(session)
    with pytest.raises(SessionBusy, match="closing is refused"):
        await session.aclose()
    assert state(session) == before
    asked = model.asked
    model.go.set()
    record = await first
    assert record.turn == 1 and asked == 1
    await play(session) if kind != "QuerySession" else await session.turn([question("q2")])


@pytest.mark.parametrize("kind", KINDS)
async def test_a_turn_that_fails_at_its_end_leaves_the_session_as_it_was(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    opening, play, _ = SESSIONS[kind]
    session = opening(ScriptModel(lambda request: GOOD))
    before = state(session)
    with monkeypatch.context() as patched:
        patched.setattr(type(session), "_record", fail)
        with pytest.raises(ZeroDivisionError):
            await play(session)
    assert state(session) == before
    assert (await play(session)).turn == 1


def fail(*args: object, **more: object) -> None:
    raise ZeroDivisionError


def test_another_thread_is_refused_too() -> None:
    reached, go = threading.Event(), threading.Event()

    class Slow(WaitingModel):
        async def complete(self, request: Request) -> Reply:
            reached.set()
            await asyncio.to_thread(go.wait)
            return Reply(GOOD, Usage(1, 1, 1))

    session = rota(Slow())
    done: list[Any] = []
    thread = threading.Thread(target=lambda: done.append(session.ask("Ann works on day 1.")))
    thread.start()
    try:
        assert reached.wait(60)
        with pytest.raises(SessionBusy, match="a turn is still running"):
            session.ask("Ann works on day 1.")
        with pytest.raises(SessionBusy):
            asyncio.run(session.turn("Ann works on day 1."))
        with pytest.raises(SessionBusy):
            session.withdraw("C001")
        with pytest.raises(SessionBusy):
            session.close()
    finally:
        go.set()
        thread.join(60)
    assert [record.turn for record in done] == [1]
    session.close()


@given(st.data())
def test_no_interleaving_loses_a_commitment(data: st.DataObject) -> None:
    """Turns, changes and cancellations come in any order. The ledger has exactly the accepted and completed ones."""

    async def scenario() -> None:
        model = WaitingModel()
        session = rota(model)
        agreed: set[Constraint] = set()
        running: tuple[asyncio.Task[Any], Constraint] | None = None
        steps = st.sampled_from(["turn", "add", "withdraw", "finish", "cancel"])
        for step in data.draw(st.lists(steps, max_size=12)):
            who = data.draw(st.sampled_from(["Ann", "Bob", "Cy", "Dee"]))
            one = made("on_day", who, 1 + len(session.ledger.known) % 5)
            if step == "turn":
                model.reached.clear()
                task = asyncio.ensure_future(session.turn(f"{one.args[0]} works on day {one.args[1]}."))
                if running is None:
                    model.go.clear()
                    await model.reached.wait()
                    running = task, one
                else:
                    with pytest.raises(SessionBusy):
                        await task
            elif step == "add":
                with refused_if(running is not None):
                    session.add(one.type, *one.args)
                    agreed.add(one)
            elif step == "withdraw" and session.ledger.active:
                first = next(iter(session.ledger.active.values()))
                with refused_if(running is not None):
                    session.withdraw(first.id)
                    agreed.discard(first.constraint)
            elif running is not None:
                task, said = running
                running = None
                if step == "finish":
                    model.go.set()
                    await task
                    agreed.add(said)
                else:
                    task.cancel()
                    with pytest.raises(asyncio.CancelledError):
                        await task
            assert {one.constraint for one in session.ledger.active.values()} == agreed
        if running is not None:
            model.go.set()
            await running[0]
            agreed.add(running[1])
        assert {one.constraint for one in session.ledger.active.values()} == agreed
        # Every event is in the record of some turn, or waits for the next one.
        model.go.set()
        record = await session.turn("Thank you")
        assert len(record.holds) == len(agreed)

    asyncio.run(scenario())


@contextmanager
def refused_if(busy: bool) -> Iterator[None]:
    if busy:
        with pytest.raises(SessionBusy):
            yield
    else:
        yield


async def test_what_is_asked_for_approval_cannot_ask_on() -> None:
    """A callback inside a turn is refused like any other call, and does not wait for ever."""
    seen: list[str] = []

    def approve(retraction: Retraction) -> Decision:
        with pytest.raises(SessionError):
            session.ask([question("q9")])
        seen.append(retraction.belief.id)
        return APPROVE

    labels = iter(['{"q1": {"answer": "CONTRADICTED"}}', '{"q2": {"answer": "ENTAILED"}}'])
    session = queries(ScriptModel(lambda request: next(labels)), approve=approve, method="maxsat_repair")
    await session.turn([question("q1")])
    await session.turn([question("q2")])
    assert len(session._turns) == 2


@pytest.mark.parametrize(
    ("kind", "call", "instead"),
    [
        ("Session", lambda s: s.ask("Hello"), "await session.turn(message)"),
        ("QuerySession", lambda s: s.ask([question()]), "await session.turn(questions)"),
        ("SearchSession", lambda s: s.ask(), "await session.turn()"),
        ("ClaimSession", lambda s: s.ask("Hello?"), "await session.turn(message)"),
        ("ClaimSession", lambda s: s.check("Yes."), "await session.acheck(answer)"),
        ("Session", lambda s: s.close(), "await session.aclose()"),
    ],
)
async def test_inside_of_a_running_loop_the_error_says_what_to_write(kind: str, call: Change, instead: str) -> None:
    session = SESSIONS[kind][0](ScriptModel([]))
    with pytest.raises(SessionError, match="running event loop") as raised:
        call(session)
    assert instead in str(raised.value)
    gc.collect()  # a coroutine that was never awaited would warn here, and warnings are errors


@pytest.mark.parametrize("kind", KINDS)
async def test_a_closed_session_refuses_in_words(kind: str) -> None:
    opening, play, changes = SESSIONS[kind]
    async with opening(WaitingModel()) as session:
        pass
    with pytest.raises(SessionClosed, match="this session was closed"):
        await play(session)
    for change in changes[:3] if kind == "Session" else ():
        with pytest.raises(SessionClosed):
            change(session)
    await session.aclose()


def test_what_a_closed_session_holds_can_still_be_saved(tmp_path: Path) -> None:
    with rota(ScriptModel([GOOD])) as session:
        session.ask("Ann works on day 1.")
    assert "Ann: day 1 (settled)" in session.explain_ledger().sentences
    session.save(tmp_path / "rota.json")
    again = Session.load(tmp_path / "rota.json", WEEK, model=ScriptModel([GOOD]))
    assert list(again.ledger.active) == ["C001"]
    session.close()


def test_a_change_that_fails_half_way_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    session = rota(ScriptModel([]))
    session.add("on_day", "Ann", 1)
    events = list(session.ledger.events)
    monkeypatch.setattr(Ledger, "enter", fail)  # the old commitment is already withdrawn by then
    with pytest.raises(ZeroDivisionError):
        session.amend("C001", "on_day", "Bob", 2)
    assert session.ledger.events == events and list(session.ledger.active) == ["C001"]


class Client:
    """An object that only resembles a model."""

    name = "client"

    def chat(self) -> None:
        """Nothing."""


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (Client(), r"model is an object of the class .*Client, without complete\(\) and aclose\(\)"),
        (ScriptModel, r"model is the class .*ScriptModel itself; make an object of it: ScriptModel\(\.\.\.\)"),
        (len, "model is the function len, without"),
        (None, "model is None, without"),
        (7, "model is 7, without"),
    ],
)
def test_what_is_no_model_is_refused_at_once(model: Any, words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        rota(model)


def test_a_client_of_a_server_is_refused_with_what_to_write() -> None:
    openai = pytest.importorskip("openai")
    with pytest.raises(SettingsError, match='model="openai/NAME"'):
        rota(openai.AsyncOpenAI(api_key="none", base_url="http://127.0.0.1:9"))


def anyhow(kind: Any, *given: Any, **settings: Any) -> Any:
    """Make a session with arguments that its types forbid."""
    return kind(*given, **settings)


@pytest.mark.parametrize(
    ("opening", "words"),
    [
        (lambda m: anyhow(Session, WEEK, model=m, extractor=Client()), r"extractor is .*Client, without read\(\)"),
        (lambda m: anyhow(Session, WEEK, model=m, extractor=print), "extractor is the function print"),
        (lambda m: anyhow(Session, WEEK, model=m, method=3), r'method is 3; needed is "NAME" or Method\(\.\.\.\)'),
        (lambda m: anyhow(Session, WEEK, model=m, method=search(m).method), "method is an object of .*SearchMethod"),
        (lambda m: anyhow(Session, WEEK, model=m, budget=5), r"budget is 5; needed is Budget\(\.\.\.\)"),
        (
            lambda m: anyhow(Session, WEEK, model=m, sampling={"seed": 1}),
            "sampling is an object of the class builtins.dict",
        ),
        (lambda m: anyhow(Session, Path("a.json"), model=m), "domain is an object of .*Path; needed is a name such as"),
        (lambda m: anyhow(Session, None, model=m), "domain is None"),
        (lambda m: queries(m, budget=5), "budget is 5"),
        (lambda m: queries(m, method=print), "method is the function print"),
        (lambda m: queries(m, approve=True), "approve is a function of a Retraction"),
        (lambda m: queries(m, way_of_asking="each"), "unknown way_of_asking 'each'; there are one and bundle"),
        (lambda m: anyhow(QuerySession, WEEK, model=m), r"case is .*Instance; needed is Case\(\.\.\.\)"),
        (lambda m: anyhow(SearchSession, [X.eq(3)], model=m), "problem is an object of the class builtins.list"),
        (lambda m: anyhow(SearchSession, ONE, model=m, limits=4), "limits is 4"),
        (lambda m: anyhow(SearchSession, ONE, model=m, method=3), "method is 3"),
        (lambda m: anyhow(ClaimSession, 7, model=m), "the context is a text or a list of texts, not 7"),
        (lambda m: anyhow(ClaimSession, ["It rains.", 7], model=m), "one of them is 7"),
        (lambda m: anyhow(ClaimSession, "It rains.", model=m, formalizers=[Client()]), "a formalizer is"),
        (lambda m: anyhow(ClaimSession, "It rains.", model=m, formalizers=m), "formalizers are a list of models"),
        (lambda m: anyhow(ClaimSession, "It rains.", model=m, method=3), "method is 3"),
        (lambda m: anyhow(ClaimSession, "It rains.", model=m, budget=3), "budget is 3"),
        (lambda m: anyhow(ClaimSession, "It rains.", model=m, entities=["Ann"]), "each of the entities is 'Ann'"),
    ],
)
def test_settings_of_the_wrong_kind_are_refused_at_once(opening: Change, words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        opening(ScriptModel([]))


@pytest.mark.parametrize("id", [["C001"], None, 1])
def test_an_id_is_a_text(id: Any) -> None:
    words = f"is a text, not {'an object' if isinstance(id, list) else id}"
    changes: list[Callable[[], Any]] = [
        lambda: rota(ScriptModel([])).withdraw(id),
        lambda: rota(ScriptModel([])).amend(id, "on_day", "Ann", 1),
    ]
    for change in changes:
        with pytest.raises(InputError, match=f"the id of a commitment {words}"):
            change()
    with pytest.raises(InputError, match=f"the id of what was said {words}"):
        claims(ScriptModel([])).withdraw(id)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"stated": "It rains."}, r"stated is a list of sentences: stated=\['It rains.'\]"),
        ({"stated": [5]}, "the stated sentence is a text, not 5"),
        ({"options": ["yes", "no"]}, "the options are texts by their letters, such as {'A': '...'}, not"),
        ({"options": {"A": 1}}, "the options are texts by their letters"),
        ({"statement": 5}, "the statement is a text, not 5"),
    ],
)
def test_what_a_message_about_claims_brings_along_is_checked(more: dict[str, Any], words: str) -> None:
    with claims(ScriptModel([])) as session, pytest.raises(InputError, match=words):
        session.ask("Is Ann tall?", **more)


class Reading:
    """A reader that returns the given object."""

    name = "own"

    def __init__(self, given: Any = None) -> None:
        self.given = given

    async def read(self, world: Any, message: str, context: Any) -> Any:
        return self.given


@pytest.mark.parametrize("given", [None, [], "Ann works on day 1", Extraction(("Ann",))])  # type: ignore[arg-type]
async def test_a_reader_that_gives_no_readings_is_told_in_words_and_nothing_is_changed(given: Any) -> None:
    session = anyhow(Session, WEEK, model=ScriptModel([GOOD]), extractor=Reading(given))
    before = state(session)
    with pytest.raises(SettingsError, match=r"own: read\(\) must give an Extraction\(\(Reading\(...\), ...\)\), not"):
        await session.turn("Ann works on day 1.")
    assert state(session) == before
