"""How a call goes on: made, changed, left, or asked about; and a person's answer, which is bound to just that call."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from holdtrue.errors import InputError
from holdtrue.guard import Guard, SqliteStore
from holdtrue.guard.clients.call_outcomes import ending_of
from holdtrue.guard.clients.door import Door
from tests.guard.conversation.shop import FOUR_ON_FRIDAY, ScriptedReader, policy

FOUR = {"day": "2026-03-06", "guests": 4}
CONSENT = policy(tools={"consent": ["Table.Reserve"]})


def shop(own: Any = CONSENT, **settings: Any) -> Guard:
    return Guard(own, reader=ScriptedReader({}), **settings)


async def test_each_decision_has_its_outcome() -> None:
    guard = shop(policy(rules=FOUR_ON_FRIDAY, tools={"consent": ["Table.SendConfirmation"]}))
    talk = guard.conversation("c")
    found = await talk.decide("Table.Reserve", FOUR, call="c1")
    assert (found.kind, found.arguments, found.goes_on) == ("proceed", FOUR, True)
    await talk.ran(found, {"booking": "B-1"})
    five = {**FOUR, "guests": 5}
    found = await talk.decide("Table.Reserve", five, call="c2")
    assert (found.kind, found.arguments, found.for_model.splitlines()[1]) == (
        "stop",
        five,
        found.decision.for_model.splitlines()[1],
    )
    found = await talk.decide("Table.Reserve", five, call="c3", replace=True)
    assert (found.kind, found.arguments) == ("replace", FOUR)
    assert [own.id for own in await talk.pending()] == ["c3"]
    found = await talk.decide("Table.SendConfirmation", {"email": "ann@x.org"}, call="c4")
    assert found.kind == "interrupt"
    assert found.decision.outcome.kind == "interrupt"
    observed = shop(mode="observe").conversation("c")
    assert (await observed.decide("Table.Reserve", FOUR)).kind == "proceed"


async def test_an_approval_survives_a_restart_and_lets_just_its_call_through_once(tmp_path: Path) -> None:
    guard = shop(store=SqliteStore(tmp_path / "kept.db"))
    found = await guard.conversation("c", "t").decide("Table.Reserve", FOUR, call="c1")
    kept = json.dumps(found.to_interrupt())
    await guard.aclose()
    guard = shop(store=SqliteStore(tmp_path / "kept.db"))
    talk, interrupt = guard.conversation("c", "t"), json.loads(kept)
    assert (interrupt["tool"], interrupt["arguments"], interrupt["call"]) == ("Table.Reserve", FOUR, "c1")
    assert "day: 2026-03-06; guests: 4" in interrupt["say"]
    assert (await talk.decide("Table.Reserve", {**FOUR, "guests": 5}, call="c1")).kind == "interrupt"
    found = await talk.resume(interrupt, True)
    assert (found.kind, found.arguments, found.call) == ("proceed", FOUR, "c1")
    await talk.ran(found, {"booking": "B-1"})
    assert (await talk.decide("Table.Reserve", FOUR, call="c2")).kind == "interrupt"
    await guard.aclose()


@pytest.mark.parametrize("answer", [False, "no", "not yet", "yes, but for five", "Is that the terrace?"])
async def test_an_answer_that_is_no_plain_yes_lets_nothing_through(answer: Any) -> None:
    talk = shop().conversation("c")
    asked = (await talk.decide("Table.Reserve", FOUR)).to_interrupt()
    assert not (await talk.resume(asked, answer)).goes_on
    assert not (await talk.decide("Table.Reserve", FOUR)).goes_on


BENT: dict[str, tuple[dict[str, Any], str]] = {
    "another conversation": ({"conversation": "d"}, "of another conversation"),
    "another tenant": ({"tenant": "t"}, "of another conversation"),
    "another call": ({"arguments": {**FOUR, "guests": 5}}, "no decision on 'Table.Reserve' with these arguments"),
    "another tool": ({"tool": "Table.SendConfirmation"}, "no decision on"),
    "an unknown decision": ({"decision": "D999"}, "D999 is no decision"),
    "no decision": ({"decision": None}, "the JSON of outcome.to_interrupt"),
}


@pytest.mark.parametrize("bent", BENT)
async def test_a_bent_interrupt_is_refused(bent: str) -> None:
    talk = shop().conversation("c")
    asked = (await talk.decide("Table.Reserve", FOUR)).to_interrupt()
    more, why = BENT[bent]
    with pytest.raises(InputError, match=why):
        await talk.resume({**asked, **more}, True)
    with pytest.raises(InputError, match="answer: True, False or the words"):
        await talk.resume(asked, 1)  # type: ignore[arg-type]
    assert not (await talk.decide("Table.Reserve", FOUR)).goes_on


async def test_a_call_that_raised_is_failed_and_one_that_ran_out_of_time_stays_pending() -> None:
    talk = Guard(policy(limits=[{"id": "ONE", "on": "Table.Reserve", "most": 1, "say": "One."}])).conversation("c")
    found = await talk.decide("Table.Reserve", FOUR, call="c1")
    await talk.ran(found, ValueError("no table"))
    found = await talk.decide("Table.Reserve", FOUR, call="c2")
    assert found.goes_on
    await talk.ran(found, TimeoutError())
    assert [own.id for own in await talk.pending()] == ["c2"]
    assert not (await talk.decide("Table.Reserve", FOUR, call="c3")).goes_on
    assert ending_of(KeyboardInterrupt()) == "unknown"


async def test_a_yes_is_given_back_by_the_first_failure_alone_and_a_no_is_told_to_the_model() -> None:
    talk, kinds = shop().conversation("c"), list[str]()
    found = await talk.decide("Table.Reserve", FOUR, call="c0")
    refused = await talk.resume(found.to_interrupt(), "no, thanks")
    assert refused.kind == "interrupt" and refused.for_model.endswith("answered: no, thanks")
    found = await talk.resume(found.to_interrupt(), True)
    for number in range(1, 4):
        kinds.append(found.kind)
        if found.goes_on:
            await talk.ran(found, OSError("the table is gone"))
        found = await talk.decide("Table.Reserve", FOUR, call=f"c{number}")
    assert kinds == ["proceed", "proceed", "interrupt"]


async def test_what_is_no_guard_is_refused_by_name() -> None:
    policy: Any = CONSENT
    with pytest.raises(InputError, match=r"a Guard is needed, not a Policy; write Guard\(policy\)"):
        Door(policy, "c", "")
