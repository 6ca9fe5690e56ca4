"""A reply that is no answer is never read, and a cut reply is requested again as often as allowed."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.errors import RequestRefused
from holdtrue.language.asking import Asking, ModelReply, Prompt, ask_whole, ask_within_retries, most_voted, readable
from holdtrue.language.extract import LlmExtractor
from holdtrue.language.judgements import find_problems
from holdtrue.language.readers import UpstreamExtractor
from holdtrue.language.reading import MessageContext
from holdtrue.models.chat import Reply, Request, user
from holdtrue.record import AnswerStatus, CallRecord, ReplyKind, Usage
from holdtrue.world.answer import Unparsed
from holdtrue.world.seating import SEATING

ROW = SEATING.instance(["Ann", "Bob", "Cy"])
READ = '{"constraints": [{"type": "adjacent", "args": ["Ann", "Bob"]}]}'


@dataclass
class Thinker:
    """A model that thinks for `thoughts` tokens before it writes, and takes at most `most` tokens."""

    text: str
    thoughts: int
    kind: ReplyKind = ReplyKind.ANSWER
    most: int = 10**6
    limits: list[int] = field(default_factory=list)
    name: str = "thinker"

    async def complete(self, request: Request) -> Reply:
        self.limits.append(request.max_tokens)
        if request.max_tokens > self.most:
            raise RequestRefused("max_tokens is too large")
        if self.thoughts > request.max_tokens:
            return Reply("<think>Hm, ...", Usage(1, 10, request.max_tokens), ReplyKind.CUT)
        return Reply(f"<think>Hm.</think>{self.text}", Usage(1, 10, self.thoughts), self.kind)

    async def aclose(self) -> None:
        pass


REQUEST = Request((user("?"),), "extract", max_tokens=300)


async def test_a_cut_reply_is_asked_for_again_with_room_for_thinking() -> None:
    model, calls = Thinker("yes", 1000), list[CallRecord]()
    reply = await ask_whole(model, REQUEST, calls)
    assert reply.text.endswith("yes") and reply.reason is None
    assert model.limits == [300, 2400]
    assert [call.usage.completion_tokens for call in calls] == [300, 1000]
    note = "the model's reply was cut at 300 tokens while it was thinking, and it was asked again with 2400"
    assert [call.note for call in calls] == [note, None]


async def test_a_reply_that_is_cut_twice_says_so_and_is_not_asked_for_a_third_time() -> None:
    model, calls = Thinker("yes", 10**5), list[CallRecord]()
    reply = await ask_whole(model, REQUEST, calls)
    assert reply.reason == calls[1].note == "the model's reply was cut at 2400 tokens while it was thinking"
    assert len(calls) == 2


async def test_a_limit_that_is_refused_leaves_what_was_cut() -> None:
    model, calls = Thinker("yes", 1000, most=500), list[CallRecord]()
    reply = await ask_whole(model, REQUEST, calls)
    assert reply.reason == "the model's reply was cut at 300 tokens while it was thinking"
    assert len(calls) == 1
    assert "2400 were refused: max_tokens is too large" in (calls[0].note or "")


@pytest.mark.parametrize("kind", [ReplyKind.REFUSED, ReplyKind.FILTERED, ReplyKind.TOOL_CALL])
async def test_what_is_no_answer_is_not_read(kind: ReplyKind) -> None:
    model, calls = Thinker(READ, 5, kind), list[CallRecord]()
    reply = await ask_whole(model, REQUEST, calls)
    assert reply.text == "" and reply.reason
    assert [call.kind for call in calls] == [kind]
    assert await Asking(model).ask("judge", [user("?")]) == ""


async def test_the_reading_says_why_there_is_none() -> None:
    extraction = await LlmExtractor(Thinker(READ, 10**5)).read(
        ROW, "Ann and Bob sit next to each other.", MessageContext()
    )
    [reading] = extraction.readings
    assert reading.status == "rejected"
    assert "cut at 2400 tokens while it was thinking" in (reading.reason or "")
    published = await UpstreamExtractor(Thinker(READ, 10**5)).read(ROW, "Ann and Bob.", MessageContext())
    assert "cut at 8192 tokens while it was thinking" in (published.readings[0].reason or "")


async def test_a_model_that_thinks_reads_like_one_that_does_not() -> None:
    sentence = "Ann and Bob sit next to each other."
    slow = await LlmExtractor(Thinker(READ, 1000)).read(ROW, sentence, MessageContext())
    quick = await LlmExtractor(Thinker(READ, 5)).read(ROW, sentence, MessageContext())
    assert slow.readings == quick.readings
    assert slow.readings[0].status == "accepted"
    assert len(slow.calls) == 2 * len(quick.calls)


async def attempts(replies: list[ReplyKind], truncations: int, formats: int) -> list[str]:
    """Return the purposes of attempts with these replies; each is retried in another form unless it is refused."""
    made: list[str] = []

    async def attempt(purpose: str, prompt: Prompt) -> ReplyKind:
        made.append(purpose)
        assert prompt[-1].content.startswith("again" if purpose == "format" else "?")
        return replies[len(made) - 1]

    def format_again(replied: ReplyKind) -> Prompt | None:
        return None if replied is ReplyKind.REFUSED else [user("again")]

    await ask_within_retries(attempt, "answer", [user("?")], format_again, truncations=truncations, formats=formats)
    return made


async def test_retries_are_made_for_what_was_cut_first_and_no_more_than_are_allowed() -> None:
    cut, answer, refused = ReplyKind.CUT, ReplyKind.ANSWER, ReplyKind.REFUSED
    assert await attempts([cut, cut, cut], 1, 1) == ["answer", "truncation", "format"]
    assert await attempts([cut, refused], 2, 2) == ["answer", "truncation"]
    assert await attempts([answer, answer, answer], 2, 2) == ["answer", "format", "format"]
    assert await attempts([answer], 2, 0) == ["answer"]


def test_the_vote_is_what_was_given_most_often_and_of_equals_the_first() -> None:
    assert most_voted(["b", "a", "a", None, None, None]) == ("a", 2)
    assert most_voted(["b", "a", "a", "b"]) == ("b", 2)
    assert most_voted([None]) == (None, 0)


PLAIN = Request((user("Where does Ann sit?"),), "answer", max_tokens=1500)
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
    assert readable(reply(text, kind), PLAIN) == Unparsed(reason, AnswerStatus(status))


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
    found = readable(reply("", ReplyKind.TOOL_CALL, note), PLAIN)
    assert found == Unparsed(f"the model called a tool{named} and gave no answer")


@given(st.text(), st.sampled_from(ReplyKind))
def test_only_an_answer_s_text_is_given_and_reasons_stay_short(text: str, kind: ReplyKind) -> None:
    found = readable(reply(text, kind), PLAIN)
    assert (found == text) if kind is ReplyKind.ANSWER else isinstance(found, Unparsed)
    assert isinstance(found, str) or len(found.reason) < 250


@pytest.mark.parametrize("kind", ReplyKind)
def test_a_critique_that_is_refused_finds_nothing_and_a_cut_one_what_it_had_found(kind: ReplyKind) -> None:
    found = find_problems(ModelReply(PLAIN, reply(PROBLEMS, kind)))
    assert found == (("Ann sits on a cat",) if kind in (ReplyKind.ANSWER, ReplyKind.CUT) else ())
