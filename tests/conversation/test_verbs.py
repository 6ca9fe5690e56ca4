"""Every kind of conversation has the same verbs, and each works or is refused with a clear error."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from holdtrue.conversation.conversation import Conversation
from holdtrue.conversation.query_session import QuerySession
from holdtrue.conversation.query_state import Question
from holdtrue.conversation.search_session import SearchSession
from holdtrue.conversation.session import Session
from holdtrue.errors import DomainError, InputError, RecordError
from holdtrue.kinds.labels.case import Case, Premise
from holdtrue.kinds.labels.method import find_label_method
from holdtrue.kinds.search.problem import Requirement, SearchProblem
from holdtrue.logic.formula import Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.models.scripted import ScriptModel
from holdtrue.record import AnswerStatus, Label, Satisfiability
from holdtrue.solving.certificate import Certificate, WitnessCertificate
from holdtrue.solving.recheck import Confirmed
from holdtrue_claims.conversation.claim_session import ClaimSession
from tests.claims.conversation.test_claim_session import lenient
from tests.kinds.labels.test_loop import said
from tests.kinds.search.searches import CLAIM, SOLVABLE, SOLVED, WRONG
from tests.kinds.search.searches import said as candidate
from tests.language.rota import WEEK, made

VERBS = (
    *("turn", "ask", "check", "add", "amend", "withdraw", "explain", "explain_ledger", "certificate", "recheck"),
    *("save", "load", "close", "aclose"),
)
FACES: tuple[type[Conversation], ...] = (Session, QuerySession, SearchSession, ClaimSession)


def question(id: str, day: int) -> Question:
    return Question(id, f"Ann works on day {day}.", WEEK.formula(made("on_day", "Ann", day)))


def play(session: Any, *said: Any) -> Any:
    """A turn; the loop that waits for it is closed again."""
    return asyncio.run(session.turn(*said))


def asked(*labels: str, method: str = "recency") -> QuerySession:
    """A conversation about Bob on day 2, in which queries q1, q2 ... about Ann's days were answered so."""
    premise = Premise("Bob works on day 2.", WEEK.formula(made("on_day", "Bob", 2)))
    replies = [said({f"q{day}": label}) for day, label in enumerate(labels, start=1)]
    session = QuerySession(
        Case.of(WEEK, [premise]), model=ScriptModel(replies), method=find_label_method(method), way_of_asking="one"
    )
    for day in range(1, len(labels) + 1):
        play(session, [question(f"q{day}", day)])
    return session


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("verb", VERBS)
def test_every_face_has_every_verb_with_a_sentence_about_it(face: type[Conversation], verb: str) -> None:
    assert (getattr(face, verb).__doc__ or "").strip()


def test_an_answer_is_judged_without_a_model_and_without_a_trace() -> None:
    session = Session(WEEK, model=ScriptModel([]), method="direct", extractor="templates")
    session.add("on_day", "Ann", 1)
    before = len(session.ledger.events)
    assert session.check("no answer").answer is AnswerStatus.UNPARSED
    searching = SearchSession(SOLVABLE, model=ScriptModel([]))
    assert searching.check(candidate(SOLVED)).answer is AnswerStatus.RESPECTING
    assert searching.check(candidate(WRONG)).violated
    assert searching.check(CLAIM).answer is AnswerStatus.VIOLATING
    labels = asked("ENTAILED")
    assert labels.check({"q1": Label.CONTRADICTED}).answer is AnswerStatus.RESPECTING
    assert labels.check({"q1": Label.UNKNOWN}).answer is AnswerStatus.RESPECTING
    assert labels.ledger is not None and len(labels.ledger.events) == 1
    assert len(session.ledger.events) == before
    with pytest.raises(InputError, match="no query 'q9' was asked; there are q1"):
        labels.check({"q9": Label.ENTAILED})


def test_the_user_says_labels_and_takes_them_back() -> None:
    session = asked("ENTAILED")
    (added,) = session.add(question("mine", 1), Label.ENTAILED)
    assert (added.kind, added.source) == ("restated", "user"), "q1 says the same"
    changed = session.amend("q1", question("other", 3), Label.ENTAILED)
    assert [(event.kind, event.id) for event in changed] == [("withdrawn", "q1"), ("added", "other")]
    assert session.labels["q1"] is Label.UNKNOWN and session.labels["other"] is Label.ENTAILED
    (gone,) = session.withdraw("other")
    assert (gone.kind, gone.id) == ("withdrawn", "other")
    session.model = ScriptModel([said({"q9": "UNKNOWN"})])
    record = play(session, [question("q9", 2)])
    assert [event.kind for event in record.events] == ["restated", "withdrawn", "added", "withdrawn"]
    with pytest.raises(InputError, match="was asked before"):
        session.add(question("q9", 2), Label.ENTAILED)
    with pytest.raises(InputError, match="needs the question's formula"):
        session.add(Question("bare", "Is it so?"), Label.ENTAILED)


def test_the_user_changes_what_a_search_has_to_satisfy() -> None:
    x = Variable("x", IntSort(0, 9))
    low, high = Requirement("low", "x < 5", x < 5), Requirement("high", "x > 6", x > 6)
    session = SearchSession(SearchProblem.of((x,), (low,)), model=ScriptModel([candidate({"x": 8})]))
    assert session.check(candidate({"x": 8})).violated == ("low",)
    session.add(high)
    assert session.explain_ledger().ledger is Satisfiability.UNSAT
    assert [event.kind for event in session.withdraw("low")] == ["withdrawn"]
    record = play(session)
    assert record.delivered is not None
    assert [(event.kind, event.id) for event in record.events] == [("added", "high"), ("withdrawn", "low")]
    assert [event.id for event in session.amend("high", low)] == ["high", "low"]
    with pytest.raises(InputError, match="no requirement 'high'; there are low"):
        session.withdraw("high")
    with pytest.raises(DomainError, match="there are no constraints"):
        session.withdraw("low")
    assert session.problem.constraints == (low,), "what failed changed nothing"


async def test_the_user_states_sentences_outside_of_messages() -> None:
    session, _ = lenient("Rex sleeps.", "Rex sleeps.", "Rex sleeps.")
    (added,) = session.add("Tom sleeps.")
    assert (added.id, added.source, added.sentence) == ("U0.1", "user", "Tom sleeps.")
    record = await session.turn("What do you see?")
    assert record.detail.context is not None
    assert "U0.1" in [premise.id for premise in record.detail.context.premises]
    events = session.amend("U0.1", "Tom does not sleep.")
    assert [(event.kind, event.id) for event in events] == [("amended", "U0.1"), ("added", "U1.1")]
    again = await session.turn("And now?")
    assert again.detail.context is not None
    ids = [premise.id for premise in again.detail.context.premises]
    assert "U0.1" not in ids and "U1.1" in ids
    with pytest.raises(InputError, match=r"nothing that holds has the id 'U0\.1'"):
        session.withdraw("U0.1")
    with pytest.raises(InputError, match="cannot be empty"):
        session.add(" ")
    assert session.explain_ledger().ledger is Satisfiability.SAT
    assert isinstance(session.recheck(), Confirmed)


def test_what_holds_is_explained_and_proved_in_every_kind() -> None:
    labels = asked("ENTAILED", "ENTAILED", method="none")
    explained = labels.explain_ledger()
    assert explained.ledger is Satisfiability.UNSAT
    assert set(explained.conflicts[0].ids) == {"q1", "q2"} and explained.conflicts[0].proved == "smallest"
    assert explained.correction is not None and explained.correction.minimum
    assert "Ann works on day 1." in explained.sentences[0]
    assert explained.to_json()["conflicts"][0]["constraints"][0]["sentence"] == "Ann works on day 1."
    assert isinstance(labels.certificate(), Certificate)
    assert isinstance(labels.recheck(), Confirmed)
    assert asked("ENTAILED").explain_ledger().ledger is Satisfiability.SAT
    assert isinstance(asked("ENTAILED").certificate(), WitnessCertificate)
    session = Session(WEEK, model=ScriptModel([]), method="direct", extractor="templates")
    session.add("on_day", "Ann", 1)
    assert isinstance(session.certificate(), WitnessCertificate)
    session.add("on_day", "Ann", 2)
    assert isinstance(session.certificate(), Certificate)


def test_a_verdict_is_explained_in_every_kind() -> None:
    labels = asked("ENTAILED", "ENTAILED", method="none")
    labels.model = ScriptModel([said({"q3": "ENTAILED"})])
    sentences = labels.explain(play(labels, [question("q3", 3)]))
    assert sentences[0].startswith("These cannot all be right")
    searching = SearchSession(SOLVABLE, model=ScriptModel([candidate(SOLVED)]))
    assert searching.explain(play(searching)) == ["Every constraint holds."]
    claims, _ = lenient("Rex sleeps.")
    assert any("Rex sleeps" in line for line in claims.explain(play(claims, "What do you see?")))


def about(face: type[Conversation]) -> tuple[Callable[[], Conversation], tuple[Any, ...]]:
    """Return a function that begins a conversation of this class, and the arguments of `load` besides the file."""
    if face is Session:
        return lambda: Session(WEEK, model=ScriptModel([]), extractor="templates"), (WEEK,)
    if face is QuerySession:
        return asked, (asked().case,)
    if face is SearchSession:
        return lambda: SearchSession(SOLVABLE, model=ScriptModel([])), (SOLVABLE,)
    return lambda: ClaimSession("Rex is a dog.", model=ScriptModel([])), ()


@pytest.mark.parametrize("face", FACES)
def test_every_face_is_saved_and_loaded_and_none_takes_the_file_of_another(
    face: type[Conversation], tmp_path: Path
) -> None:
    file, (begin, world) = tmp_path / "file.json", about(face)
    begin().save(file)
    loaded = face.load(file, *world, model=ScriptModel([]))
    assert type(loaded) is face
    loaded.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == file.read_bytes()
    for other in FACES:
        if other is not face:
            says = f"this file holds a conversation about {face.answers}; use {face.__name__}.load"
            with pytest.raises(RecordError, match=says):
                other.load(file, *about(other)[1], model=ScriptModel([]))
