"""Tests that noise in a result affects only the noisy values, and that each of these is named."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from typing import Any

import pytest

from holdtrue.guard import Guard
from holdtrue.guard.facts import Facts
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_file import make_policy
from holdtrue.guard.result_forms import read_result
from holdtrue.rules.syntax import RuleError
from holdtrue.rules.type_notation import read_type
from holdtrue.rules.values import NotSeen
from tests.rules.written_types import write_type
from tests.slow import first_of

GOOD: dict[str, tuple[Any, ...]] = {
    "price": (65.5, 0.1 + 0.2, 1.1 * 1.1, 3, 10.01, 1234567.89),
    "rate": (0.305, 2.675, 1 / 3, 5),
    "n": (0, 7, 3.0),
    "name": ("Ann", "x'1", 'O"B', "ä{[", "None"),
    "ok": (True, False),
    "on": ("2026-03-01",),
    "note": ("n", None),
}
BAD: dict[str, tuple[Any, ...]] = {
    "price": ("65.5", None, 0.305, [1], -1, True, float("nan")),
    "rate": ("much", None, {}),
    "n": (1.5, "7", None, float("inf"), float("-inf")),
    "name": (5, None, ["a"], "\ud800"),
    "ok": ("yes", 0, None),
    "on": ("soon", 20260301, None),
    "note": (5,),
}
RECORD = {
    "price": "USD(2) 0..",
    "rate": "decimal(2) rounded",
    "n": "whole 0..",
    "name": "text",
    "ok": "bool",
    "on": "date",
    "note": "text or null",
    "inner": {"price": "USD(2) 0..", "ok": "bool"},
    "lines": {"list of": {"n": "whole 0..", "name": "text"}},
    "by": {"map of": "whole 0.."},
}


def policy() -> Policy:
    get = {
        "name": "get",
        "parameters": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
    }
    return make_policy(
        "noise",
        tools={"definitions": [get], "reads": ["get"], "errors": ["error"]},
        facts={"it": {"key": {"id": "text"}, "record": RECORD, "from": [{"tool": "get", "key": {"id": "call.id"}}]}},
    )


def meant(name: str, value: Any) -> Any:
    """Return the meaning of a good value, computed independently of the code under test."""
    if name in ("price", "rate"):
        exact = Fraction(repr(float(value))) if isinstance(value, float) else Fraction(value)
        return Fraction(round(exact * 100), 100)
    return Fraction(value) if name == "n" else 739676 if name == "on" else value


class Noisy:
    """A random record, its readable values, and the paths of its unreadable ones."""

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.known, self.refused = rng, dict[str, Any](), set[str]()
        self.value = self.record("", GOOD)
        self.value["inner"] = self.record("inner.", ("price", "ok"))
        self.value["lines"] = [self.line(f"lines[{place}]") for place in range(rng.randint(0, 3))]
        self.known["size of lines"] = len(self.value["lines"])
        self.value["by"] = {key: self.field(f"by[{key!r}]", "n") for key in rng.sample("abc", rng.randint(0, 2))}
        if rng.random() < 0.3:
            self.value["extra"] = rng.choice((None, {"price": "x"}, [1], {"price": [float("nan"), "\ud800"]}))

    def line(self, path: str) -> Any:
        if self.rng.random() < 0.1:
            self.refused.add(path)
            return self.rng.choice((None, "line", 5))
        return self.record(f"{path}.", ("n", "name"))

    def record(self, path: str, names: Any) -> dict[str, Any]:
        found = {name: self.field(f"{path}{name}", name) for name in names}
        for name in [*found]:
            if self.rng.random() < 0.05:
                del found[name]
                self.known.pop(f"{path}{name}", None)
                self.refused.add(f"{path}{name}")
        return found

    def field(self, path: str, name: str) -> Any:
        if self.rng.random() < 0.15:
            self.refused.add(path)
            return self.rng.choice(BAD[name])
        value = self.rng.choice(GOOD[name])
        self.known[path] = meant(name, value)
        return value

    def wrapped(self) -> Any:
        text = json.dumps(self.value)
        half = text.find(" ", len(text) // 2)
        return self.rng.choice(
            (
                self.value,
                text,
                json.dumps(text),
                repr(self.value),
                f"```json\n{json.dumps(self.value, indent=1)}\n```",
                [{"type": "text", "text": text}],
                [{"type": "text", "text": text[:half]}, {"type": "text", "text": text[half:]}],
                {"content": [{"type": "text", "text": repr(self.value)}], "isError": False},
                {"content": [{"type": "text", "text": "fine"}], "structuredContent": self.value},
                {"role": "tool", "tool_call_id": "c", "content": text},
                {"type": "function_call_output", "call_id": "c", "output": text},
            )
        )


def leaves(value: Any, path: str = "") -> dict[str, Any]:
    """Return the known values of a record by path, and the sizes of its lists."""
    found: dict[str, Any] = {}
    if isinstance(value, NotSeen):
        return {}
    if isinstance(value, dict):
        for name, own in value.items():
            found |= leaves(own, f"by[{name!r}]" if path == "by" else f"{path}.{name}" if path else name)
        return found
    if isinstance(value, tuple):
        found[f"size of {path}"] = len(value)
        for place, own in enumerate(value):
            found |= leaves(own, f"{path}[{place}]")
        return found
    return {path: value}


@pytest.mark.parametrize("start", first_of(range(0, 1000, 250), 1))
def test_no_known_field_is_lost_and_each_refused_value_is_named(start: int) -> None:
    own = policy()
    for seed in range(start, start + 250):
        noisy = Noisy(random.Random(seed))
        facts = own.saw(Facts.none(), "get", {"id": "a"}, noisy.wrapped())
        seen = facts.record("it", ("a",))
        found = {} if seen is None else leaves(seen.record)
        assert found == noisy.known, f"{seed}: {noisy.value}"
        for path in noisy.refused:
            assert any(f"result.{path}" in note for note in facts.notes), f"{seed}: {path} is in none of {facts.notes}"
        assert len(facts.notes) == len(noisy.refused)
        again = own.saw(facts, "get", {"id": "a"}, Noisy(random.Random(seed)).wrapped())
        assert again.records == facts.records, "told again in another form it is the same"


ODD = {
    "a number of 5,000 digits": '{"price": ' + "9" * 5_000 + ', "name": "a"}',
    "a key that stands twice": '{"price": 1, "name": "a", "price": true}',
    "a key that stands twice in a repr": "{'price': 1, 'name': 'a', 'price': 2}",
    "values that are no literals": "{'price': Decimal('1.00'), 'name': 'a', 'x': datetime.date(2026, 3, 1)}",
    "a byte order mark and half a character": b'\xef\xbb\xbf{"name": "a", "x": "\xff", "price": NaN}',
    "keys that are no texts, and what no JSON says": {"price": b"1", "name": "a", 3: 1, None: {2}, "x": object()},
    "what is nested too deep": {"price": {2}, "name": "a", "x": json.loads("[" * 200 + "]" * 200)},
}


@pytest.mark.parametrize("result", ODD.values(), ids=ODD.keys())
def test_what_cannot_be_read_takes_nothing_else_with_it_however_it_comes(result: Any) -> None:
    guard = Guard(policy(), reads=False)
    guard.run((talk := guard.conversation("c")).saw("get", {"id": "a"}, result))
    for facts in (guard.policy.saw(Facts.none(), "get", {"id": "a"}, result), guard.run(talk._opened()).facts):
        seen = facts.record("it", ("a",))
        assert seen is not None and seen.record["name"] == "a" and isinstance(seen.record["price"], NotSeen)
        assert any(own.startswith("get: result.price: ") for own in facts.notes)


@pytest.mark.parametrize("value", ["Ann", "x'1", 'O"B', "5", "", None, True, "1e5", "007", "\n"])
def test_a_value_written_as_python_writes_it_is_read_as_the_value(value: Any) -> None:
    get = {"name": "get", "parameters": {"properties": {"id": {"type": "string"}}, "required": ["id"]}}
    shown = {"tool": "get", "key": {"id": "call.id"}, "fields": {"it": "result"}}
    kind = {"key": {"id": "text"}, "record": {"it": "bool" if value is True else "text or null"}, "from": [shown]}
    own = make_policy("repr", tools={"definitions": [get], "reads": ["get"]}, facts={"kind": kind})
    for text in (repr(value), json.dumps(value), value):
        guard = Guard(own, reads=False)
        guard.run((talk := guard.conversation("c")).saw("get", {"id": "a"}, text))
        for facts in (own.saw(Facts.none(), "get", {"id": "a"}, text), guard.run(talk._opened()).facts):
            seen = facts.record("kind", ("a",))
            assert seen is not None and seen.record["it"] == value


@pytest.mark.parametrize(
    "text",
    [
        "price: 65.5",
        "[pending]",
        "(none)",
        "'a' 'b'",
        "'a' or 'b'",
        "b'a'",
        "done",
        "```\nno\n```",
        "(" * 9999,
    ],
)
def test_a_text_that_may_be_anything_stays_a_text(text: str) -> None:
    assert read_result((), text).value == text


@pytest.mark.parametrize(
    "result",
    [
        {"isError": True, "content": []},
        '{"isError": true, "content": [{"type": "text", "text": "{}"}]}',
        {"type": "tool_result", "is_error": True, "content": "no"},
        {"content": [{"type": "text", "text": "error: full"}], "isError": False},
        {"role": "tool", "content": '{"error": "full"}'},
    ],
)
def test_an_envelope_says_that_a_call_failed(result: Any) -> None:
    assert read_result(("error",), result).failed


def test_fields_that_are_declared_are_no_envelope_and_parts_that_may_be_two_things_are_a_text() -> None:
    page = {"content": [{"type": "text", "text": "{}"}], "title": "t"}
    assert read_result((), page, ("content", "title")).value == page
    parts = [{"type": "text", "text": own} for own in ("1", "2")]
    assert read_result((), parts).text == "1\n2"
    two = [{"type": "text", "text": '{"a": 1}'}, {"type": "text", "text": '{"a": 2}'}]
    assert read_result((), two).value == [{"a": 1}, {"a": 2}]


def test_what_is_rounded_is_declared_and_no_argument_is() -> None:
    for text in ("USD(2) rounded", "number by 0.25 rounded", "decimal(2) rounded 0..5"):
        assert write_type(read_type(text, {}, "t")) == text
    with pytest.raises(RuleError, match="needs a step"):
        read_type("number rounded", {}, "t")
    act = {"name": "act", "parameters": {"type": "object", "properties": {"n": {"type": "number"}}}}
    with pytest.raises(Exception, match="only what results show is rounded"):
        make_policy("p", tools={"definitions": [act], "types": {"act": {"n": "USD(2) rounded"}}})


@pytest.mark.parametrize(
    ("sum", "schema", "kind"),
    [
        (0.1 + 0.2, {}, "allow"),
        (1.1 * 1.1 - 0.01, {}, "allow"),
        (0.1 + 0.2, {"multipleOf": 0.01}, "block"),
        (0.1 + 0.2 + 1e-9, {}, "block"),
        (0.3, {}, "allow"),
    ],
)
def test_an_argument_takes_the_noise_that_a_result_does(sum: float, schema: Any, kind: str) -> None:
    pay = {"name": "pay", "parameters": {"properties": {"sum": {"type": "number", **schema}}}}
    rule = {
        "id": "all",
        "on": "pay",
        "hold": "done.pay.map(p, p.sum).sum() + call.sum <= amount(2.4, 'EUR')",
        "say": "x",
    }
    own = make_policy(
        "p", tools={"definitions": [pay], "writes": ["pay"], "types": {"pay": {"sum": "EUR(2)"}}}, rules=[rule]
    )
    assert own.check("pay", {"sum": sum}, Facts.none(), mend=False).kind == kind
    if not schema and kind == "allow":
        (call,) = own.saw(Facts.none(), "pay", {"sum": sum}, "ok").done["pay"]
        assert call == {"sum": round(Fraction(sum), 2)}


BOUNDS: dict[str, tuple[Any, str, list[Any], list[Any]]] = {
    "heads": ("whole 0..100", "{} <= 100", [0, 100], [250, -1, "many", 1.5]),
    "tags": (
        "list of whole 0..9 up to 3",
        "size({0}) <= 3 && {0}.all(t, t <= 9)",
        [[], [9]],
        [[1, 2, 3, 4], [77], "x"],
    ),
    "kind": (["ewe", "ram"], "{} in ['ewe', 'ram']", ["ewe"], ["goat", 5]),
    "pen": ("date or null", "{0} == null || {0} > date('0001-01-01')", [None, "2026-03-01"], ["soon"]),
}
"""By a field: its type, a rule that each value of the type keeps, values of the type, and others."""


@pytest.mark.parametrize("seed", range(40))
def test_what_could_not_be_read_is_not_taken_for_a_value_of_its_type(seed: int) -> None:
    random_ = random.Random(seed)
    id = {"type": "object", "properties": {"id": {"type": "string"}, "n": {"type": "integer"}}, "required": ["id"]}
    fields = {name: (f"facts.x(call.id).{name}", *own) for name, own in BOUNDS.items()}
    own = make_policy(
        "bounds",
        tools={"definitions": [{"name": name, "parameters": id} for name in ("get", "move")], "reads": ["get"]},
        facts={
            "x": {
                "key": {"id": "text"},
                "record": {name: type for name, (_, type, *_) in fields.items()},
                "from": [{"tool": "get", "key": {"id": "call.id"}}],
            }
        },
        effects=[{"on": "move", "fact": "x", "key": {"id": "call.id"}, "set": {"heads": "call.n"}}],
        rules=[
            {"id": name, "on": "move", "hold": hold.format(path), "say": "So."}
            for name, (path, _, hold, *_) in fields.items()
        ],
    )
    bad = {name for name in fields if random_.random() < 0.5}
    result = {name: random_.choice(other if name in bad else good) for name, (*_, good, other) in fields.items()}
    facts = own.saw(Facts.none(), "get", {"id": "a"}, result)
    if random_.random() < 0.5:
        n = random_.choice([50, 500])
        facts, bad = (
            own.saw(facts, "move", {"id": "a", "n": n}, "ok"),
            bad - {"heads"} | ({"heads"} if n > 100 else set()),
        )
    decision = own.check("move", {"id": "a", "n": 1}, facts, mend=False)
    assert {each.rule for each in decision.findings if each.status != "holds"} == bad
    assert own.replay(json.loads(json.dumps(decision.to_json()))) == decision
