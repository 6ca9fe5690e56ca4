"""What a verdict says of what was not read: nothing is called kept that nobody read."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.conversation import Session
from holdtrue.language.readers import TemplateExtractor
from holdtrue.models.scripted import ScriptModel
from holdtrue.record import AnswerStatus, Satisfiability, VerdictRecord
from holdtrue.verification.coverage import Coverage, Unread, coverage_of
from holdtrue.verification.words import describe
from holdtrue.world.seating import SEATING

PEOPLE = ["Ann", "Bob", "Cy"]
GOOD = json.dumps({"solution": {"Ann": 1, "Bob": 2, "Cy": 3}})
UNREAD = Unread("Zoe dislikes noise", "no known wording fits.")
WHY = "(no known wording fits this sentence)"
UNREADS = st.lists(st.builds(Unread, st.text(), st.text()), max_size=3).map(tuple)


def talk(*messages: str) -> tuple[Session, list[list[str]], list[Coverage]]:
    """A conversation whose answers are all the same, with what is said of each turn."""
    session = Session(
        SEATING, PEOPLE, model=ScriptModel(lambda _: GOOD), method="direct", extractor=TemplateExtractor()
    )
    sentences, covered = [], []
    for message in messages:
        record = asyncio.run(session.turn(message))
        sentences.append(session.explain(record))
        covered.append(coverage_of(record))
    return session, sentences, covered


def test_where_nothing_was_read_the_verdict_says_so_and_why() -> None:
    _, (sentences,), (covered,) = talk("Zoe dislikes noise.")
    assert sentences == [f'Nothing was read: "Zoe dislikes noise" {WHY}.']
    assert covered.nothing_read and not covered.complete


def test_with_nothing_said_nothing_is_kept() -> None:
    _, (sentences,), (covered,) = talk("")
    assert sentences == ["Nothing was agreed so far that could be broken."]
    assert covered.complete and not covered.nothing_read


def test_what_was_read_is_kept_and_what_was_not_stands_beside_it_also_later() -> None:
    _, sentences, covered = talk(
        "Ann must sit at position 1. Zoe dislikes noise.", "Bob must sit at position 2.", "Quite so. So."
    )
    first = f'The answer keeps every commitment that was read; not read: "Zoe dislikes noise" {WHY}.'
    assert sentences[0] == [first]
    assert sentences[1] == ["The answer keeps every commitment that was read; 1 earlier sentence was not read."]
    assert sentences[2] == [
        f'The answer keeps every commitment that was read; not read: "Quite so" {WHY}, "So" {WHY}; '
        "1 earlier sentence was not read."
    ]
    assert [(each.read, len(each.unread), each.earlier) for each in covered] == [(1, 1, 0), (1, 0, 1), (0, 2, 1)]


def test_a_broken_commitment_does_not_hide_what_was_not_read() -> None:
    _, (sentences,), _ = talk("Ann must sit at position 2. Zoe dislikes noise.")
    assert sentences == [
        'The answer breaks C001: "Ann must sit at position 2" (turn 1).',
        f'Not read: "Zoe dislikes noise" {WHY}.',
    ]


def test_a_saved_conversation_remembers_what_was_not_read(tmp_path: Path) -> None:
    session, _, _ = talk("Zoe dislikes noise.", "Ann must sit at position 1.")
    session.save(tmp_path / "session.json")
    model = ScriptModel([GOOD])
    again = Session.load(tmp_path / "session.json", session.instance, model=model, extractor=TemplateExtractor())
    record = asyncio.run(again.turn("Bob must sit at position 2."))
    assert coverage_of(record).earlier == 1
    assert again.explain(record)[0].endswith("; 1 earlier sentence was not read.")


@given(UNREADS, UNREADS, st.integers(0, 3), st.integers(0, 3), st.sampled_from(AnswerStatus))
def test_no_verdict_keeps_silent_on_what_was_not_read(
    unread: tuple[Unread, ...], doubtful: tuple[Unread, ...], earlier: int, agreed: int, status: AnswerStatus
) -> None:
    covered = Coverage(agreed, 0, unread, doubtful, earlier)
    ledger = Satisfiability.SAT
    text = " ".join(describe(VerdictRecord(ledger, status), {}, coverage=covered))
    assert ("keeps every commitment." in text) == (
        status is AnswerStatus.RESPECTING and agreed > 0 and covered.complete
    )
    assert ("The answer keeps" in text) <= (agreed > 0)
    for each in (*unread, *doubtful):
        assert str(each) in text
    if earlier:
        assert f"{earlier} earlier sentence" in text


@pytest.mark.parametrize("count", [1, 2])
def test_coverage_is_plain_json(count: int) -> None:
    covered = Coverage(2, 1, (UNREAD,) * count, (), 4)
    assert json.loads(json.dumps(covered.to_json())) == {
        "agreed": 2,
        "read": 1,
        "unread": [{"sentence": UNREAD.sentence, "reason": UNREAD.reason}] * count,
        "doubtful": [],
        "earlier_unread": 4,
    }
