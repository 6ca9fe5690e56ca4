"""Tests of proofs over unseen values: verdicts, missing values and assumptions."""

from __future__ import annotations

from typing import Any

import pytest

from holdtrue.budget import Budget
from holdtrue.guard import check_policy, compare_policies, read_policy
from holdtrue.guard.facts import Facts
from holdtrue.guard.proving import Proof, prove
from holdtrue.logic.formula import Truth
from holdtrue.logic.value_sorts import MOMENT
from holdtrue.rules.cel import read_cel
from holdtrue.rules.checker import FactKind, Scope, check_condition
from holdtrue.rules.compilation import FACTS, Env
from holdtrue.rules.type_notation import read_type
from holdtrue.rules.types import TEXT, ListOf, Record
from holdtrue.rules.values import FactKey, NotSeen
from holdtrue.solving import route
from tests.guard.shop import AMPLE

CALL = read_type(
    {
        "n": "whole 0..9",
        "wide": "whole",
        "rate": "number",
        "id": "text",
        "plan": ["free", "pro"],
        "note?": "text",
        "maybe": "whole or null",
        "two": "list of whole 0..3 up to 2",
        "many": "list of whole",
        "at": "moment",
    },
    {},
    "call",
)
THING = read_type({"n": "whole 0..9", "other": "text", "tags": "list of text"}, {}, "thing")
SCOPE = Scope({"call": CALL, "now": MOMENT, "written": ListOf(TEXT)}, {"thing": FactKind((TEXT,), THING)})
assert isinstance(CALL, Record)


def env(**seen: Any) -> Env:
    """Return surroundings in which only some arguments are seen."""
    fields = CALL.fields  # type: ignore[union-attr]
    call = {name: NotSeen(f"call.{name}", own.type, None, own.required) for name, own in fields.items()} | seen
    return {
        "call": call,
        "now": NotSeen("now", MOMENT),
        "written": NotSeen("written", ListOf(TEXT)),
        FACTS: lambda kind, keys: NotSeen(f"facts.{kind}({keys[0]!r})", THING, FactKey(kind, keys)),
    }


def proved(text: str, **seen: Any) -> Proof:
    return prove(check_condition(read_cel(text), SCOPE), env(**seen), AMPLE)


@pytest.mark.parametrize(
    ("text", "truth"),
    [
        ("call.n >= 0", "holds"),
        ("call.n > 9", "broken"),
        ("call.n > 5", "undecided"),
        ("call.n * 2 <= 18", "holds"),
        ("call.wide * call.wide >= 0", "holds"),
        ("call.plan in ['free', 'pro']", "holds"),
        ("call.plan == 'free' && call.plan == 'pro'", "broken"),
        ("size(call.two) <= 2", "holds"),
        ("size(call.many) >= 0", "holds"),
        ("size(call.many) <= 2", "undecided"),
        ("facts.thing(call.id).n <= 9", "holds"),
        ("facts.thing('x').n == facts.thing(call.id).n || call.id != 'x'", "holds"),
        ("facts.thing('x').n == facts.thing('y').n", "undecided"),
        # Errors are neither true nor false, so a value that may be absent proves nothing
        ("call.note == 'x' || call.note != 'x'", "undecided"),
        ("!has(call.note) || call.note == 'x' || call.note != 'x'", "holds"),
        ("call.maybe == null || call.maybe >= call.maybe", "holds"),
        ("call.maybe >= call.maybe", "undecided"),
        ("call.two[0] <= 3", "undecided"),
        ("size(call.two) == 0 || call.two[0] <= 3", "holds"),
        ("call.n / call.n == 1", "undecided"),
    ],
)
def test_a_proof_is_for_everything_that_may_turn_out(text: str, truth: str) -> None:
    assert proved(text).truth == truth


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("call.n > 5", ("call.n",)),
        ("call.n > 5 && call.wide > 3", ("call.n", "call.wide")),
        ("call.n > 5 || call.wide > 3 && 1 > 2", ("call.n",)),
        ("has(call.note)", ("call.note",)),
        ("call.maybe == null", ("call.maybe",)),
        ("size(call.two) == 2", ("call.two",)),
        ("call.two.exists(t, t == 3)", ("call.two", "call.two[0]", "call.two[1]")),
        ("facts.thing('a#b').n > 3", ("facts.thing('a#b').n",)),
        (
            "facts.thing(facts.thing('x').other).n > 3",
            ("facts.thing('x').other", "facts.thing(facts.thing('x').other).n"),
        ),
    ],
)
def test_what_is_missing_is_named_by_its_path(text: str, missing: tuple[str, ...]) -> None:
    assert proved(text).missing == missing


def test_the_records_that_would_settle_it_are_named_by_their_keys() -> None:
    assert proved("facts.thing('a#b').n > 3").records == (FactKey("thing", ("a#b",)),)
    found = proved("facts.thing(facts.thing('x').other).n > 3").records
    assert found == (FactKey("thing", ("x",)), FactKey("thing", (None,)))
    assert proved("call.n > 3").records == ()


@pytest.mark.parametrize(
    ("text", "assumptions"),
    [
        ("call.rate * 2 != 1.0000001", ("call.rate has 6 decimals at most",)),
        ("call.n >= 0 || call.rate > 0.5", ()),
        ("call.at.getSeconds() * 1 == call.at.getSeconds()", ()),
        ("call.rate <= 0.5 || call.rate > 0.5", ("call.rate has 6 decimals at most",)),
    ],
)
def test_what_a_proof_takes_to_be_so_is_named(text: str, assumptions: tuple[str, ...]) -> None:
    found = proved(text)
    assert found.truth == "holds"
    assert set(found.assumptions) >= set(assumptions)
    assert bool(found.assumptions) >= bool(assumptions)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("call.two[5] == 1", "it asks for what is not there"),
        ("call.n / 0 == 1", "it asks for what is not there"),
        ("call.many.sum() > 3", ""),
        ("call.id.startsWith('v')", ""),
    ],
)
def test_an_undecided_rule_has_a_reason_or_names_what_is_missing(text: str, reason: str) -> None:
    found = proved(text)
    assert found.truth == "undecided"
    assert found.reason == reason if reason else (found.reason or found.missing)


def test_what_is_settled_by_its_types_asks_no_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(route, "make_engine", None)
    assert proved("call.n == call.n").truth == "holds"
    assert proved("call.two[5] == 1").truth == "undecided"
    assert proved("call.n == 3", n=3).truth == "holds"


def test_a_condition_is_proved_only_once_its_denial_is_impossible(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def record(variables: Any, background: Any) -> Any:
        class Engine:
            def decide(self, soft: Any, budget: Budget) -> Any:
                asked.append(soft)
                from holdtrue.solving.result import Satisfiable

                return Satisfiable({})

        return Engine()

    monkeypatch.setattr(route, "make_engine", record)
    assert proved("call.n > 5").truth == "undecided"
    assert len(asked) == 2 and all(not isinstance(own[""], Truth) for own in asked)


WARD = """
policy: ward
tools:
  definitions:
    - {name: look, parameters: {properties: {bed: {type: string}}, required: [bed]}}
    - {name: admit, parameters: {properties: {bed: {type: string}}, required: [bed]}}
  reads: [look]
  writes: [admit]
  types: {"*": {bed: id of bed}}
facts:
  bed:
    key: {bed: id of bed}
    record: {free: whole 0..2, "note?": text}
    from: [{tool: look, key: {bed: call.bed}ABSENT}]
rules: [{id: r, on: admit, say: The bed is not free., hold: "HOLD"}]
"""


@pytest.mark.parametrize(
    ("hold", "unseen", "absent", "there"),
    [
        ("BED.free <= 2", "ask", "block", "allow"),
        ("has(BED.free)", "ask", "block", "allow"),
        ("!has(BED.free)", "ask", "allow", "block"),
        ("!has(BED.free) || BED.free <= 2", "allow", "allow", "allow"),
        ("[BED].all(b, has(b.free))", "ask", "block", "allow"),
        ("size([BED.free]) == 1", "ask", "block", "allow"),
        ("BED == BED", "allow", "allow", "allow"),
        ("facts.bed(call.bed == 'x' ? 'y' : call.bed).free <= 2", "ask", "block", "allow"),
    ],
)
def test_a_record_that_a_tool_may_say_not_to_exist_may_be_so(hold: str, unseen: str, absent: str, there: str) -> None:
    hold = hold.replace("BED", "facts.bed(call.bed)")
    policy = read_policy(WARD.replace("HOLD", hold).replace("ABSENT", ", absent: [null, no such bed]"))
    shown = [
        Facts.none(),
        *(policy.saw(Facts.none(), "look", {"bed": "B"}, own) for own in ("no such bed", {"free": 1})),
    ]
    decided = [policy.check("admit", {"bed": "B"}, own, mend=False).kind for own in shown]
    assert decided == [unseen, absent, there]
    assert policy.saw(Facts.none(), "look", {"bed": "B"}, None).absent
    assert not policy.saw(Facts.none(), "look", {"bed": "B"}, None, failed=True).absent
    assert ("always holds" in [own.kind for own in check_policy(policy)]) is (unseen == "allow")
    no_rule = read_policy(WARD.replace("HOLD", "true").replace("ABSENT", ", absent: [null, no such bed]"))
    assert bool(compare_policies(policy, no_rule).same) is (unseen == "allow")
    sure = read_policy(WARD.replace("HOLD", hold).replace("ABSENT", ""))
    assert sure.check("admit", {"bed": "B"}, Facts.none(), mend=False).kind == there
