"""Messages and tool results decide on calls, and each decision names the words that it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from holdtrue.errors import InputError
from holdtrue.guard.guard import Guard
from holdtrue.guard.policy_file import make_policy
from holdtrue.guard.store.memory import MemoryStore
from holdtrue.models.scripted import ScriptModel
from tests.guard.conversation.shop import NOW, ScriptedReader, guard, policy

FRIDAY, SATURDAY = "2026-03-06", "2026-03-07"
ASKED: Mapping[str, Mapping[str, Any]] = {
    "for 4 on friday": {"day": FRIDAY, "guests": 4},
    "saturday please": {"day": SATURDAY},
}


def call(**arguments: Any) -> dict[str, Any]:
    return {"day": FRIDAY, "guests": 4, **arguments}


async def test_a_call_that_breaks_the_users_word_is_blocked_with_the_words_and_their_turn() -> None:
    talk = guard(ASKED).conversation("c")
    await talk.heard(user="for 4 on friday")
    await talk.heard(assistant="On Friday it is.", user="saturday please")
    decision = await talk.check("Table.Reserve", call())
    assert (decision.kind, decision.disputed) == ("block", ("day",))
    (finding,) = decision.resting_on
    assert finding.origin is not None
    assert (finding.origin.turn, finding.origin.quote, finding.origin.source) == (2, "saturday please", "user")
    assert "day is 2026-03-07, in turn 2: 'saturday please'" in decision.for_model
    assert decision.mend is None and "how the user's words were read" in decision.no_mend
    assert (await talk.check("Table.Reserve", call(day=SATURDAY))).kind == "allow"


async def test_a_call_that_leaves_out_what_was_said_is_blocked() -> None:
    talk = guard({"outside, for Brandt": {"area": "terrace", "name": "Brandt"}}).conversation("c")
    await talk.heard(user="outside, for Brandt")
    decision = await talk.check("Table.Reserve", call())
    assert (decision.kind, set(decision.disputed)) == ("block", {"area", "name"})
    assert decision.mend is None


async def test_a_call_may_leave_out_what_was_said_where_it_has_that_by_default() -> None:
    talk = guard({"inside, for Brandt": {"area": "inside", "name": "Brandt"}}).conversation("c")
    await talk.heard(user="inside, for Brandt")
    assert (await talk.check("Table.Reserve", call())).disputed == ("name",)


async def test_what_the_app_committed_to_is_put_in_place() -> None:
    talk = guard().conversation("c")
    await talk.commit("Table.area", "terrace")
    await talk.commit("Table.name", "Brandt")
    decision = await talk.check("Table.Reserve", call())
    assert decision.kind == "block" and decision.mend is not None
    assert decision.mend.arguments == call(area="terrace", name="Brandt")


async def test_a_mend_keeps_the_policy_as_well_as_the_users_word() -> None:
    rules = [{"id": "small", "on": "Table.Reserve", "hold": "call.guests <= 6", "say": "Six at most."}]
    own = policy(rules=rules)
    talk = guard(ASKED, policy=own).conversation("c")
    await talk.heard(user="for 4 on friday")
    decision = await talk.check("Table.Reserve", call(day=SATURDAY, guests=4))
    assert decision.kind == "block" and decision.mend is None
    talk = guard({"for 9": {"guests": 9}}, policy=own).conversation("c")
    await talk.heard(user="for 9")
    decision = await talk.check("Table.Reserve", call(guests=9))
    assert (decision.kind, decision.rules) == ("block", ("small",))
    assert decision.mend is None and "S001" in decision.no_mend


@pytest.mark.parametrize(
    ("confidence", "kind"), [(1.0, "block"), (0.98, "block"), (0.97, "ask"), (0.8, "ask"), (0.79, "allow")]
)
async def test_a_reading_stops_a_call_as_it_is_sure(confidence: float, kind: str) -> None:
    talk = Guard(policy(), reader=ScriptedReader(ASKED, confidence=confidence)).conversation("c")
    await talk.heard(user="for 4 on friday")
    decision = await talk.check("Table.Reserve", call(guests=5))
    assert decision.kind == kind
    severities = {
        own.origin.argument: own.severity for own in decision.findings if own.status == "broken" and own.origin
    }
    assert severities == {"guests": "warn" if kind == "allow" else kind}


async def test_an_answer_to_a_question_lets_just_that_call_through_once() -> None:
    talk = Guard(policy(), reader=ScriptedReader(ASKED, confidence=0.9)).conversation("c")
    await talk.heard(user="for 4 on friday")
    decision = await talk.check("Table.Reserve", call(guests=7))
    assert decision.kind == "ask"
    await talk.heard(user="yes", answers=decision)
    assert (await talk.check("Table.Reserve", call(guests=8))).kind == "ask"
    assert (await talk.check("Table.Reserve", call(guests=7))).kind == "allow"
    assert (await talk.check("Table.Reserve", call(guests=7))).kind == "ask"


@pytest.fixture
def consenting() -> Any:
    return policy(tools={"consent": ["Table.Reserve"]})


LISTING = "Please say yes to this before it is done: reserve (day: 2026-03-06; guests: 4)."


async def test_consent_is_a_yes_to_a_listing_of_all_arguments(consenting: Any) -> None:
    talk = guard(ASKED, policy=consenting).conversation("c")
    await talk.heard(user="for 4 on friday")
    first = await talk.check("Table.Reserve", call())
    assert (first.kind, set(first.listing)) == ("confirm", {"day: 2026-03-06", "guests: 4"})
    assert first.for_user == LISTING
    await talk.heard(assistant="Shall I reserve it?", user="yes")
    assert (await talk.check("Table.Reserve", call())).kind == "confirm"  # nothing was listed
    await talk.heard(assistant=f"Great!\n\n**{LISTING}**", user="yes please")
    assert (await talk.check("Table.Reserve", call(time="19:00"))).kind == "confirm"  # that was not listed
    assert (await talk.check("Table.Reserve", call())).kind == "allow"
    await talk.saw("Table.Reserve", call(), {"booking": "B1"})
    assert (await talk.check("Table.Reserve", call())).kind == "ask"  # it was done, and nobody asked for it again
    await talk.heard(user="for 4 on friday")
    assert (await talk.check("Table.Reserve", call())).kind == "confirm"  # a yes counts once


async def test_a_yes_is_void_once_it_is_taken_back_or_something_changes(consenting: Any) -> None:
    for change in ("wait, don't book it yet", "saturday please"):
        talk = guard(ASKED, policy=consenting).conversation("c")
        await talk.heard(user="for 4 on friday")
        await talk.check("Table.Reserve", call())
        await talk.heard(assistant=LISTING, user="yes")
        await talk.heard(user=change)
        decision = await talk.check("Table.Reserve", call())
        assert decision.kind == ("confirm" if "wait" in change else "block")


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("There is parking.", "confirm"),
        (f"There is parking. {LISTING}", "confirm"),
        (f"Sure! {LISTING}", "allow"),
        (f"{LISTING} Or is there a better day?", "confirm"),
        (f"Do you want this? {LISTING}", "confirm"),
        (f"I cannot do this: {LISTING}", "confirm"),
        (LISTING.replace("4", "5"), "confirm"),
    ],
)
async def test_a_yes_is_one_to_the_listing_that_the_user_heard_last(consenting: Any, said: str, kind: str) -> None:
    talk = guard(ASKED, policy=consenting).conversation("c")
    await talk.heard(user="for 4 on friday")
    await talk.check("Table.Reserve", call())
    await talk.heard(assistant=LISTING, user="is there parking?")
    assert (await talk.check("Table.Reserve", call())).kind == "confirm"
    await talk.heard(assistant=said, user="good, then yes")
    assert (await talk.check("Table.Reserve", call())).kind == kind


async def test_an_answered_confirm_lets_the_call_through_and_again_after_it_failed(consenting: Any) -> None:
    talk = guard(ASKED, policy=consenting).conversation("c")
    await talk.heard(user="for 4 on friday")
    decision = await talk.check("Table.Reserve", call())
    await talk.heard(assistant=decision.for_user, user="ok", answers=decision)
    assert (await talk.check("Table.Reserve", call(), call="x")).kind == "allow"
    await talk.saw("Table.Reserve", call(), {"error": "no connection"}, call="x")
    assert (await talk.check("Table.Reserve", call())).kind == "allow"
    assert (await talk.check("Table.Reserve", call())).kind == "confirm"


async def test_an_unfounded_argument_is_told_or_asked_about() -> None:
    for unfounded, kind in (("tell", "allow"), ("ask", "ask")):
        talk = guard(ASKED, policy=policy(unfounded=unfounded)).conversation("c")
        await talk.heard(user="for 4 on friday")
        decision = await talk.check("Table.Reserve", call(name="Rossi"))
        assert decision.kind == kind
        assert [own.origin.argument for own in decision.findings if own.rule == "unfounded" and own.origin] == ["name"]
        await talk.saw("Table.Find", {"day": FRIDAY}, {"tables": [{"name": "Rossi"}]})
        assert (await talk.check("Table.Reserve", call(name="Rossi", area="inside"))).kind == "allow"


async def test_a_call_that_nobody_asked_for_is_asked_about_unless_the_policy_only_tells() -> None:
    for how, kind in (("unasked", "ask"), ("ask", "ask"), ("tell", "allow")):
        talk = guard(ASKED, policy=policy(unfounded=how)).conversation("c")
        await talk.heard(user="is it quiet there?")
        assert (await talk.check("Table.Reserve", call())).kind == kind
        await talk.heard(user="for 4 on friday")
        assert (await talk.check("Table.Reserve", call())).kind == "allow"


async def test_texts_that_differ_are_asked_about_and_a_model_is_asked_once_both_ways_round() -> None:
    readings = {"for Andy Brown": {"name": "Andy Brown"}}
    talk = guard(readings).conversation("c")
    await talk.heard(user="for Andy Brown")
    assert (await talk.check("Table.Reserve", call(name="andy brown"))).kind == "allow"
    assert (await talk.check("Table.Reserve", call(name="Andrew Browne"))).kind == "ask"

    model = ScriptModel(['{"same": true}', '{"same": true}'], name="scripted")
    talk = guard(readings, model=model).conversation("c")
    await talk.heard(user="for Andy Brown")
    decision = await talk.check("Table.Reserve", call(name="Andrew Browne"))
    assert decision.kind == "allow"
    assert any("taken for the same, which a model said" in own for own in decision.assumptions)
    assert (await talk.check("Table.Reserve", call(name="Andrew Browne"))).kind == "allow"  # without a further call

    model = ScriptModel(['{"same": true}', '{"same": false}'], name="scripted")
    talk = guard(readings, model=model).conversation("c")
    await talk.heard(user="for Andy Brown")
    assert (await talk.check("Table.Reserve", call(name="Andrew Browne"))).kind == "ask"

    model = ScriptModel(['{"same": false}', '{"same": false}'], name="scripted")
    talk = guard(readings, model=model).conversation("c")
    await talk.heard(user="for Andy Brown")
    assert (await talk.check("Table.Reserve", call(name="Zoe Quill"))).kind == "block"


async def test_promises_are_unmet_until_they_are_kept_and_hold_the_call() -> None:
    talk = guard().conversation("c")
    await talk.heard(assistant="I'll reserve you a table on the terrace, and I'll send you the confirmation.")
    found = [(own.kind, own.name) for own in await talk.unmet()]
    assert found == [("promise", "Table.Reserve"), ("promise", "Table.SendConfirmation")]
    decision = await talk.check("Table.Reserve", call(area="inside"))
    assert (decision.kind, decision.disputed) == ("ask", ("area",))
    assert decision.resting_on[0].origin is not None and decision.resting_on[0].origin.source == "assistant"
    await talk.check("Table.Reserve", call(area="terrace"))
    await talk.saw("Table.Reserve", call(area="terrace"), {"booking": "B1"})
    assert [own.name for own in await talk.unmet()] == ["Table.SendConfirmation"]


async def test_what_is_committed_amended_and_withdrawn_by_an_app_counts() -> None:
    talk = guard().conversation("c")
    id = await talk.commit("Table.guests", 4, quote="four of us")
    assert (await talk.check("Table.Reserve", call(guests=5))).kind == "block"
    await talk.amend(id, 5)
    (entry,) = await talk.entries()
    assert (await talk.check("Table.Reserve", call(guests=5))).kind == "allow"
    await talk.withdraw(entry.id, "they did not say it")
    assert (await talk.check("Table.Reserve", call(guests=6))).kind == "allow"
    rule = await talk.commit(rule="call.guests <= 8", on=["Table.Reserve"], say="The user wants eight at most.")
    decision = await talk.check("Table.Reserve", call(guests=9))
    assert (decision.kind, decision.rules) == ("block", (rule,))
    await talk.withdraw(rule)
    assert (await talk.check("Table.Reserve", call(guests=9))).kind == "allow"
    for wrong in (
        {"argument": "Table.colour"},
        {"rule": "call.guests +", "on": ["Table.Reserve"]},
        {},
        {"rule": "true"},
    ):
        with pytest.raises(InputError):
            await talk.commit(**wrong)
    with pytest.raises(InputError, match="nothing that holds has the id 'S999'"):
        await talk.withdraw("S999")


async def test_a_limit_of_the_user_holds_until_another_value_is_said() -> None:
    talk = guard().conversation("c")
    await talk.commit("Table.guests", 6, relation="at_most")
    assert (await talk.check("Table.Reserve", call(guests=7))).disputed == ("guests",)
    assert (await talk.check("Table.Reserve", call(guests=6))).kind == "allow"
    await talk.commit("Table.guests", 9)
    assert (await talk.check("Table.Reserve", call(guests=9))).kind == "allow"


async def test_an_override_lets_just_that_call_through_once_and_says_who_did_it() -> None:
    store = MemoryStore()
    talk = guard(ASKED, store=store).conversation("c")
    await talk.heard(user="for 4 on friday")
    blocked = await talk.check("Table.Reserve", call(guests=5))
    await talk.override(blocked, by="kim@desk", reason="agreed by phone")
    assert (await talk.check("Table.Reserve", call(guests=6))).kind == "block"
    decision = await talk.check("Table.Reserve", call(guests=5))
    assert decision.kind == "allow"
    assert "Let through by kim@desk: agreed by phone" in [own.say for own in decision.findings]
    assert (await talk.check("Table.Reserve", call(guests=5))).kind == "block"
    assert "overridden" in [own.kind for own in await store.read("", "c")]
    with pytest.raises(InputError, match="by whom"):
        await talk.override(blocked, by="", reason="")


async def test_a_decision_replays_from_its_record_and_a_conversation_from_its_events(consenting: Any) -> None:
    store = MemoryStore()
    talk = guard(ASKED, policy=consenting, store=store).conversation("c", "acme")
    await talk.heard(user="for 4 on friday")
    await talk.check("Table.Reserve", call())
    await talk.heard(assistant=LISTING, user="yes")
    decision = await talk.check("Table.Reserve", call(), call="x")
    assert consenting.replay(decision.to_json()).to_json() == decision.to_json()
    again = guard(ASKED, policy=consenting, store=store).conversation("c", "acme")
    assert (await again.check("Table.Reserve", call())).kind == "confirm"  # the yes is used up, the call is pending
    await again.saw("Table.Reserve", call(), {"error": "full"}, call="x")
    assert (await again.check("Table.Reserve", call())).kind == "allow"


async def test_tenants_and_conversations_are_told_apart() -> None:
    own = guard(ASKED)
    await own.conversation("c", "one").heard(user="for 4 on friday")
    assert (await own.conversation("c", "two").check("Table.Reserve", call(guests=5))).kind == "allow"
    assert (await own.conversation("c", "one").check("Table.Reserve", call(guests=5))).kind == "block"
    for id in ("", 5, None):
        with pytest.raises(InputError, match="the name of a conversation"):
            own.conversation(id)  # type: ignore[arg-type]


async def test_calls_are_taken_as_clients_have_them() -> None:
    talk = guard(ASKED).conversation("c")
    await talk.heard(user="for 4 on friday")
    arguments = '{"day": "2026-03-06", "guests": 5}'
    for given in (
        {"id": "call_1", "type": "function", "function": {"name": "Table.Reserve", "arguments": arguments}},
        {"type": "function_call", "call_id": "c1", "name": "Table.Reserve", "arguments": arguments},
        {"type": "tool_use", "id": "t1", "name": "Table.Reserve", "input": call(guests=5)},
        {"name": "Table.Reserve", "args": call(guests=5)},
    ):
        assert (await talk.check(given)).disputed == ("guests",)


class Odd(str):
    """A text that cannot be told, as a class of somebody else's may be."""

    def __str__(self) -> str:
        raise RuntimeError("odd")


class Failing(Mapping[str, Any]):
    """A mapping that nobody can read."""

    def __getitem__(self, key: str) -> Any:
        raise RuntimeError(key)

    def __iter__(self) -> Any:
        raise RuntimeError("iter")

    def __len__(self) -> int:
        return 1


CIRCULAR: dict[str, Any] = {"day": FRIDAY}
CIRCULAR["guests"] = CIRCULAR
BROKEN: list[Any] = [5, [], "[]", "{", b"\xff", '{"day": NaN}', CIRCULAR, Failing(), {Odd("x"): 1}, object(), iter(())]


@pytest.mark.parametrize("unknown", ["ask", "allow"])
async def test_whatever_comes_as_a_call_is_decided_on_and_stopped(unknown: str) -> None:
    talk = guard(policy=policy(unknown_tools=unknown)).conversation("c")
    for own in BROKEN:
        for given in (own, {"id": own, "function": own}, {"function": {"name": own, "arguments": own}}):
            assert isinstance(given, str) or (await talk.check(given)).stops
        assert (await talk.check("Table.Reserve", own)).kind == "block"
        is_read = isinstance(own, dict) and own is not CIRCULAR
        assert is_read or (await talk.check("nobody knows it", own)).stops


async def test_what_is_no_text_is_told() -> None:
    talk = guard().conversation("c")
    with pytest.raises(InputError, match="what the user said, what the assistant said"):
        await talk.heard()
    with pytest.raises(InputError, match="user: what was said is a text"):
        await talk.heard(user=5)  # type: ignore[arg-type]


STOCK = {
    "key": {"day": "date"},
    "record": {"free": "whole"},
    "from": [{"tool": "Table.Find", "key": {"day": "call.day"}}],
}


def shelved() -> Any:
    key = {"day": "call.day"}
    left = {"free": "facts.tables(call.day).free - 1"}
    return policy(
        facts={"tables": STOCK},
        effects=[{"on": "Table.Reserve", "fact": "tables", "key": key, "set": left}],
        rules=[{"id": "free", "on": "Table.Reserve", "hold": "facts.tables(call.day).free > 0", "say": "One is free."}],
    )


async def test_what_only_a_pending_call_breaks_waits_for_its_result() -> None:
    talk = guard(policy=shelved()).conversation("c")
    await talk.saw("Table.Find", {"day": FRIDAY}, {"free": 1})
    assert (await talk.check("Table.Reserve", call(), call="x")).kind == "allow"
    decision = await talk.check("Table.Reserve", call())
    assert (decision.kind, decision.rules) == ("ask", ("free", "pending"))
    assert "as if Table.Reserve had happened" in decision.for_model
    assert [(own.id, own.tool) for own in await talk.pending()] == [("x", "Table.Reserve")]
    await talk.saw("Table.Reserve", call(), {"error": "full"}, call="x")
    assert await talk.pending() == ()
    assert (await talk.check("Table.Reserve", call())).kind == "allow"


async def test_what_was_looked_up_in_vain_is_asked_of_a_person() -> None:
    talk = guard(policy=shelved()).conversation("c")
    decision = await talk.check("Table.Reserve", call())
    assert (decision.kind, decision.fetch[0].tool) == ("ask", "Table.Find")
    await talk.saw("Table.Find", {"day": FRIDAY}, {"error": "no such day"})
    decision = await talk.check("Table.Reserve", call())
    assert decision.kind == "ask" and decision.fetch == ()
    assert "no such day" in decision.questions[0]


async def test_an_answer_to_no_decision_is_refused_and_a_yes_to_nothing_is_none(consenting: Any) -> None:
    talk = guard(policy=consenting).conversation("c")
    with pytest.raises(InputError, match="there is no decision 'D999'"):
        await talk.heard(user="yes", answers="D999")
    assert (await talk.heard(user="Friday evening would be good")).yes is False
    decision = await talk.check("Table.Reserve", call())
    assert (await talk.heard(user="yes", answers=decision.id)).yes is True
    assert (await talk.check("Table.Reserve", call())).kind == "allow"


def test_a_policy_has_a_zone_that_there_is() -> None:
    with pytest.raises(InputError, match="zone: 'Berlin' is no place of the time zone database, such as Europe/Berlin"):
        make_policy("p", zone="Berlin")
    assert Guard(make_policy("p", zone="Europe/Berlin")).now()


async def test_what_is_not_to_be_is_amended_in_its_place() -> None:
    talk = guard().conversation("c")
    id = await talk.commit(argument="Table.name", value="Dana", relation="not")
    await talk.amend(id, "Ines")
    decision = await talk.check("Table.Reserve", {"day": FRIDAY, "guests": 2, "name": "Dana"})
    assert decision.kind == "allow"
    decision = await talk.check("Table.Reserve", {"day": FRIDAY, "guests": 2, "name": "Ines"})
    assert (decision.kind, decision.disputed) == ("block", ("name",))


async def test_what_an_app_commits_gives_way_to_nothing() -> None:
    talk = guard().conversation("c")
    await talk.commit(argument="Table.time", value="19:00", relation="at_least")
    id = await talk.commit(argument="Table.time", value="20:00", source="assistant")
    await talk.commit(argument="Table.name", value="Dana")
    await talk.amend(id, "18:00")
    given = {"day": FRIDAY, "guests": 2, "time": "18:00"}
    assert (await talk.check("Table.Reserve", {**given, "name": "Dana"})).kind == "allow"
    assert (await talk.check("Table.Reserve", {**given, "time": "20:00", "name": "Dana"})).kind == "block"
    assert (await talk.check("Table.Reserve", {**given, "name": "Ines"})).kind == "ask"


async def test_what_no_reader_of_the_guard_reads_may_have_been_said() -> None:
    said = {"names": {"type": "list of text", "ask": "Under which names?"}}
    rule = {"id": "named", "on": "Table.Reserve", "say": "The user names it.", "hold": "call.name in said.names"}
    own = policy(said=said, rules=[rule])
    call = {"day": FRIDAY, "guests": 2, "name": "Dana"}
    talk = Guard(own).conversation("c")
    await talk.heard(user="A table for 2 on Friday under the name Dana.", at=NOW)
    decision = await talk.check("Table.Reserve", call)
    assert (decision.kind, decision.rules) == ("ask", ("named",))
