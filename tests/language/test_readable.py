"""Which replies may be read as answers, and what is said of the others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.language.asking import ModelReply, readable
from holdtrue.language.judgements import find_problems
from holdtrue.models.chat import Reply, Request, user
from holdtrue.record import AnswerStatus, ReplyKind, Usage
from holdtrue.world.answer import Unparsed

REQUEST = Request((user("Where does Ann sit?"),), "answer", max_tokens=1500)
DRAFT = '{"solution": {"Ann": 1}}'
PROBLEMS = '{"ok": false, "problems": ["Ann sits on a cat"]}'


def reply(text: str, kind: ReplyKind, note: str | None = None) -> Reply:
    return Reply(text, Usage(1, 1, 1), kind, note)


@pytest.mark.parametrize(
    ("kind", "text", "status", "reason"),
    [
        (ReplyKind.CUT, DRAFT, "unparsed", "the reply was cut at the limit of 1,500 tokens"),
        (ReplyKind.REFUSED, "I can't  help\nwith that.", "refused", "the model refused: I can't help with that"),
        (ReplyKind.REFUSED, " ", "refused", "the model refused, and said nothing more"),
        (ReplyKind.FILTERED, DRAFT, "refused", "a content filter held the reply back, or a part of it"),
        (ReplyKind.TOOL_CALL, DRAFT, "unparsed", "the model called a tool and gave no answer"),
    ],
)
def test_what_is_no_answer_is_never_read_and_says_why(kind: ReplyKind, text: str, status: str, reason: str) -> None:
    assert readable(reply(text, kind), REQUEST) == Unparsed(reason, AnswerStatus(status))


@pytest.mark.parametrize(
    ("note", "named"),
    [
        ("book_table", " (book_table)"),
        ("the model calls the tool 'book_table' in place of answering", " (book_table)"),
        ("the model calls the tool 'book', the tool \"pay\" in place of answering", " (book, pay)"),
        ("the limit was raised to 4,096 tokens", ""),
    ],
)
def test_the_tool_that_was_called_is_named(note: str, named: str) -> None:
    found = readable(reply("", ReplyKind.TOOL_CALL, note), REQUEST)
    assert found == Unparsed(f"the model called a tool{named} and gave no answer")


@given(st.text(), st.sampled_from(ReplyKind))
def test_only_an_answer_s_text_is_given_and_reasons_stay_short(text: str, kind: ReplyKind) -> None:
    found = readable(reply(text, kind), REQUEST)
    assert (found == text) if kind is ReplyKind.ANSWER else isinstance(found, Unparsed)
    assert isinstance(found, str) or len(found.reason) < 250


@pytest.mark.parametrize("kind", ReplyKind)
def test_a_critique_that_is_refused_finds_nothing_and_a_cut_one_what_it_had_found(kind: ReplyKind) -> None:
    found = find_problems(ModelReply(REQUEST, reply(PROBLEMS, kind)))
    assert found == (("Ann sits on a cat",) if kind in (ReplyKind.ANSWER, ReplyKind.CUT) else ())
