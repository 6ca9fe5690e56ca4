"""Every message in a request is taken in once, however an app sends its history, and a yes counts for one call."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openai import AsyncOpenAI

from holdtrue.guard.clients.history_alignment import KnownItems, aligned, digest_of
from holdtrue.guard.clients.responses_form import ResponsesForm
from holdtrue.guard.guard import Guard
from holdtrue.guard.result_forms import read_result
from tests.guard.clients.served import Calls, Raw, serving
from tests.guard.clients.test_guarded_client import ASKED, FRIDAY, RIGHT, USER, ask, chat_client
from tests.guard.conversation.shop import ScriptedReader, guard, policy

NUMBERS = {"for 4 on friday": ASKED["for 4 on friday"], "4": {"guests": 4}, "5": {"guests": 5}}
CONSENT = policy(tools={"consent": ["Table.Reserve"]})
LISTING = "Please say yes to this before it is done: reserve (day: 2026-03-06; guests: 4)."
Message = dict[str, Any]
FOUR: Calls = [("Table.Reserve", {"day": FRIDAY, "guests": 4})]


def user(text: str) -> Message:
    return {"role": "user", "content": text}


def assistant(text: str) -> Message:
    return {"role": "assistant", "content": text}


def system(text: str) -> Message:
    return {"role": "system", "content": text}


def noted(messages: Sequence[Message], turn: int) -> list[Message]:
    """Return messages with notes of the app between them, which are others in each request."""
    noted = [system(f"It is {turn} o'clock.")]
    for message in messages:
        noted += [message, {"role": "developer", "content": f"note {turn}"}]
    return noted


VIEWS: dict[str, Callable[[list[Message], int], list[Message]]] = {
    "the whole": lambda history, turn: history,
    "the whole, with notes": noted,
    "the last message": lambda history, turn: history[-1:],
    "a window of two": lambda history, turn: history[-2:],
    "a window of two, with notes": lambda history, turn: noted(history[-2:], turn),
    "a window of three": lambda history, turn: history[-3:],
    "only the user's": lambda history, turn: [each for each in history if each["role"] == "user"],
}


@pytest.mark.parametrize("view", VIEWS)
def test_a_change_of_mind_is_heard_however_the_history_is_sent(view: str) -> None:
    own = guard(NUMBERS)
    said = ["for 4 on friday", "5", "4", "5"]
    with serving([*["ok"] * 3, FOUR, "As you like."]) as served:
        client, history = chat_client(own, served.url), list[Message]()
        for turn, text in enumerate(said):
            history.append(user(text))
            answer = ask(client, *VIEWS[view](history, turn)).choices[0].message
            history.append(assistant(answer.content))
    assert own.reader.asked == said  # type: ignore[union-attr]
    assert history[-1]["content"] == "As you like."
    own.close()


def test_a_stored_conversation_hears_each_message() -> None:
    own = guard(NUMBERS)
    with serving([*["ok"] * 2, FOUR, "As you like."]) as served:
        client = chat_client(own, served.url)
        for text in ("5", "4", "5"):
            answer = client.responses.create(model="m", input=text, conversation="conv_1")
    assert own.reader.asked == ["5", "4", "5"]  # type: ignore[union-attr]
    assert answer.output_text == "As you like."
    # The provider has the call already, so that only its result is sent.
    assert [each["type"] for each in served.bodies[-1]["input"]] == ["function_call_output"]
    own.close()


def test_an_edited_message_is_heard_and_what_followed_it_is_not_heard_again() -> None:
    own = guard(NUMBERS)
    with serving(["Good.", "ok", FOUR, "As you like."]) as served:
        client = chat_client(own, served.url)
        ask(client, user("4"))
        ask(client, user("4"), assistant("Good."), user("thanks"))
        answer = ask(client, user("5"), assistant("Good."), user("thanks"))
    assert own.reader.asked == ["4", "thanks", "5"]  # type: ignore[union-attr]
    assert answer.choices[0].message.content == "As you like."
    own.close()


@pytest.mark.parametrize("view", ["the whole", "the whole, with notes", "a window of two, with notes"])
def test_a_yes_counts_for_one_call_however_often_it_is_sent(view: str) -> None:
    own = guard({}, policy=CONSENT)
    history = [user("a table"), assistant(LISTING), user("yes")]
    with serving([RIGHT, LISTING, RIGHT, RIGHT, "It is reserved already."]) as served:
        client = chat_client(own, served.url)
        ask(client, *VIEWS[view](history[:1], 0))
        said = ask(client, *VIEWS[view](history, 1)).choices[0].message
        result = {"role": "tool", "tool_call_id": said.tool_calls[0].id, "content": '{"booking": 1}'}
        again = ask(client, *VIEWS[view](history, 2), said, result).choices[0].message
    assert again.tool_calls is None
    assert own.reader.asked == ["a table", "yes"]  # type: ignore[union-attr]
    own.close()


@pytest.mark.parametrize(
    ("flags", "done"), [({}, 1), ({"isError": True}, 0), ({"is_error": True}, 0), ({"status": "error"}, 0)]
)
@pytest.mark.parametrize("alone", [False, True])
def test_a_result_that_is_sent_alone_finds_its_call_and_a_flagged_one_is_that_of_no_call(
    alone: bool, flags: Message, done: int
) -> None:
    rule = {
        "id": "once",
        "on": "Table.SendConfirmation",
        "hold": f"size(done['Table.Reserve']) == {done}",
        "say": "No.",
    }
    own = guard({}, policy=policy(rules=[rule]))
    with serving([RIGHT, "It is done."]) as served:
        client = chat_client(own, served.url)
        said = ask(client, user("a table")).choices[0].message
        result = {"role": "tool", "tool_call_id": said.tool_calls[0].id, "content": "Good.", **flags}
        ask(client, *([] if alone else [user("a table"), said]), result)
    talk = own.conversation("c")
    assert not own.run(talk.pending())
    assert "once" not in own.run(talk.check("Table.SendConfirmation", {"email": "a@b.c"})).rules
    own.close()


def test_a_flagged_output_is_a_failure_of_its_call() -> None:
    call = {"name": "f", "arguments": "{}"}
    output = {"type": "function_call_output", "call_id": "c", "output": "Good."}
    made: Message = {"type": "function_call", "call_id": "c", **call}
    for flags in ({"status": "error"}, {"isError": True}):
        _, told = ResponsesForm().history({"input": [made, {**output, **flags}]})
        assert read_result((), told.text).failed and told.call is not None and told.call.id == "c"


def test_a_request_that_is_sent_again_gives_no_second_yes() -> None:
    own = guard({}, policy=CONSENT)
    with serving([RIGHT, LISTING, RIGHT, RIGHT, "No."]) as served:
        client = chat_client(own, served.url)
        ask(client, user("a table"))
        calls = [ask(client, user("yes")).choices[0].message.tool_calls for _ in range(2)]
    assert calls[0] is not None and calls[1] is None
    own.close()


async def test_two_requests_at_once_hear_their_history_once() -> None:
    class Slow(ScriptedReader):
        async def read_requests(self, *args: Any) -> Any:
            await asyncio.sleep(0.01)
            return await super().read_requests(*args)

    own = Guard(CONSENT, reader=Slow({}))
    await own.conversation("c").check(*RIGHT[0])
    with serving([RIGHT, RIGHT, "No.", "No.", "No.", "No."]) as served:
        client: Any = own.wrap(AsyncOpenAI(api_key="none", base_url=served.url, max_retries=0), conversation="c")
        history = [assistant(LISTING), user("yes")]
        create = client.chat.completions.create
        answers = await asyncio.gather(*(create(model="m", messages=history) for _ in range(3)))
    assert sum(answer.choices[0].message.tool_calls is not None for answer in answers) == 1
    assert own.reader.asked == ["yes"]  # type: ignore[union-attr]
    await own.aclose()


def test_messages_that_can_be_read_once_are_sent_and_heard() -> None:
    own = guard(NUMBERS)
    with serving(["ok", "ok"]) as served:
        client = chat_client(own, served.url)
        client.chat.completions.create(model="m", messages=iter([USER]))
        client.responses.create(model="m", input=iter([user("5")]))
    assert [body.get("messages") or body.get("input") for body in served.bodies] == [[USER], [user("5")]]
    assert own.reader.asked == ["for 4 on friday", "5"]  # type: ignore[union-attr]
    own.close()


@pytest.mark.parametrize("part", [{"type": "custom", "custom": {"name": "q", "input": "x"}}, {"type": "magic"}, {}])
def test_calls_of_any_kind_in_a_history_are_no_fault(part: Message) -> None:
    own = guard(NUMBERS)
    said = {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", **part}]}
    with serving(["Hello."]) as served:
        answer = ask(chat_client(own, served.url), USER, said, {"role": "tool", "tool_call_id": "c1", "content": "ok"})
    assert answer.choices[0].message.content == "Hello."
    own.close()


def test_a_result_in_the_old_form_is_seen() -> None:
    own = guard(NUMBERS)
    old = {"function_call": {"name": "Table.Reserve", "arguments": f'{{"day": "{FRIDAY}", "guests": 4}}'}}
    with serving([Raw([old]), "Reserved."]) as served:
        client = chat_client(own, served.url)
        said = ask(client, USER).choices[0].message
        ask(client, USER, said, {"role": "function", "name": "Table.Reserve", "content": '{"booking": 1}'})
    state = own.run(own.conversation("c")._opened())
    assert len(state.facts.done["Table.Reserve"]) == 1 and not state.pending
    own.close()


def test_an_id_of_a_conversation_is_one_of_the_tenant_that_code_runs_for() -> None:
    own = guard(NUMBERS)
    with serving(["ok", "ok"]) as served:
        client = chat_client(own, served.url)
        with own.inside("a", "one"):
            ask(client, USER, metadata={"conversation": "b"})
            ask(client, USER, metadata={"conversation": "b", "tenant": "two"})
    assert {(each.tenant, each.conversation) for each in own.run(own.store.conversations())} == {
        ("one", "b"),
        ("two", "b"),
    }
    own.close()


WORDS = st.sampled_from(["ok", "4", "5", "yes"])
TALKS = st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=8)
"""Messages of the user with answers, in few different words, so that many are repeated."""


class Talk:
    """A conversation known by the names of its items. `heard` are the items that it has taken in, in order."""

    def __init__(self) -> None:
        self.refs: set[str] = set()
        self.heard: list[str] = []
        self._items: dict[str, str] = {}

    def item(self, who: str, text: str) -> str:
        digest = digest_of(who, text)
        self._items[digest] = f"{who}: {text}"
        return digest

    def shown(self, *items: str) -> list[str]:
        """Take in a request, and return its new items."""
        new = KnownItems.of(self.refs).new_in(items)
        self.refs |= {own.ref for own in new}
        found = [self._items[items[own.place]] for own in new]
        self.heard += found
        return found

    def answered(self, item: str) -> None:
        self.refs.add(KnownItems.of(self.refs).appended(item))


@given(TALKS, st.integers(1, 20))
def test_every_message_is_new_once_in_windows_of_any_size(turns: list[tuple[str, str]], size: int) -> None:
    talk, history = Talk(), []
    for said, answer in turns:
        history.append(talk.item("user", said))
        assert talk.shown(*history[-size:]) == [f"user: {said}"]
        assert talk.shown(*history[-size:]) == []  # a retry, before there is an answer
        history.append(talk.item("assistant", answer))
        talk.answered(history[-1])
    assert KnownItems.of(talk.refs).digests == tuple(history)


@given(st.lists(st.tuples(st.uuids(), WORDS), min_size=2, max_size=8), st.data())
def test_an_edited_message_is_new_and_so_is_the_first_wording_if_it_comes_back(
    turns: list[tuple[object, str]], data: st.DataObject
) -> None:
    talk, history = Talk(), []
    for said, answer in turns:
        history.append(talk.item("user", str(said)))
        talk.shown(*history)
        history.append(talk.item("assistant", f"{said} {answer}"))
        talk.answered(history[-1])
    place = 2 * data.draw(st.integers(0, len(turns) - 1))
    edited = [*history[:place], talk.item("user", "edited"), *history[place + 1 :]]
    assert talk.shown(*edited) == ["user: edited"]
    assert talk.shown(*edited) == []
    assert talk.shown(*history) == [f"user: {turns[place // 2][0]}"]


@given(st.lists(WORDS, max_size=12), st.lists(WORDS, max_size=12))
def test_an_alignment_pairs_equal_items_in_order(known: list[str], shown: list[str]) -> None:
    found = aligned(known, shown)
    places = [own for own in found if own is not None]
    assert len(found) == len(shown)
    assert places == sorted(set(places))
    assert all(place is None or known[place] == item for place, item in zip(found, shown, strict=True))


@given(TALKS, st.data())
def test_no_part_of_a_history_lets_an_old_message_agree_again(
    turns: list[tuple[str, str]], data: st.DataObject
) -> None:
    talk, history = Talk(), []
    for said, answer in turns:
        history.append(talk.item("user", said))
        talk.shown(*history)
        history.append(talk.item("assistant", answer))
        talk.answered(history[-1])
    kept = data.draw(st.lists(st.booleans(), min_size=len(history), max_size=len(history)))
    part = [own for own, is_kept in zip(history, kept, strict=True) if is_kept]
    known = KnownItems.of(talk.refs)
    assert not any(own.is_latest for own in known.new_in(part))
    # After the known items every item is new, and so is every item if a provider keeps the rest.
    yes = talk.item("user", "yes")
    assert [own.is_latest for own in known.new_in([*history, yes])] == [True]
    assert [own.is_latest for own in known.new_in([yes], is_continued=True)] == [True]


@given(st.lists(st.sampled_from(["yes", "no", "book it"]), min_size=1, max_size=6), st.data())
def test_a_part_of_a_history_whose_answers_differ_is_not_heard_again(said: list[str], data: st.DataObject) -> None:
    talk, history = Talk(), []
    for turn, text in enumerate(said):
        history += [talk.item("user", text), talk.item("assistant", f"answer {turn}")]
        talk.shown(*history)
    first = data.draw(st.integers(0, len(history) - 1))
    part = history[first : data.draw(st.integers(first, len(history))) + 1]
    assert len(part) == 1 or talk.shown(*part) == []


def test_asking_again_is_not_saying_it_again() -> None:
    assert aligned(["u1", "a1", "u2", "a2"], ["u1", "a1", "u2"]) == [0, 1, 2]
    assert aligned(["u1", "ok", "u2", "ok"], ["u1", "ok", "u2"]) == [0, 1, 2]
    assert aligned(["u1"], ["u1"]) == [0]
    # Nobody can tell these apart from the same words, said again after an answer.
    assert aligned(["u1", "a1"], ["u1"]) == [None]
    assert aligned(["5", "ok", "5", "ok"], ["5", "ok", "5"]) == [2, 3, None]


def test_long_histories_with_an_edit_are_aligned_quickly() -> None:
    known = [own for place in range(400) for own in (f"u{place}", "ok")]
    shown = [*known[:700], "edited", *known[701:]]
    assert aligned(known, shown).count(None) == 1
    assert aligned(["5", "ok"] * 300, ["4", *["ok", "5"] * 299]).count(None) == 1


@given(st.lists(st.tuples(*[st.integers(0, 4)] * 3, st.sampled_from("ab")), max_size=8))
def test_names_of_several_processes_that_contradict_each_other_are_read_to_an_end(
    names: list[tuple[int, int, int, str]],
) -> None:
    own = KnownItems.of(f"item {n} after {after} before {before}: {digest}" for n, after, before, digest in names)
    assert len(own.numbers) == len(own.digests) <= len(names) + 1


def test_many_equal_messages_are_aligned_in_order_without_a_long_search() -> None:
    known, shown = ["ok"] * 5_000, ["first", *["ok"] * 4_999]
    assert aligned(known, shown) == [None, *range(4_999)]
    assert aligned([*"ab"] * 2_000, ["c", *"ba" * 1_000])[:4] == [None, 1, 2, 3]
