"""For every line, the cached checks give exactly the verdict of `check_logged_turn`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.audit.turn_checker import Checker
from holdtrue.budget import Budget
from holdtrue.errors import RecordError
from holdtrue.verification.logged_turn import check_logged_turn, read_logged_turn
from holdtrue.world.declaration import Attribute, ConstraintType, Entity, Integer
from holdtrue.world.domain import Domain
from holdtrue.world.registry import BUILTIN
from tests.data import DRIFT, needs_data

LIMIT = Budget(timeout_s=30)
NAMES = ["Ann", "Bob", "Cy", "Dee"]
OWN = Domain(
    name="shifts",
    attributes=[Attribute("day", low=1, high=5)],
    constraint_types=[
        ConstraintType("on", (Entity(), Integer(1, 5)), "{0} works on day {1}", lambda w, a, k: a.day.eq(k)),
        # A formula that looks at a name, so that its entities cannot be renamed.
        ConstraintType("first", (Entity(),), "{0} is first", lambda w, a: a.day.eq(1 if a is w["Ann"] else 2)),
    ],
)


def slowly(line: bytes, default: Domain | None = None) -> object:
    try:
        value = json.loads(line)
    except ValueError:
        return "no JSON object"
    try:
        return check_logged_turn(read_logged_turn(value, BUILTIN, default), LIMIT).to_json()
    except RecordError as error:
        return str(error)


def quickly(checker: Checker, line: bytes) -> object:
    try:
        return checker.check(line).to_json()
    except RecordError as error:
        return "no JSON object" if str(error).startswith("no JSON object") else str(error)


def turn(seats: object, *constraints: tuple[str, list[Any]], **more: Any) -> dict[str, Any]:
    return {
        "id": "t",
        "domain": "seating",
        "entities": NAMES,
        "constraints": [{"type": kind, "args": args} for kind, args in constraints],
        "answer": seats,
        **more,
    }


def same(*turns: object, checker: Checker | None = None, default: Domain | None = None) -> Checker:
    own = checker or Checker(BUILTIN, default, budget=LIMIT)
    for each in turns:
        line = each if isinstance(each, bytes) else json.dumps(each).encode()
        assert quickly(own, line) == slowly(line, default), line
    return own


RIGHT = {"Ann": 1, "Bob": 2, "Cy": 3, "Dee": 4}


def test_turns_of_one_conversation_share_what_was_agreed() -> None:
    agreed: list[tuple[str, list[Any]]] = [("at_position", ["Ann", 1]), ("adjacent", ["Ann", "Bob"])]
    checker = same(
        turn(RIGHT, *agreed[:1]),
        turn(RIGHT, *agreed),
        turn({"Ann": 1, "Bob": 3, "Cy": 2, "Dee": 4}, *agreed),
        turn({"Ann": 1, "Bob": 1, "Cy": 2, "Dee": 9}, *agreed),
        turn(RIGHT),
    )
    assert checker.slow == 0 and checker.quick == 5


@pytest.mark.parametrize(
    "answer",
    [
        {"solution": RIGHT},
        json.dumps({"solution": RIGHT}),
        "Here it is: " + json.dumps(RIGHT) + " Enjoy!",
        '{"Ann": 1, "Ann": 2, "Bob": 3, "Cy": 4, "Dee": 1}',
        '{"solution": {"Ann": 1, "Bob": 2, "Cy": 3, "Dee": 4}, "note": "x"}',
        "<think>{}</think>" + json.dumps(RIGHT),
        '{"Ann": "1", "Bob": 2.0, "Cy": 3, "Dee": true}',
        {"ann": 1, "BOB": 2, "Cy ": 3, "Dee": 4},
        {"Ann": 1},
        {"seat": RIGHT},
        [{"entity": "Ann", "seat": 1}],
        "no answer",
        "",
        None,
        5,
        {"Ann": {"seat": 1}, "Bob": {"seat": 2}, "Cy": {"seat": 3}, "Dee": {"seat": 4}},
        {"Ann": 10**30, "Bob": 2, "Cy": 3, "Dee": 4},
        {"Ann": -1, "Bob": 2, "Cy": 3, "Dee": 4},
        {"solution": {"solution": RIGHT}},
        json.dumps(RIGHT) + json.dumps({"Ann": 2}),
        '{"Ann": 1, "Bob": 2, "Cy": 3, "Dee": 4, "\\u0041nn": 2}',
    ],
)
def test_answers_are_read_alike(answer: object) -> None:
    same(turn(answer), turn(answer, ("at_position", ["Ann", 1])), turn(answer, ("at_position", ["Ann", 2])))


@pytest.mark.parametrize(
    "change",
    [
        {"entities": []},
        {"entities": ["Ann", "ann"]},
        {"entities": ["Ann", ""]},
        {"entities": ["solution", "Bob", "Cy", "Dee"]},
        {"entities": "Ann"},
        {"entities": ["A.b", "Bob", "Cy", "Dee"]},
        {"entities": ["\ue0000\ue001", "Bob", "Cy", "Dee"]},
        {"domain": "unknown"},
        {"domain": None},
        {"domain": 5},
        {"context": {"num_entities": 6, "table_shape": "rectangular"}},
        {"context": {"num_entities": 1}},
        {"context": []},
        {"context": "x"},
        {"constraints": None},
        {"constraints": {}},
        {"constraints": [5]},
        {"constraints": [{"type": "adjacent"}]},
        {"constraints": [{"type": "unknown", "args": []}]},
        {"constraints": [{"type": "adjacent", "args": ["Ann"]}]},
        {"constraints": [{"type": "adjacent", "args": ["Ann", "Eve"]}]},
        {"constraints": [{"type": "adjacent", "args": ["Ann", "Ann"]}]},
        {"constraints": [{"type": "at_position", "args": ["Ann", True]}]},
        {"constraints": [{"type": "at_position", "args": ["Ann", 1.0]}]},
        {"constraints": [{"type": "at_position", "args": ["Ann", 1], "id": ""}]},
        {"constraints": [{"type": "at_position", "args": ["Ann", 1], "id": True}]},
        {"constraints": [{"type": "at_position", "args": ["Ann", 1], "id": 7, "turn": 2}]},
        {"constraints": [{"type": "at_position", "args": ["Ann", 1], "turn": "x"}]},
        {"constraints": [{"type": "at_position", "args": ["Ann", p], "id": "a"} for p in (1, 2)]},
        {
            "constraints": [
                {"type": "adjacent", "args": args, "id": str(args)} for args in (["Ann", "Cy"], ["cy", "ANN"])
            ]
        },
        {"constraints": [{"type": "at_position", "args": [who, 1]} for who in ("Ann", "Bob")]},
        {"gold": [{"type": "at_position", "args": ["Ann", 1]}]},
        {"gold": [{"type": "at_position", "args": ["Ann", 2]}]},
        {"gold": []},
        {"gold": 5},
        {"id": 5},
        {"id": None},
        {"id": ["x"]},
        {"conversation": ["x"]},
    ],
)
def test_fields_are_read_alike(change: dict[str, Any]) -> None:
    before, after = turn(RIGHT, ("at_position", ["Ann", 1])), turn({"Ann": 2, "Bob": 1, "Cy": 3, "Dee": 4})
    same(before, {**before, **change}, {**after, **change}, after)


@pytest.mark.parametrize(
    "line", [b"", b"5", b"[]", b"{", b'{"entities": NaN}', b"\xff", b'{"id": "\\ud800"}', b"{}" * 2]
)
def test_what_is_no_turn_is_told_alike(line: bytes) -> None:
    same(line, turn(RIGHT), line)


def test_a_field_that_is_not_there_is_the_default_or_missed() -> None:
    full = turn({"Ann": 1, "Bob": 2, "Cy": 5, "Dee": 4}, ("at_position", ["Ann", 1]))
    for name in full:
        same({key: value for key, value in full.items() if key != name}, full)


def test_a_domain_that_looks_at_names_is_not_renamed() -> None:
    own = [
        {
            "entities": names,
            "constraints": [{"type": "first", "args": [names[0]]}],
            "answer": {names[0]: 1, names[1]: 2},
        }
        for names in (["Ann", "Bob"], ["Ann", "Bob"], ["Ann", "Cy"])
    ]
    checker = same(*own, default=OWN)
    assert checker.slow == 0


def test_answers_that_leave_values_open_are_decided_quickly_where_they_can_be_completed() -> None:
    agreed = ("at_position", ["Ann", 1])
    checker = same(
        turn({"Ann": 1}, agreed),
        turn({"Bob": 2, "Cy": 3}, agreed, ("adjacent", ["Ann", "Bob"])),
        turn({"solution": {"Ann": 1}}),
        turn(json.dumps({"Ann": 1, "Bob": 4}), agreed),
    )
    assert checker.slow == 0
    same(
        turn({"Ann": 2}, agreed),
        turn({"Ann": 9}, agreed),
        turn({"Ann": 1, "Bob": 1}),
        turn({"Bob": 1}, agreed),
        turn({"Ann": 1}, agreed, gold=[{"type": "at_position", "args": ["Ann", 1]}]),
        turn({}),
        turn({"solution": {}}),
        checker=checker,
    )


def test_an_attribute_that_may_be_left_out_is_not_missing() -> None:
    day = {
        "domain": "scheduling",
        "entities": ["Demo", "Review"],
        "constraints": [{"type": "before", "args": ["Demo", "Review"]}],
    }
    answers = [
        {"Demo": {"start": 1}, "Review": {"start": 3}},
        {"Demo": {"start": 1, "duration": 2}, "Review": {"start": 3}},
        {"Demo": {"start": 3}, "Review": {"start": 1}},
        {"Demo": {"start": 1, "duration": 2}, "Review": {}},
        {"Demo": {"start": 6, "duration": 3}, "Review": {"start": 1}},
    ]
    checker = same(*({**day, "answer": own} for own in answers))
    assert checker.quick >= 3


def test_names_that_change_share_a_world() -> None:
    def about(names: list[str]) -> dict[str, Any]:
        agreed = [{"type": "adjacent", "args": names[:2]}]
        return {**turn(dict(zip(names, (1, 3, 2, 4), strict=True))), "entities": names, "constraints": agreed}

    checker = same(*(about([f"{letter}{at}" for at in range(4)]) for letter in "abcdefgh"))
    assert checker.slow == 0 and checker.worlds == 1


def test_explanations_are_given_where_they_are_wanted() -> None:
    broken = turn({"Ann": 2, "Bob": 1, "Cy": 3, "Dee": 4}, ("at_position", ["Ann", 1]))
    clash = turn(RIGHT, ("at_position", ["Ann", 1]), ("at_position", ["Bob", 1]))
    lines = [json.dumps({**own, "conversation": name}).encode() for name in "ab" for own in (broken, broken, clash)]
    found = {
        wanted: [
            (own.nearest is not None, own.verdict.mus is not None)
            for own in map(Checker(BUILTIN, explain=wanted).check, lines)
        ]
        for wanted in ("none", "first", "all")
    }
    assert found["all"] == [(True, False), (True, False), (False, True)] * 2
    assert found["first"] == [(True, False), (False, False), (False, False)] * 2
    assert found["none"] == [(False, False)] * 6


SEATS = st.dictionaries(
    st.sampled_from([*NAMES, "Eve", "solution", "seat"]),
    st.integers(0, 5) | st.sampled_from(["1", 2.0, None]),
    max_size=5,
)
AGREED = st.lists(
    st.one_of(
        st.tuples(st.just("at_position"), st.tuples(st.sampled_from(NAMES), st.integers(0, 5)).map(list)),
        st.tuples(
            st.sampled_from(["adjacent", "not_adjacent", "left_of"]),
            st.tuples(*[st.sampled_from([*NAMES, "ann"])] * 2).map(list),
        ),
    ),
    max_size=5,
)


@given(
    st.lists(
        st.tuples(SEATS | st.permutations(range(1, 5)).map(lambda own: dict(zip(NAMES, own, strict=True))), AGREED),
        max_size=4,
    )
)
def test_any_log_is_checked_alike(log: list[tuple[dict[str, Any], list[tuple[str, list[Any]]]]]) -> None:
    same(*(turn(seats, *agreed) for seats, agreed in log))


def logged(rename: Random | None) -> Iterator[bytes]:
    """Yield the development problems' turns, with answers of which half are wrong."""
    from holdtrue_lab.suites.drift.files import load_problem

    for path in sorted((DRIFT / "problems").rglob("*.json"))[::7]:
        problem, given = load_problem(path), json.loads(path.read_text(encoding="utf-8"))
        fresh = [f"N{at}" for at in range(len(given["entities"]))]
        if rename:
            rename.shuffle(fresh)
        names = dict(zip(given["entities"], fresh if rename else given["entities"], strict=True))
        for own in given["turns"]:
            agreed = [
                {
                    "type": each["type"],
                    "args": [names.get(arg, arg) if isinstance(arg, str) else arg for arg in each["args"]],
                }
                for each in own["cumulative_constraints"]
            ]
            answer = {names[name]: value for name, value in own["gold_solution"].items()}
            if own["turn_number"] % 2:
                first, second, *_ = answer
                answer[first], answer[second] = answer[second], answer[first]
            row = {"id": path.stem, "domain": given["domain"], "entities": list(names.values())}
            row |= {"context": dict(problem.context), "constraints": agreed, "answer": {"solution": answer}}
            yield json.dumps(row).encode()


@needs_data
@pytest.mark.parametrize("seed", [None, 1])
def test_logs_of_the_development_problems_are_checked_alike(seed: int | None) -> None:
    checker = Checker(BUILTIN, budget=LIMIT)
    lines = list(logged(Random(seed) if seed else None))
    found = [checker.check(line).to_json() for line in lines]
    assert found == [slowly(line) for line in lines]
    assert checker.slow == 0 and {own["outcome"] for own in found} == {"consistent", "drift"}
