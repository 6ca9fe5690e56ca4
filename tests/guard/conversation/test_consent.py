"""A yes counts for the listed call alone, and a reading counts by its confidence."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.errors import ModelError
from holdtrue.guard.conversation.utterance import Utterance
from holdtrue.guard.guard import Guard
from holdtrue.language.judgements import ConsentQuestion
from holdtrue.language.requests.operation import RequestContext, RequestReading
from holdtrue.rules.types import FLAG, TEXT, Number
from tests.guard.conversation.shop import NOW, ScriptedReader, guard, policy

FRIDAY, SATURDAY = "2026-03-06", "2026-03-07"
OTHER = "Saturday, 7 March, for 2 guests. Shall I book that?"
T = "Table.Reserve"


def call(**arguments: Any) -> dict[str, Any]:
    return {"day": FRIDAY, "guests": 4, **arguments}


class AgreeingReader(ScriptedReader):
    """A reader that takes all words for a yes, in both views or in the first alone."""

    def __init__(self, *views: bool) -> None:
        super().__init__({})
        self.views, self.questions = views, list[ConsentQuestion]()

    async def consents(self, question: ConsentQuestion, flipped: bool, calls: list[Any]) -> bool:
        self.questions.append(question)
        return self.views[flipped]


def asking(*views: bool) -> Guard:
    tools = {"consent": [{"on": T, "how": "words"}] if views else [T]}
    return Guard(policy(tools=tools), reader=AgreeingReader(*views))


async def test_a_yes_to_a_later_listing_is_none_to_an_earlier_one() -> None:
    talk = asking().conversation("c")
    first, other = await talk.check(T, call()), await talk.check(T, call(day=SATURDAY, guests=2))
    await talk.heard(assistant=first.for_user, user="Hmm, what else is there?")
    await talk.heard(assistant=other.for_user, user="yes")
    assert (await talk.check(T, call())).kind == "confirm"
    assert (await talk.check(T, call(day=SATURDAY, guests=2))).kind == "allow"


async def test_a_yes_to_two_listings_in_one_message_is_one_to_each_and_to_nothing_else() -> None:
    talk = asking().conversation("c")
    calls = [call(), call(day=SATURDAY), call(guests=9)]
    told = [(await talk.check(T, own)).for_user for own in calls]
    await talk.heard(assistant="\n- ".join(("", *told[:2])), user="yes please")
    assert [(await talk.check(T, own)).kind for own in (*calls, *calls)] == ["allow", "allow", *["confirm"] * 4]


async def test_words_are_read_twice_and_a_call_is_let_through_by_them_once() -> None:
    talk = asking(True, True).conversation("c")
    await talk.heard(assistant=OTHER, user="Yes, do that one")
    for expected in ("allow", "confirm"):
        assert (await talk.check(T, call(day=SATURDAY, guests=2))).kind == expected
        await talk.saw(T, call(day=SATURDAY, guests=2), {"booking": "B1"})
    reader = talk.guard.reader
    assert isinstance(reader, AgreeingReader) and len(reader.questions) == 2
    assert reader.questions[0] == ConsentQuestion(
        "reserve", ("day: 2026-03-07", "guests: 2"), OTHER, "Yes, do that one"
    )


@pytest.mark.parametrize(
    ("views", "said", "given"),
    [
        ((True, False), OTHER, {}),
        ((False, True), OTHER, {}),
        ((True, True), OTHER, {"guests": 3}),
        ((True, True), OTHER, {"time": "19:00"}),
        ((True, True), OTHER.replace("for 2", "not for 2"), {}),
        (
            (True, True),
            "Friday, 6 March, or Saturday, 7 March, for 2 guests. Shall I book that?",
            {"day": "2026-03-08"},
        ),
    ],
)
async def test_what_code_does_not_find_or_one_view_denies_is_no_yes(
    views: tuple[bool, bool], said: str, given: dict[str, Any]
) -> None:
    talk = asking(*views).conversation("c")
    await talk.heard(assistant=said, user="yes")
    assert (await talk.check(T, {**call(day=SATURDAY, guests=2), **given})).kind == "confirm"


@pytest.mark.parametrize(
    ("before", "later", "kind"),
    [
        ("", ("Thank you!",), "allow"),
        ("", ("Thank you!", "Is there parking?"), "confirm"),
        ("The other table is booked for Thursday. ", (), "allow"),
        ("The other table for 2 is booked for Thursday. ", (), "allow"),
        ("That is no trouble. ", (), "allow"),
        ("I cannot do this yet:\n", (), "confirm"),
    ],
)
async def test_thanks_end_no_yes_and_what_stands_before_a_listing_is_about_other_things(
    before: str, later: tuple[str, ...], kind: str
) -> None:
    talk = asking(True, True).conversation("c")
    await talk.heard(assistant=before + OTHER, user="Yes, do that one")
    for own in later:
        await talk.heard(user=own)
    assert (await talk.check(T, call(day=SATURDAY, guests=2))).kind == kind


async def test_words_that_may_be_old_are_no_yes_and_a_reader_that_fails_reads_none() -> None:
    talk = asking(True, True).conversation("c")
    await talk.heard(assistant=OTHER, user="Yes, do that one", is_latest=False)
    assert (await talk.check(T, call(day=SATURDAY, guests=2))).kind == "confirm"
    talk = asking(True).conversation("c")  # Its second view is an IndexError.
    await talk.heard(assistant=OTHER, user="Yes, do that one")
    assert (await talk.check(T, call(day=SATURDAY, guests=2))).kind == "confirm"


async def test_a_listing_tells_texts_to_their_last_letter() -> None:
    talk = asking().conversation("c")
    names = ["Rossi " * 20 + own for own in ("Ann", "Bob")]
    told = [(await talk.check(T, call(name=own))).for_user for own in names]
    assert all(name in listing for name, listing in zip(names, told, strict=True))
    await talk.heard(assistant=told[0], user="yes")
    assert [(await talk.check(T, call(name=own))).kind for own in names] == ["allow", "confirm"]


@pytest.mark.parametrize(("guests", "kind"), [(4, "allow"), (9, "confirm")])
async def test_consent_has_a_condition_and_a_way(guests: int, kind: str) -> None:
    tools = {"consent": [{"on": T, "when": "call.guests > 4", "how": "answer"}]}
    talk = guard(policy=policy(tools=tools)).conversation("c")
    decision = await talk.check(T, call(guests=guests))
    assert decision.kind == kind
    if kind == "confirm":
        await talk.heard(assistant=decision.for_user, user="yes")
        assert (await talk.check(T, call(guests=guests))).kind == "confirm"  # A listing is not enough.
        await talk.heard(user="yes", answers=decision)
        assert (await talk.check(T, call(guests=guests))).kind == "allow"


async def test_an_answer_to_one_decision_is_no_yes_to_another_call() -> None:
    talk = asking().conversation("c")
    await talk.heard(user="let me see")
    decision = await talk.check(T, call())
    await talk.heard(assistant=OTHER, user="yes", answers=decision)
    assert (await talk.check(T, call(day=SATURDAY, guests=2))).kind == "confirm"
    assert (await talk.check(T, call())).kind == "allow"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("It is with insurance.", True),
        ("Insurance is included.", True),
        ("There is no insurance.", False),
        ("Without insurance, at 6 pm.", False),
        ("Insurance: no.", False),
        ("You don't want insurance.", False),
    ],
)
def test_a_listing_says_of_a_flag_what_it_says(text: str, wanted: bool) -> None:
    said = Utterance(text, datetime.fromisoformat(NOW), "en-US")
    assert said.mentions("insurance", wanted, FLAG)
    assert not said.mentions("insurance", not wanted, FLAG)


@given(st.sampled_from(["Anne", "Rosi", "Lee Ann"]), st.text("abcdeno ", max_size=6), st.text("abcdeno", min_size=1))
def test_a_name_is_said_as_whole_words(name: str, before: str, behind: str) -> None:
    inside = Utterance(f"The driver is {before}x{name.lower()}{behind}y.", datetime.fromisoformat(NOW), "en-US")
    assert not inside.mentions("driver", name, TEXT)
    assert Utterance(f"It is {before} {name}, ok?", datetime.fromisoformat(NOW), "en-US").mentions("driver", name, TEXT)


def test_a_number_within_an_hour_is_no_number() -> None:
    said = Utterance("At 6:50 pm.", datetime.fromisoformat(NOW), "en-US")
    assert not said.mentions("price", 50, Number())
    assert Utterance("It costs \u00a350.", datetime.fromisoformat(NOW), "en-US").mentions("price", 50, Number())


@pytest.mark.parametrize(
    ("answer", "kind"), [("no, not that name", "ask"), ("what is for dinner?", "allow"), ("yes please", "allow")]
)
async def test_what_the_assistant_said_is_founded_once_the_user_heard_it_and_did_not_deny_it(
    answer: str, kind: str
) -> None:
    talk = guard({"friday for 4": {"day": FRIDAY, "guests": 4}}, policy=policy(unfounded="ask")).conversation("c")
    await talk.heard(user="friday for 4")
    await talk.heard(assistant="In the name of Rossi then.", user=answer)
    assert (await talk.check(T, call(name="Rossi"))).kind == kind


async def test_the_later_of_two_promises_holds() -> None:
    talk = guard().conversation("c")
    await talk.heard(assistant="I will reserve a table on the terrace.")
    assert (await talk.check(T, call(area="inside"))).kind == "ask"
    await talk.heard(assistant="Sorry, that is full. I will reserve a table inside.")
    assert (await talk.check(T, call(area="inside"))).kind == "allow"
    assert (await talk.check(T, call(area="terrace"))).kind == "ask"


class LateReader:
    """A reader that fails at first."""

    name = "late"

    def __init__(self) -> None:
        self.fails = True
        self.before: list[str | None] = []

    async def read_requests(self, acts: Any, message: str, context: RequestContext) -> RequestReading:
        self.before.append(context.assistant)
        if self.fails:
            raise ModelError("it is down")
        return RequestReading()


@pytest.mark.parametrize(("later", "kind"), [((), "allow"), (("thanks",), "allow"), (("hm",), "confirm")])
async def test_a_yes_that_is_read_late_counts_unless_the_user_went_on(later: tuple[str, ...], kind: str) -> None:
    reader = LateReader()
    talk = Guard(policy(tools={"consent": [T]}), reader=reader).conversation("c")
    listing = (await talk.check(T, call())).for_user
    await talk.heard(assistant=listing, user="yes please")
    for words in later:
        await talk.heard(user=words)
    assert (await talk.check(T, call())).kind == "ask"
    reader.fails = False
    assert (await talk.check(T, call())).kind == kind
    assert reader.before[-1 - len(later)] == listing
