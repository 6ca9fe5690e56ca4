"""An agent that follows `fetch` ends: each source is called once for each key, and shows all that it can show."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from typing import Any

import pytest

from holdtrue.guard.facts import Facts
from holdtrue.guard.fetching import call_text
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_file import make_policy
from tests.slow import first_of

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
    """Return whether the rule is kept, None where no tool gives what settles it; `guess` fills in what is hidden."""
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
