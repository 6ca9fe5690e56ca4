from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from holdtrue.kinds.search.reader import Infeasible, read_candidate
from holdtrue.world.answer import Assignment, Unparsed

NAMES = ("x1", "x2", "x3")
SAT = '{"status": "sat", "assignment": {"x1": 4, "x2": -2, "x3": 0}}'
UNSAT = '{"status": "unsat"}'
NO_OBJECT = "there is no strict JSON object that is all from the first bracket to the last"


def refused(text: str) -> str:
    found = read_candidate(NAMES, text)
    assert isinstance(found, Unparsed), found
    return found.reason


def test_values_come_in_the_order_of_the_variables_and_need_not_be_within_bounds() -> None:
    found = read_candidate(NAMES, '{"assignment": {"x3": 99999, "x1": -7, "x2": 1}, "status": "sat"}')
    assert isinstance(found, Assignment)
    assert list(found.values.items()) == [("x1", -7), ("x2", 1), ("x3", 99999)]


def test_what_is_missing_stays_missing() -> None:
    assert read_candidate(NAMES, '{"status": "sat", "assignment": {"x2": 1}}') == Assignment({"x2": 1})
    assert read_candidate(NAMES, '{"status": "sat", "assignment": {}}') == Assignment({})


@pytest.mark.parametrize(
    ("value", "why"),
    [(text, "the value of 'x2' is no integer") for text in ("true", "1.0", "1e2", '"1"', "null", "[1]", '{"a": 1}')]
    + [("12345678901234567890123", "the value of 'x2' is no integer"), ("NaN", "the value of 'x2' is no integer")],
)
def test_nothing_is_made_an_integer(value: str, why: str) -> None:
    assert refused(f'{{"status": "sat", "assignment": {{"x1": 1, "x2": {value}, "x3": 1}}}}') == why


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", NO_OBJECT),
        ("the answer is x1 = 4", NO_OBJECT),
        (SAT[:-1], NO_OBJECT),
        ('{"x1": 4, "x2": 2, "x3": 3}', "there is 'x1' beside the status"),
        ('{"assignment": {"x1": 4}}', 'the status is neither "sat" nor "unsat"'),
        ("{}", 'the status is neither "sat" nor "unsat"'),
        (SAT.replace('"', "'"), NO_OBJECT),
        (SAT.replace("0}", "0,}"), NO_OBJECT),
        (SAT.replace("4", "+4"), NO_OBJECT),
        (SAT.replace("4", "007"), NO_OBJECT),
        (SAT.replace('"x1"', "x1"), NO_OBJECT),
        (SAT.replace("0}", "0 // none}"), NO_OBJECT),
        (f'{{"x": 1}} {UNSAT} [1, 2]', NO_OBJECT),
        (f"[{SAT}]", NO_OBJECT),
        (f'{{"answer": {SAT}}}', "there is 'answer' beside the status"),
        (f"{SAT} {SAT}", NO_OBJECT),
        (f"{SAT} or else {UNSAT}", NO_OBJECT),
        ('{"status": "SAT", "assignment": {}}', 'the status is neither "sat" nor "unsat"'),
        ('{"status": true}', 'the status is neither "sat" nor "unsat"'),
        ('{"status": ["unsat"]}', 'the status is neither "sat" nor "unsat"'),
        ('{"status": "unsat", "assignment": {}}', "the status is unsat, with an assignment"),
        ('{"status": "unsat", "assignment": null}', "the status is unsat, with an assignment"),
        ('{"status": "sat"}', "the status is sat, without an object of values as the assignment"),
        ('{"status": "sat", "assignment": [1, 2]}', "the status is sat, without an object of values as the assignment"),
        ('{"status": "sat", "status": "unsat"}', "'status' is given twice"),
        (
            '{"status": "sat", "assignment": {"x1": 1}, "assignment": {"x1": 2}}',
            "'assignment' is given twice",
        ),
        ('{"status": "sat", "assignment": {"x1": 1, "x1": 1}}', "'x1' is given twice"),
        ('{"status": "sat", "assignment": {"X1": 1}}', "there is no variable 'X1' to give a value to"),
        ('{"status": "sat", "assignment": {"x1 ": 1}}', "there is no variable 'x1 ' to give a value to"),
        ('{"status": "unsat", "x1": 1}', "there is 'x1' beside the status"),
    ],
)
def test_what_is_no_candidate_is_refused_for_a_reason_that_names_the_place(text: str, why: str) -> None:
    assert refused(text) == why


def test_reasons_stay_short() -> None:
    assert len(refused(json.dumps({"status": "sat", "assignment": {"y" * 5000: 1}}))) < 100


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(10**6), 10**6)
    | st.floats()
    | st.sampled_from(["sat", "unsat", "x1"])
    | st.text()
)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*NAMES, "status"]), inner, max_size=4),
    max_leaves=8,
)
ALMOST = st.fixed_dictionaries(
    {
        "status": st.just("sat"),
        "assignment": st.dictionaries(st.sampled_from([*NAMES, "y"]), st.integers(-99, 99) | SCALARS, max_size=4),
    }
)
OTHERS = st.fixed_dictionaries(
    {"status": st.sampled_from(["sat", "unsat"]) | JSON}, optional={"assignment": JSON, "x1": JSON}
)


@settings(deadline=None, max_examples=200)
@given(text=st.text() | JSON.map(json.dumps) | st.text(alphabet="{}[]\":,satun x1\\'/\n-", max_size=60))
@example('{"status": "sat", "assignment": {"x1": \\')
def test_reading_never_raises(text: str) -> None:
    found = read_candidate(NAMES, text)
    assert isinstance(found, Assignment | Infeasible | Unparsed)
    if isinstance(found, Unparsed):
        assert found.reason


@settings(deadline=None, max_examples=200)
@given(written=ALMOST | OTHERS)
def test_what_is_read_is_what_was_written(written: Mapping[str, object]) -> None:
    """Nothing else is taken, and nothing in it is changed."""
    found = read_candidate(NAMES, json.dumps(written))
    values = written.get("assignment")
    if written == {"status": "unsat"}:
        assert found == Infeasible()
    elif (
        written.keys() == {"status", "assignment"}
        and written["status"] == "sat"
        and isinstance(values, dict)
        and values.keys() <= set(NAMES)
        and all(type(value) is int for value in values.values())
    ):
        assert isinstance(found, Assignment)
        assert found.values == values
        assert all(type(value) is int for value in found.values.values())
    else:
        assert isinstance(found, Unparsed)
