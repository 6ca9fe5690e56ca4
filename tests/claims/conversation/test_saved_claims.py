"""Conversations about claims in files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from holdtrue.errors import RecordError, SettingsError
from holdtrue.models.chat import Request
from holdtrue_claims.conversation.claim_session import ClaimSession
from holdtrue_claims.fol.vocabulary import Entity
from holdtrue_claims.kind.method import CLAIM_PRESETS, ClaimMethod
from holdtrue_claims.kind.record import ClaimsRecord
from tests.claims.kind.world import (
    FORMULAS,
    OPTIONS,
    QUESTION,
    SENTENCES,
    VOCABULARY,
    gold,
    known,
    light,
    said,
)
from tests.conversation.saved_files import (
    Change,
    goes_on_where_loaded,
    kept_where_the_disk_is_full,
    play_steps,
    refused_where_changed,
    refused_where_cut,
)
from tests.recorder import Recorder

SAYINGS = list(FORMULAS)
PLACE = {"name": "place", "sorts": ["thing"], "distinct": True, "meaning": "", "result": "whole"}
IMPOSSIBLE = {**PLACE, "low": 3, "high": 1}
"""A function without values."""
NAMES = {
    "entities": {"things": [{"name": "Rex", "sort": "animal"}, {"name": "Tom", "sort": "animal"}]},
    "vocabulary": {
        "functions": [],
        "predicates": [{"meaning": word.meaning, "name": word.name} for word in VOCABULARY.predicates],
    },
}


def answer(request: Request) -> str:
    """An answer that hangs on all that is asked, in sentences of the world or with an option."""
    replies = {"critique": '{"ok": true, "problems": []}', "thought": '{"thought": "So."}', "rate": '{"rating": 3}'}
    dice = int(request.key("script"), 16)
    claims = [SAYINGS[dice % len(SAYINGS)], SAYINGS[dice // 100 % len(SAYINGS)]]
    return replies.get(request.purpose) or said("ABC"[dice % 3], *claims)


def model(*, learns: bool = False) -> Recorder:
    """A scripted model; one that `learns` finds all names by itself, where nobody gave them."""

    def reply(request: Request) -> str:
        if learns and request.purpose in NAMES:
            return json.dumps(NAMES[request.purpose])
        return answer(request) if request.purpose not in KNOWN else known(request)

    return Recorder(reply)


KNOWN = (
    "decompose",
    "retell",
    "judge",
    "bridge",
    "entities",
    "vocabulary",
    "formalize",
    "refine",
    "correct",
    "statement",
)


def lenient(name: str) -> ClaimMethod:
    """A method that accepts claims that are only possible."""
    method = light(name)
    return replace(method, check=replace(method.check, least_score=0.5))


def timeless(record: ClaimsRecord) -> ClaimsRecord:
    return replace(record, elapsed_s=0.0, solver_s=0.0)


async def do(session: ClaimSession, verb: str, dice: int) -> list[object]:
    """Play one step, and return its results."""
    ids, sentence = list(session.ledger.active) or ["gone"], f"{SAYINGS[dice % len(SAYINGS)]}."
    match verb:
        case "say":
            record = timeless(await session.turn(f"{sentence} What do you see?"))
            return [record, session.explain(record)]
        case "forget":
            return [timeless(await session.turn(f"Forget that {sentence[0].lower()}{sentence[1:]} And now?"))]
        case "choose":
            return [timeless(await session.turn(QUESTION, OPTIONS))]
        case "true":
            options = {"A": "True", "B": "False", "C": "Uncertain"}
            return [timeless(await session.turn("Is it so?", options, statement=sentence))]
        case "check":
            return [timeless(await session.acheck(sentence))]
        case "add":
            return [session.add(sentence)]
        case "amend":
            return [session.amend(ids[dice % len(ids)], sentence)]
        case "withdraw":
            return [session.withdraw(ids[dice % len(ids)])]
        case "explain":
            return [session.explain_ledger()]
    raise ValueError(verb)


async def play(session: ClaimSession, steps: Sequence[tuple[str, int]]) -> list[object]:
    return await play_steps(steps, lambda step: do(session, *step), lambda: dict(session.ledger.active))


STEPS = st.tuples(
    st.sampled_from(["say", "say", "forget", "choose", "true", "check", "add", "amend", "withdraw", "explain"]),
    st.integers(0, 99),
)


@given(
    st.lists(STEPS, max_size=4),
    st.lists(STEPS, min_size=1, max_size=3),
    st.sampled_from(sorted(CLAIM_PRESETS)),
    st.sampled_from(["gold", "entities", "llm"]),
    st.booleans(),
)
@example([("withdraw", 0)] * 3, [("withdraw", 0), ("amend", 0)], "verge", "gold", False)  # until nothing is left
@settings(deadline=None, max_examples=40)
async def test_a_conversation_that_was_saved_goes_on_as_one_that_was_not(
    tmp_path_factory: pytest.TempPathFactory,
    before: list[tuple[str, int]],
    after: list[tuple[str, int]],
    method: str,
    names: str,
    measure: bool,
) -> None:
    file = tmp_path_factory.mktemp("saved") / "claims.json"
    own: dict[str, Any] = {"gold": gold()} if names == "gold" else {}
    entities = [Entity("Rex", "animal"), Entity("Tom")] if names == "entities" else None
    asked = model(learns=names != "gold")
    kept = ClaimSession(SENTENCES, model=asked, method=lenient(method), entities=entities, measure=measure, **own)

    def loaded() -> ClaimSession:
        return ClaimSession.load(file, model=model(learns=names != "gold"), method=lenient(method), **own)

    await goes_on_where_loaded(file, kept, loaded, play, before, after)


def saved(tmp_path: Path, **own: Any) -> Path:
    """The file of two turns, a change since and a premise that was taken back."""
    file = tmp_path / "session.json"
    given: dict[str, Any] = {"method": "verge", "entities": [Entity("Rex", "animal"), Entity("Tom", "animal")], **own}
    given = {**given, "method": lenient(given["method"])}
    with ClaimSession(SENTENCES, model=model(learns=True), **given) as session:
        session.ask("Tom does not sleep. What do you see?")
        session.withdraw("P3")
        session.ask("Rex is a dog. Which is it?")
        session.add("Tom barks.")
        session.save(file)
    return file


def load(file: Path, **own: Any) -> ClaimSession:
    return ClaimSession.load(file, model=model(learns=True), **own)


def test_the_file_is_for_people_too(tmp_path: Path) -> None:
    data = json.loads(saved(tmp_path).read_text(encoding="utf-8"))
    assert (data["kind"], data["version"], data["answers"]) == ("holdtrue session", 7, "free text")
    assert data["premises"]["records"][1]["formula"] == "∀x (Dog(x) → Barks(x))"
    assert [event["kind"] for event in data["events"]].count("withdrawn") == 1
    assert data["history"][0][0] == "Tom does not sleep. What do you see?"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            lambda d: d.update(answers="assignments", face="Session"),
            "a conversation about assignments; use Session.load",
        ),
        (lambda d: d.update(version=5), "version: 5; this version of holdtrue reads 7"),
        (lambda d: d["premises"].update(extra=1), r"premises\.extra: this is not"),
        (lambda d: d["events"][0].update(id="P2"), r"event 1 \(added P2\): this is nothing that the context could say"),
        (
            lambda d: d["events"][5].update(id="U2.1"),
            r"event 6 \(added U2.1\): this is nothing that the user could say",
        ),
        (lambda d: d["events"][5].update(turn=4, id="U4.1"), r"event 7 .*: turn 1 comes after turn 4"),
        (lambda d: d["events"][-1].update(turn=4, id="U4.1"), "history: 2 turns, and events of turn 4"),
        (lambda d: d["events"][0].update(kind="rejected"), "event 1 .*: this is nothing that the context could say"),
        (lambda d: d["events"][0].update(source="nobody"), "event 1 .*: 'nobody' is not a valid Source"),
        (lambda d: d["events"][0].update(confidence=2.0), "event 1 .*: a confidence of 2.0 is not in 0..1"),
        (lambda d: d["events"][-1].update(because=["P9"]), "there is no commitment 'P9'"),
        (
            lambda d: withdrawn(d).update(sentence="Tom is a bat."),
            "withdrawn P3.: this is not as the events before left",
        ),
        (lambda d: withdrawn(d).update(id="P9"), "withdrawn P9.: this is not as the events before left it"),
        (
            lambda d: d["premises"]["records"][0].update(text="Rex is a cat."),
            r"records\.0: nobody said 'P1' in these words",
        ),
        (
            lambda d: d["premises"]["records"][0].update(formula="Dog(Rex"),
            "P1: 'Dog.Rex' is not written as sentences are",
        ),
        (lambda d: d["premises"]["records"][0].update(formula="all of it"), "P1: 'all of it' is not written as"),
        (
            lambda d: d["premises"]["vocabulary"].update(functions=[IMPOSSIBLE]),
            r"premises\.vocabulary\.functions\.0: no value is from 3 to 1",
        ),
        (lambda d: d.update(recorded=99), "recorded: 99 of"),
        (lambda d: d["history"][0].pop(), r"history\.0\.1: Field required"),
    ],
)
def test_a_damaged_or_foreign_file_is_refused_with_its_place(tmp_path: Path, change: Change, says: str) -> None:
    file = saved(tmp_path)
    refused_where_changed(file, change, lambda: load(file), says)


def withdrawn(data: dict[str, Any]) -> dict[str, Any]:
    """The event that takes a premise back."""
    (event,) = (event for event in data["events"] if event["kind"] == "withdrawn")
    assert isinstance(event, dict)
    return event


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_no_cut_or_changed_file_is_half_loaded(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    file = saved(tmp_path_factory.mktemp("cut"))
    refused_where_cut(data, file, lambda: load(file))


def test_a_full_disk_leaves_the_old_file(tmp_path: Path) -> None:
    file = saved(tmp_path)
    kept_where_the_disk_is_full(file, load(file))


def test_another_judge_is_given_again(tmp_path: Path) -> None:
    file = saved(tmp_path, judge=model(learns=True))
    with pytest.raises(SettingsError, match=r"claims are judged by script/recorder in this session: give it again"):
        load(file)
    assert load(file, judge=model()).judge is not None


def test_gold_logic_and_formalizers_are_given_again(tmp_path: Path) -> None:
    file = saved(tmp_path, gold=gold(), entities=None, formalizers=[model(learns=True)])
    with pytest.raises(SettingsError, match=r"session\.json: the session has gold logic: give it again, as gold="):
        load(file)
    with pytest.raises(SettingsError, match="the session's formalizers are script/recorder: give as many again"):
        load(file, gold=gold())
    other = replace(gold(), premises={**gold().premises, "P1": gold().premises["P2"]})
    with pytest.raises(RecordError, match=r"gold logic\.premises\.P1: the session is about another gold logic"):
        load(file, gold=other, formalizers=[model()])
    assert load(file, gold=gold(), formalizers=[model()]).method.name == "verge"
    with pytest.raises(SettingsError, match="the session's method is 'verge', not 'cot'; see allow_changes"):
        load(file, gold=gold(), formalizers=[model()], method="cot")
