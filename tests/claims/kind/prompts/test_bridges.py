from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.language.asking import Asking
from holdtrue.models.chat import Request
from holdtrue.models.scripted import ScriptModel
from holdtrue_claims.fol.syntax import Constant, Holds, Implies
from holdtrue_claims.fol.vocabulary import Entity, Predicate, Vocabulary
from holdtrue_claims.kind.prompts.bridges import MOST_BRIDGES, propose_bridges, read_bridges, with_claims

WORDS = Vocabulary((Entity("Lea", "person"),), (Predicate("Baker", ("person",), "x is a baker"),))
SOFT = {"C2": "Lea's bread is famous."}
HARD = {"C1": "Lea is a baker."}
EXTENDED = with_claims(WORDS, SOFT)


def reply(*formulas: str) -> str:
    return json.dumps({"bridges": [{"text": f"Rule {formula}.", "formula": formula} for formula in formulas]})


async def test_a_claim_stands_in_a_formula_by_its_id() -> None:
    asked: list[Request] = []

    def answering(request: Request) -> str:
        asked.append(request)
        return reply("C2 -> Baker(Lea)")

    asking = Asking(ScriptModel(answering))
    (bridge,) = await propose_bridges(asking, WORDS, SOFT, HARD)
    assert (bridge.id, bridge.text) == ("B1", "Rule C2 -> Baker(Lea).")
    assert bridge.formalization.sound
    assert bridge.formalization.sentence == Implies(Holds("C2", ()), Holds("Baker", (Constant("Lea"),)))
    prompt = asked[0].messages[-1].content
    assert "C2: Lea's bread is famous." in prompt
    assert "C1: Lea is a baker." in prompt
    assert "Baker(x): x is a baker" in prompt
    assert asked[0].purpose == "bridge"


async def test_without_soft_claims_nobody_is_asked() -> None:
    asking = Asking(ScriptModel([]))
    assert await propose_bridges(asking, WORDS, {}, HARD) == ()
    assert asking.take_calls() == ()


def test_a_rule_that_names_no_soft_claim_ties_nothing() -> None:
    found = read_bridges(reply("Baker(Lea)", "C2 -> Baker(Lea)", "C2 -> Baker(Lea)", "C22"), EXTENDED, SOFT)
    assert [(bridge.id, bridge.formalization.text) for bridge in found] == [("B1", "C2 -> Baker(Lea)")]


@pytest.mark.parametrize("formula", ["C2 -> Cook(Lea)", "C2 -> ", "C2 -> Baker(x)", "C2(Lea) -> Baker(Lea)"])
def test_formulas_that_are_no_good_have_alerts(formula: str) -> None:
    (bridge,) = read_bridges(reply(formula), EXTENDED, SOFT)
    assert not bridge.formalization.sound
    assert bridge.formalization.alerts


def test_there_are_never_too_many() -> None:
    found = read_bridges(reply(*(f"{'not ' * n}C2" for n in range(9))), EXTENDED, SOFT)
    assert [bridge.id for bridge in found] == [f"B{n}" for n in range(1, MOST_BRIDGES + 1)]


@pytest.mark.parametrize("text", ["", "none", '{"bridges": 3}', '{"bridges": [3, {"text": 1, "formula": "C2"}]}'])
def test_what_cannot_be_read_is_no_rule(text: str) -> None:
    assert read_bridges(text, EXTENDED, SOFT) == ()


def test_a_clipped_reply_keeps_its_whole_rules() -> None:
    clipped = reply("C2 -> Baker(Lea)", "not C2")[:-5]
    assert len(read_bridges(clipped, EXTENDED, SOFT)) == 1


@settings(deadline=None, max_examples=50)
@given(st.text(max_size=40))
def test_no_formula_raises(formula: str) -> None:
    found = read_bridges(reply(formula, f"C2 {formula}"), EXTENDED, SOFT)
    assert len(found) in (1, 2) and all("C2" in bridge.formalization.text for bridge in found)
    assert all(bridge.formalization.sound or bridge.formalization.alerts for bridge in found), "a fault is named"
