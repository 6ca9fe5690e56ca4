"""Python's decoder is the oracle for strict JSON, and looser forms are listed case by case."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.world.lenient_json import (
    MAX_DEPTH,
    MOST_CHARACTERS,
    JsonObject,
    objects,
    strip_thinking,
    unread,
)
from tests.patience import count_calls, no_hang

PLAIN = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=8)


def containers(texts: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    numbers = st.integers(-(10**16), 10**16) | st.floats(allow_nan=False, allow_infinity=False)
    scalars: st.SearchStrategy[Any] = st.none() | st.booleans() | numbers | texts

    def around(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        return st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4)

    return around(st.recursive(scalars, around, max_leaves=12))


@settings(max_examples=60, deadline=None)
@given(value=containers(st.text(max_size=8)), ascii_only=st.booleans(), indent=st.sampled_from([None, 2]))
def test_strict_json_is_read_as_python_reads_it(value: Any, ascii_only: bool, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    assert objects(text) == [value]
    # A bracket that never closes keeps the decoder of Python from reading the whole; the scan must find the same.
    assert objects(text + " {") == [value]


@settings(max_examples=50, deadline=None)
@given(
    values=st.lists(containers(PLAIN), max_size=4),
    prose=st.lists(st.text(st.sampled_from('it\'s "so"\n-*`:,1aé'), max_size=12), min_size=5, max_size=5),
)
def test_prose_without_brackets_changes_nothing(values: list[Any], prose: list[str]) -> None:
    text = prose[0] + "".join(json.dumps(value) + after for value, after in zip(values, prose[1:], strict=False))
    assert objects(text) == values


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from("{}[]:,\"'\\ \n-/a1²u") | st.characters(), max_size=60))
def test_it_never_raises_and_finds_only_containers(text: str) -> None:
    assert all(isinstance(value, dict | list) for value in objects(text))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param('```json\n{"a": 1}\n```', [{"a": 1}], id="fence"),
        pytest.param("It's {\"a\": 1}, isn't it?", [{"a": 1}], id="apostrophes in prose"),
        pytest.param('the set {A, B} and then {"a": 1}', [{"a": 1}], id="braces in prose"),
        pytest.param('the set {A, B and then {"a": 1}', [{"a": 1}], id="open brace in prose"),
        pytest.param('the interval [1, 5) and then {"a": 1}', [{"a": 1}], id="half-open interval"),
        pytest.param('[\'tis {"a": 1}', [{"a": 1}], id="apostrophe where a value may be"),
        pytest.param('\\boxed{{"a": 1}}', [{"a": 1}], id="doubled braces"),
        pytest.param('{"a": 1,}', [{"a": 1}], id="trailing comma in an object"),
        pytest.param("[1, 2, ]", [[1, 2]], id="trailing comma in an array"),
        pytest.param("{'a': 'it'}", [{"a": "it"}], id="single quotes"),
        pytest.param("{a: 1, b2: x}", [{"a": 1, "b2": "x"}], id="no quotes"),
        pytest.param("{3: 4}", [{"3": 4}], id="a number as key"),
        pytest.param("{'a': True, 'b': False, 'c': None}", [{"a": True, "b": False, "c": None}], id="Python words"),
        pytest.param('- {"a": 1}\n* {"b": 2}', [{"a": 1}, {"b": 2}], id="bullets before objects"),
        pytest.param('{\n- "a": 1,\n* "b": 2,\n• "c": 3\n}', [{"a": 1, "b": 2, "c": 3}], id="bullets before keys"),
        pytest.param("[\n- {'a': -1},\n- 2\n]", [[{"a": -1}, 2]], id="bullets before items"),
        pytest.param('{"a": 1, // the window\n"b": 2}', [{"a": 1, "b": 2}], id="comment"),
        pytest.param('{"a": "x // y"}, {', [{"a": "x // y"}], id="no comment in a string"),
        pytest.param('{"a": 1e999, "b": -Infinity}', [{"a": math.inf, "b": -math.inf}], id="infinities"),
        pytest.param('{"a": ²}', [{"a": "²"}], id="superscript"),
        pytest.param('{"a": 3²}', [{"a": "3²"}], id="digit and superscript"),
        pytest.param('{"a": +7, "b": .5}', [{"a": 7, "b": 0.5}], id="loose numbers"),
        pytest.param('{"a": ' + "9" * 30 + "}", [{"a": "9" * 30}], id="long integer"),
        pytest.param('{"a": 0.' + "9" * 60 + "}", [{"a": "0." + "9" * 60}], id="long fraction"),
        pytest.param('{"a": 1', [], id="never closed"),
        pytest.param('{"a": {"b": 1}, "c": ', [{"b": 1}], id="inner one of an unclosed one"),
        pytest.param('{"a": {"b": 1}, "c": [2}', [{"b": 1}], id="inner one of a broken one"),
        pytest.param('{"a": {"b": 1}, oops, "c": {"d": 2}}', [{"b": 1}, {"d": 2}], id="two of a broken one"),
        pytest.param('{"a": 1}} {"b": 2}', [{"a": 1}, {"b": 2}], id="one bracket too many"),
        pytest.param('{"a": }', [], id="no value"),
        pytest.param('{"a": {oops} 3}', [], id="a broken value and another"),
        pytest.param("[{oops}]", [], id="a broken item"),
        pytest.param('{"a": 1 "b": 2}', [], id="no comma"),
        pytest.param('{"a": [1, , 2]}', [], id="two commas"),
        pytest.param('{"a": "never ended\n, "b": 1} {"c": 2}', [{"c": 2}], id="string that never ends"),
        pytest.param('{"a": "}", "b": "["} {', [{"a": "}", "b": "["}], id="brackets in strings"),
        pytest.param(r'{"a": "\"\\\n\u00e9\/"} {', [{"a": '"\\\né/'}], id="escapes"),
        pytest.param(r'{"a": "\ud83d\ude00"}', [{"a": "😀"}], id="surrogate pair"),
        pytest.param(r'{"a": "x\ud83d"}', [{"a": "x\ufffd"}], id="half a surrogate pair"),
        pytest.param("no JSON here", [], id="prose"),
        pytest.param("", [], id="nothing"),
    ],
)
def test_what_is_found(text: str, found: list[Any]) -> None:
    assert objects(text) == found


def test_nan_is_a_float_that_equals_nothing() -> None:
    for text in ('{"a": NaN}', "{'a': nan}"):
        (value,) = objects(text)
        assert isinstance(value, dict)
        assert math.isnan(value["a"])


def test_repeated_keys_stay_visible() -> None:
    for text in ('{"a": 1, "a": 2}', "{'a': 1, 'a': 2}"):
        (value,) = objects(text)
        assert isinstance(value, JsonObject)
        assert value.members == (("a", 1), ("a", 2))
        assert value == {"a": 2}


def test_frames_beyond_the_depth_limit_give_up_the_outermost() -> None:
    deep = "[" * (MAX_DEPTH + 5) + "]" * (MAX_DEPTH + 5)
    value: Any
    (value,) = objects(deep)
    depth = 0
    while isinstance(value, list):
        depth, value = depth + 1, value[0] if value else None
    assert depth == MAX_DEPTH
    assert objects(deep + ' {"a": 1}')[-1] == {"a": 1}


HOSTILE = [
    "[",
    "{",
    '{"a":',
    '["',
    "['",
    '{"a":[',
    "[]",
    "}{",
    "{//",
    "{'\"",
    '{"\\',
    '["\\"',
    "a{b:",
    '{"x',
    "[1,",
    "- [",
    "{a ",
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_time_is_linear(piece: str) -> None:
    """Eight times the text takes eight times the work; quadratic work would be 64 times as much."""

    def work(length: int) -> int:
        text = piece * (length // len(piece))
        return count_calls(lambda: objects(text))

    assert work(32_000) < 12 * work(4_000)
    # Work inside of a single call is not counted, but would take hours for this text.
    with no_hang():
        objects(piece * (400_000 // len(piece)))


def test_an_answer_after_a_megabyte_of_brackets_is_found() -> None:
    assert objects('{"a":' * 200_000 + '\n{"Ann": 3}') == [{"Ann": 3}]


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("<think>{1}</think>answer", "answer"),
        ("before <THINK>\n{1}\n</Think> after", "before  after"),
        ("before <think> and never ended", "before "),
        ("thought without a beginning </think>answer", "answer"),
        ("a<think>b</think>c<think>d</think>e", "ace"),
        ("a<think>b<think>c</think>d", "ad"),
        ("a<think>b</think>c</think>d", "d"),
        ("<thinking> is no tag", "<thinking> is no tag"),
        ("nothing", "nothing"),
    ],
)
def test_thinking_is_dropped(text: str, rest: str) -> None:
    assert strip_thinking(text) == rest


@pytest.mark.parametrize("piece", HOSTILE)
def test_what_is_too_large_is_read_from_its_end_and_said(piece: str) -> None:
    """Steps of the scan are bounded, so that a large text takes hardly longer than one at the limit."""
    text = piece * (2 * MOST_CHARACTERS // len(piece))
    assert unread(text) is not None
    assert objects(text + '\n{"Ann": 3}')[-1] == {"Ann": 3}
