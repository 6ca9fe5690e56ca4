"""Tests that missing facts are fetched or asked about, and that an obedient agent comes to an end."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from holdtrue.guard.decision import Fetch
from holdtrue.guard.facts import Facts
from holdtrue.guard.fetching import call_text
from holdtrue.guard.guard import Guard
from holdtrue.guard.json_values import recorded
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_file import make_policy
from holdtrue.guard.result_forms import stop_mark
from tests.guard.shop import AMPLE, REFUND, check, known, shop
from tests.slow import first_of


def tool(tool_name: str, /, **properties: str) -> dict[str, Any]:
    own = {key: {"type": kind} for key, kind in properties.items()}
    return {"name": tool_name, "parameters": {"type": "object", "properties": own, "required": [*own]}}


def policy(hold: str, sources: list[dict[str, Any]], **parts: Any) -> Policy:
    definitions = [
        tool("act", id="string", day="string"),
        tool("get", id="string"),
        tool("find", name="string"),
        tool("on_day", sku="string", day="string"),
        tool("change", id="string"),
        {
            "name": "get_in",
            "parameters": tool("", of="string")["parameters"]
            | {"properties": {"of": tool("", id="string")["parameters"]}},
        },
    ]
    return make_policy(
        "made",
        tools={
            "definitions": definitions,
            "reads": ["get", "get_in", "find", "on_day"],
            "types": {"act": {"day": "date"}, "on_day": {"day": "date"}},
        },
        facts={
            "thing": {"key": {"id": "text"}, "record": {"n": "whole", "other": "text"}, "from": sources},
            "price": {
                "key": {"sku": "text", "day": "date"},
                "record": {"price": "USD(2)"},
                "from": [{"tool": "on_day", "key": {"sku": "call.sku", "day": "call.day"}}],
            },
        },
        rules=[{"id": "R", "on": "act", "hold": hold, "say": "It has to be so."}],
        **parts,
    )


CALL = {"id": "x'1", "day": "2026-03-02"}
GET = {"tool": "get", "key": {"id": "call.id"}}


def fetched(made: Policy) -> tuple[Fetch, ...]:
    decision = made.check("act", CALL, Facts.none(), budget=AMPLE)
    assert decision.kind == "ask"
    return decision.fetch


def test_a_key_within_an_object_is_an_argument_within_one() -> None:
    within = {"tool": "get_in", "key": {"id": "call.of.id"}}
    assert fetched(policy("facts.thing(call.id).n > 3", [within])) == (Fetch("get_in", {"of": {"id": "x'1"}}),)


def test_where_no_call_shows_a_field_any_more_another_may_say_that_there_is_no_such_record() -> None:
    part = {"partial": True, "absent": [None]}
    shows = {"tool": "get", "key": {"id": "call.id"}, "result": {"n": "whole"}, "partial": True}
    other = {"tool": "find", "key": {"id": "call.name"}, "result": {"other": "text"}, **part}
    made = policy("!has(facts.thing(call.id).n)", [shows, other], types={})
    assert fetched(made) == (Fetch("get", {"id": "x'1"}),)
    failed = made.saw(Facts.none(), "get", {"id": "x'1"}, "down", failed=True)
    first = made.check("act", CALL, failed, budget=AMPLE)
    assert first.fetch == (Fetch("find", {"name": "x'1"}),)
    assert made.check("act", CALL, made.saw(failed, "find", {"name": "x'1"}, None), budget=AMPLE).kind == "allow"
    assert (
        made.check("act", CALL, made.saw(failed, "find", {"name": "x'1"}, {"other": "a"}), budget=AMPLE).kind == "block"
    )


def test_no_call_is_proposed_of_which_an_argument_is_not_known() -> None:
    find = {"tool": "find", "result": {"id": "text", "n": "whole", "other": "text"}, "key": {"id": "result.id"}}
    assert fetched(policy("facts.thing(call.id).n > 3", [find, GET])) == (Fetch("get", {"id": "x'1"}),)
    decision = policy("facts.thing(call.id).n > 3", [find]).check("act", CALL, Facts.none(), budget=AMPLE)
    assert (decision.fetch, decision.questions) == ((), ('No tool shows facts.thing("x\'1").n; what does it say?',))


@pytest.mark.parametrize("shown", [{"n": 1}, "closed", {"n": 1, "other": None}])
def test_a_link_that_was_looked_up_and_not_shown_is_asked_of_a_person(shown: Any) -> None:
    made = policy("facts.thing(facts.thing(call.id).other).n > 3", [GET])
    facts = made.saw(Facts.none(), "get", {"id": "x'1"}, shown)
    decision = made.check("act", CALL, facts, budget=AMPLE)
    assert decision.fetch == () and len(decision.questions) == 1
    assert 'facts.thing("x\'1")' in decision.questions[0]


@pytest.mark.parametrize("day", [5, 5.0, Decimal("5.00"), Fraction(5)])
@pytest.mark.parametrize("form", [lambda own: own, lambda own: f'{{ "day":{own}.0e0,"sku" : "s"}}'])
def test_equal_numbers_are_one_whatever_their_spelling(day: Any, form: Any) -> None:
    given = form({"sku": "s", "day": day}) if form({}) == {} else form(int(day))
    assert call_text(recorded(given)) == call_text({"day": 5, "sku": "s"})
    for other in (
        '{"day": "5", "sku": "s"}',
        '{"day": 5.000000000000000000001, "sku": "s"}',
        {"day": True, "sku": "s"},
    ):
        assert call_text(recorded(other)) != call_text(recorded(given))


async def test_a_call_that_is_under_way_is_not_proposed_until_it_is_taken_back() -> None:
    talk = Guard(policy("facts.thing(call.id).n > 3", [GET]), reads=False).conversation("c")
    kinds = []
    for number in range(2):
        assert (await talk.check("get", {"id": "x'1"}, call=f"g{number}")).kind == "allow"
        decision = await talk.check("act", CALL)
        told = decision.for_model.count("has to come first")
        kinds.append((decision.fetch, told, decision.outcome.kind))
        await talk.saw(
            "get", {"id": "x'1"}, f"{stop_mark('ask')} It was not called.", call=f"g{number}", outcome="failed"
        )
        assert (await talk.check("act", CALL)).fetch == (Fetch("get", {"id": "x'1"}),)
    assert kinds == [((), 1, "stop")] * 2


def test_no_writing_tool_is_called_to_look_something_up() -> None:
    made = policy("facts.thing(call.id).n > 3", [{"tool": "change", "key": {"id": "call.id"}}])
    decision = made.check("act", CALL, Facts.none(), budget=AMPLE)
    assert decision.fetch == ()
    assert decision.questions == ('No tool shows facts.thing("x\'1"); what does it say?',)


def test_a_block_fetches_nothing_and_neither_does_a_warning() -> None:
    assert check("refund", REFUND).kind == "block" and check("refund", REFUND).fetch == ()
    parts = [{"id": "W", "on": "act", "hold": "facts.thing('z').n > 3", "say": "Perhaps.", "severity": "warn"}]
    made = policy("facts.thing(call.id).n > 3", [GET])
    both = make_policy("both", **{**_parts(made), "rules": [*_rules(made), *parts]})
    assert both.check("act", CALL, Facts.none(), budget=AMPLE).fetch == (Fetch("get", {"id": "x'1"}),)


def _rules(made: Policy) -> list[dict[str, Any]]:
    return [{"id": own.id, "on": [*own.on], "hold": own.hold_text, "say": own.say} for own in made.rules]


def _parts(made: Policy) -> dict[str, Any]:
    return {
        "tools": {"definitions": [tool("act", id="string", day="string"), tool("get", id="string")], "reads": ["get"]},
        "facts": {"thing": {"key": {"id": "text"}, "record": {"n": "whole", "other": "text"}, "from": [GET]}},
    }


@pytest.mark.parametrize(
    ("said", "questions"),
    [
        (None, ("Why is the money wanted back?",)),
        ({"agreed": True}, ("Why is the money wanted back?",)),
        ({"reason": "late"}, ()),
    ],
)
def test_what_may_have_been_said_is_asked_of_the_user(said: Any, questions: tuple[str, ...]) -> None:
    assert check("refund", REFUND, known(), said=said, unsaid="unknown").questions == questions


def test_a_claim_is_asked_of_a_person_and_a_name_has_a_question_of_its_own() -> None:
    decision = check("close_account", {"user": "ann"}, known(), said={"ill": True})
    assert (decision.kind, decision.questions) == ("ask", ("Was the customer ill?",))
    assert shop().said["agreed"].question == "What does the user say of agreed?"
    made = policy(
        "said.why_so && size(said.a_list) > 1",
        [GET],
        said={"why_so": {"type": "bool"}, "a_list": {"type": "list of text"}},
    )
    decision = made.check("act", CALL, Facts.none(), budget=AMPLE, unsaid="unknown")
    assert decision.questions == ("What does the user say of why so?", "What does the user say of a list?")


def test_a_broken_rule_that_only_asks_is_a_question() -> None:
    decision = check("refund", {**REFUND, "amount": 300}, known(order={"sum": 500}), said={"reason": "late"})
    assert (decision.kind, decision.rules) == ("ask", ("BIG",))
    assert decision.questions == ("Large refunds are for teams. Is it to go on all the same?",)


FIELDS = ("a", "b", "c")
NOW = "2026-03-02T12:00:00"


@dataclass(frozen=True)
class World:
    """Records by their ids, with the fields that they truly have, and for each tool the fields that it truly gives."""

    records: dict[str, dict[str, int]]
    gives: dict[str, tuple[str, ...]]
    shapes: dict[str, str]

    def result(self, tool: str, id: str) -> Any:
        record = self.records.get(id)
        shape = self.shapes[tool]
        if shape == "map":
            return {name: self.part(tool, own) for name, own in self.records.items()}
        if shape == "list":
            return [{"id": name, **self.part(tool, own)} for name, own in self.records.items()]
        if record is None:
            return {"whole": "No such thing", "part": None, "scalar": "No such thing", "broken": "busy"}[shape]
        if shape == "scalar":
            return str(record[self.gives[tool][0]])
        return "busy" if shape == "broken" else self.part(tool, record)

    def part(self, tool: str, record: dict[str, int]) -> dict[str, int]:
        return {name: record[name] for name in self.gives[tool]}


def source(tool: str, world: World, promised: tuple[str, ...]) -> dict[str, Any]:
    """Return how a tool is declared, which may promise more than it gives."""
    key, result = {"id": "call.id"}, {name: "whole" for name in promised}
    match world.shapes[tool]:
        case "map":
            return {
                "tool": tool,
                "result": {"map of": result},
                "each": "result",
                "key": {"id": "name"},
                "partial": True,
            }
        case "list":
            listed = {"list of": {"id": "text", **result}}
            return {"tool": tool, "result": listed, "each": "result", "key": {"id": "item.id"}, "partial": True}
        case "scalar":
            fields = {promised[0]: "result"}
            return {"tool": tool, "key": key, "fields": fields, "partial": True, "absent": "No such thing"}
        case "whole":
            return {"tool": tool, "key": key, "absent": ["No such thing"]}
    return {"tool": tool, "result": result, "key": key, "partial": True, "absent": None}


def made(seed: int) -> tuple[Policy, World, str, dict[str, Any]]:
    rng = random.Random(seed)
    shapes = {f"t{n}": rng.choice(("whole", "part", "part", "scalar", "list", "map", "broken")) for n in range(4)}
    gives = {
        tool: FIELDS if shape == "whole" else tuple(rng.sample(FIELDS, 1 if shape == "scalar" else rng.randint(1, 2)))
        for tool, shape in shapes.items()
    }
    promised = {
        tool: own if shapes[tool] == "scalar" else tuple({*own, *rng.sample(FIELDS, rng.randint(0, 2))})
        for tool, own in gives.items()
    }
    records = {id: {name: rng.randint(0, 9) for name in FIELDS} for id in rng.sample("xyz", rng.randint(1, 3))}
    world = World(records, gives, shapes)
    terms = [f"facts.thing(call.{rng.choice(('one', 'two'))}).{rng.choice(FIELDS)} {rng.choice(('>=', '<'))} 4"]
    terms += [
        f"facts.thing(call.{rng.choice(('one', 'two'))}).{rng.choice(FIELDS)} >= call.n"
        for _ in range(rng.randint(0, 2))
    ]
    hold = rng.choice((" && ", " || ")).join(terms)
    reads = [
        {"name": tool, "parameters": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}}
        if shapes[tool] not in ("list", "map")
        else {"name": tool, "parameters": {"type": "object", "properties": {}}}
        for tool in shapes
    ]
    arguments = {"one": {"type": "string"}, "two": {"type": "string"}, "n": {"type": "integer"}}
    act = {"name": "act", "parameters": {"type": "object", "properties": arguments, "required": [*arguments]}}
    policy = make_policy(
        "made",
        tools={"definitions": [*reads, act], "reads": [*shapes]},
        facts={
            "thing": {
                "key": {"id": "text"},
                "record": dict.fromkeys(FIELDS, "whole"),
                "from": [source(tool, world, promised[tool]) for tool in shapes],
            }
        },
        rules=[{"id": "R", "on": "act", "hold": hold, "say": "It has to be so."}],
    )
    return policy, world, hold, {"one": rng.choice("xyz"), "two": rng.choice("xyz"), "n": rng.randint(0, 9)}


def truth(hold: str, world: World, call: dict[str, Any], guess: random.Random | None = None) -> bool | None:
    """Return whether the rule is kept, or None if no tool shows the values. `guess` fills in hidden ones."""
    guessed: dict[tuple[str, str], int] = {}

    def term(text: str) -> bool | None:
        path, sign, bound = text.split(" ")
        key, name = call[path.split("call.")[1].split(")")[0]], path.rpartition(".")[2]
        shown = any(
            name in own and shape != "broken" and key in world.records
            for own, shape in zip(world.gives.values(), world.shapes.values(), strict=True)
        )
        if not shown and guess is None:
            return None
        hidden = guessed.setdefault((key, name), guess.randint(-20, 20)) if guess is not None else 0
        own, limit = world.records[key][name] if shown else hidden, call["n"] if bound == "call.n" else int(bound)
        return own >= limit if sign == ">=" else own < limit

    every = " && " in hold
    found = [term(own) for own in hold.split(" && " if every else " || ")]
    settles = not every
    return settles if settles in found else None if None in found else not settles


@pytest.mark.parametrize("start", first_of(range(0, 500, 25), 1))
def test_an_agent_that_follows_ends_and_every_right_call_is_allowed(start: int) -> None:
    for seed in range(start, start + 25):
        policy, world, hold, call = made(seed)
        facts, calls = Facts.none(), dict[tuple[str, str], int]()
        decision = policy.check("act", call, facts, now=NOW)
        while decision.kind == "ask" and decision.fetch:
            fetch = decision.fetch[0]
            own = fetch.tool, call_text(fetch.arguments)
            calls[own] = calls.get(own, 0) + 1
            assert calls[own] == 1, f"{seed}: {own} is proposed again"
            result = world.result(fetch.tool, fetch.arguments.get("id", ""))
            facts = policy.saw(facts, fetch.tool, fetch.arguments, result if seed % 2 else json.dumps(result), at=NOW)
            decision = policy.check("act", call, facts, now=NOW)
        expected = truth(hold, world, call)
        if expected is not None:
            assert decision.kind == ("allow" if expected else "block"), f"{seed}: {decision.for_log}"
        elif decision.kind == "allow":
            assert all(truth(hold, world, call, random.Random(guess)) for guess in range(50)), (
                f"{seed}: it may be broken"
            )
        if decision.kind == "ask":
            assert decision.questions, f"{seed}: nobody is asked"
        assert policy.replay(json.loads(json.dumps(decision.to_json()))) == decision
