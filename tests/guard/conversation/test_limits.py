"""Limits bind: a long message costs its length once, a decision ends in time, and the event loop goes on meanwhile."""

from __future__ import annotations

import json
import random
import threading
from typing import Any

import pytest

from holdtrue.budget import Budget
from holdtrue.guard import Guard
from holdtrue.guard.conversation.utterance import read_part
from holdtrue.guard.deciding import HowDecided, check, replay
from holdtrue.guard.decision import UNHEARD
from holdtrue.guard.facts import MOST_WRITTEN, Facts
from holdtrue.guard.judgement import listed
from holdtrue.guard.proving import prove
from holdtrue.language.requests.spans import LONGEST_TEXT, spans_in
from tests.guard.conversation.shop import policy

CALL = {"day": "2026-03-06", "guests": 4}
LATE = HowDecided(budget=Budget(0.0), mend=False)


LONG = "and so on, " * 2_000
"""It has no word that says anything."""


@pytest.mark.parametrize("size", [20_000, 2_000_000])
@pytest.mark.parametrize("words", ["so it went. ", "ORD-1 5 guests on Friday, not Ann! ", "x"])
async def test_a_long_message_is_cut_told_once_and_costs_its_length_once(words: str, size: int) -> None:
    """Its beginning and end are read; calls of its turn are asked about, later ones cost and are as before."""
    talk = Guard(policy()).conversation("c")
    text = f"Hello. {words * (size // len(words))}. A table for 5 guests on Friday please."
    await talk.heard(user=text)
    heard = await talk.heard(assistant=text)
    assert "too long" in " ".join(heard.unread)
    assert (await talk.check("Table.Reserve", CALL)).stops
    await talk.heard(user="A table for 4 guests on Friday please.")
    decision = await talk.check("Table.Reserve", CALL)
    assert UNHEARD not in [own.rule for own in decision.findings]
    assert len(json.dumps(decision.to_json(), default=str)) < 30_000


async def test_a_long_message_is_no_yes_and_takes_one_back() -> None:
    own = policy(tools={"consent": ["Table.Reserve"]})
    for reply, kind in (("Yes, please.", "allow"), (f"Yes, please. {LONG}. Yes, please.", "ask")):
        talk = Guard(own).conversation("c")
        await talk.heard(user="A table for 4 guests on Friday please.")
        decision = await talk.check("Table.Reserve", CALL)
        await talk.heard(user=reply, answers=decision)
        assert (await talk.check("Table.Reserve", CALL)).kind == kind
        if kind == "allow":
            continue
        await talk.heard(user="Is it done?")
        assert (await talk.check("Table.Reserve", CALL)).kind == "confirm"


@pytest.mark.parametrize("size", range(7_990, 8_020, 3))
def test_what_is_read_of_a_text_stands_in_it_in_whole_words_and_sentences(size: int) -> None:
    rng = random.Random(size)
    words = ["never", "refund", "ORD-77,", "it.", "Why?", "so\n", "1,200.50", "Ann!"]
    text = "".join(rng.choice(words) + " " for _ in range(size // 4))[:size]
    part = read_part(text)
    assert len(part) <= LONGEST_TEXT and (part == text) is (len(text) <= LONGEST_TEXT)
    if part != text:
        beginning, end = part.split("\n\n", 1)
        assert text.startswith(beginning) and text[len(beginning)].isspace()
        at = text.rindex(end)
        assert text.endswith(end) and text[:at].rstrip(" ")[-1] in ".?!\n"


async def test_so_many_ids_that_not_all_are_kept_leave_open_which_were_written() -> None:
    facts = Facts.none().with_words(" ".join(f"A-{place}" for place in range(MOST_WRITTEN + 1)))
    assert facts.overflows and not facts.written and facts.with_words("B-1").overflows
    own = policy(rules=[{"id": "w", "on": "Table.Reserve", "hold": "written.exists(own, own == 'A-1')", "say": "W"}])
    decision = check(own, "Table.Reserve", CALL, facts)
    assert decision.kind == "ask" and decision.coverage.undecided == ("w",)
    assert replay(own, json.loads(json.dumps(decision.to_json(), default=str))).to_json() == decision.to_json()


async def test_what_takes_long_is_done_in_another_thread_and_what_does_not_in_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    threads: dict[str, set[bool]] = {"proof": set(), "spans": set(), "quick": set()}

    def noted(name: str, work: Any) -> Any:
        def run(*args: Any, **more: Any) -> Any:
            threads[name].add(threading.current_thread() is threading.main_thread())
            return work(*args, **more)

        return run

    monkeypatch.setattr("holdtrue.guard.judgement.prove", noted("proof", prove))
    monkeypatch.setattr("holdtrue.guard.judgement.listed", noted("quick", listed))
    monkeypatch.setattr("holdtrue.guard.conversation.message_reading.spans_in", noted("spans", spans_in))
    rules = [{"id": "r", "on": "Table.Reserve", "hold": "now == now && said.vip", "say": "R"}]
    open_one = policy(rules=rules, said={"vip": {"type": "bool"}}, unsaid="unknown")
    assert (await Guard(open_one).conversation("c").check("Table.Reserve", CALL)).kind == "ask"
    asking = Guard(policy(tools={"consent": ["Table.Reserve"]})).conversation("c")
    await asking.heard(user="so it went. " * 60)
    assert (await asking.check("Table.Reserve", CALL)).kind == "confirm"
    assert threads == {"proof": {False}, "spans": {False}, "quick": {True}}


def test_rules_that_there_is_no_time_for_are_one_sentence_and_broken_ones_are_found() -> None:
    rules = [
        {"id": f"r{own}", "on": "Table.Reserve", "hold": f"said.vip || call.guests > {own}", "say": "R"}
        for own in range(5, 400)
    ]
    more = [{"id": "last", "on": "Table.Reserve", "hold": "call.guests > 100", "say": "Too few."}]
    for added, kind in (([], "ask"), (more, "block")):
        own = policy(rules=rules + added, said={"vip": {"type": "bool"}}, unsaid="unknown")
        decision = check(own, "Table.Reserve", CALL, Facts.none(), how=LATE)
        late = [each for each in decision.findings if each.by == "limit"]
        assert (decision.kind, len(late)) == (kind, 395) and len(decision.coverage.undecided) == 395
        assert decision.for_log.count("The time limit ran out") == 1 and len(decision.for_log.split("\n")) < 5
        assert len(decision.for_model) < 400 and len(decision.why) < 400


def test_rules_that_go_through_lists_stop_when_the_time_is_over() -> None:
    hold = "[1, 2, 3].all(n, n < call.guests + {})"
    rules = [{"id": f"r{own}", "on": "Table.Reserve", "hold": hold.format(own), "say": "R"} for own in range(9)]
    decision = check(
        policy(rules=rules), "Table.Reserve", CALL, Facts.none(), how=HowDecided(budget=Budget(0.0), mend=False)
    )
    assert decision.kind == "ask" and {own.by for own in decision.findings} == {"limit"}
