from __future__ import annotations

import json
import math
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings

from holdtrue.errors import RecordError
from holdtrue_lab.kinds.assignment.entry import AssignmentEntry
from holdtrue_lab.kit.entry import Entry, FailureEntry
from holdtrue_lab.kit.journal import _decode_parsed, decode, encode
from tests.lab.kit.entries import ENTRIES, failure, turn


@hypothesis_settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ENTRIES)
def test_every_entry_survives_the_trip(entry: Entry) -> None:
    line = encode(entry)
    back = decode(line)
    assert back == entry
    assert type(back) is type(entry)
    assert encode(back) == line


@hypothesis_settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ENTRIES)
def test_a_line_is_one_line_of_ascii(entry: Entry) -> None:
    line = encode(entry)
    assert line.isascii()
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1


@hypothesis_settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(ENTRIES)
def test_both_parsers_read_the_same(entry: Entry) -> None:
    line = encode(entry)
    assert decode(line) == decode(line.decode("ascii")) == _decode_parsed(line)


def test_a_lone_surrogate_is_read_as_it_was_said() -> None:
    said = "half an emoji: \ud83d"
    entry = failure("p")
    line = encode(replace(entry, message=said))
    assert b"\\ud83d" in line
    back = decode(line)
    assert isinstance(back, FailureEntry)
    assert back.message == said
    with pytest.raises(RecordError, match="turn"):
        decode(line.replace(b'"turn":1', b'"turn":"one"'))


def test_numbers_and_texts_stay_apart() -> None:
    entry = turn("p", 1)
    entry.record.attempts[0].answer.update({"A.seat": "1", "B.seat": 1})  # type: ignore[union-attr]
    back = decode(encode(entry))
    assert isinstance(back, AssignmentEntry)
    assert back.record.attempts[0].answer == {"A.seat": "1", "B.seat": 1}


@pytest.mark.parametrize("value", [math.inf, -math.inf])
def test_infinite_seconds_survive(value: float) -> None:
    line = json.dumps({**json.loads(encode(turn("p", 1)))}).replace('"elapsed_s": 0.0', f'"elapsed_s": {value!r}')
    line = line.replace("inf", "Infinity")
    back = decode(line)
    assert isinstance(back, AssignmentEntry)
    assert back.record.elapsed_s == value


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b'{"kind": "turn"', "not JSON"),
        (b"[1]", "kind"),
        (b'{"kind": "failures"}', "there are assignment, claims, decisions, labels, readings, search"),
        (b'{"kind": "other"}', "kind"),
        (b'{"kind": "failure"}', "suite"),
        (b"\xff\xfe", "not JSON"),
        (encode(failure("p")).replace(b'"turn":1', b'"turn":"one"'), "turn"),
        (encode(turn("p", 1)).replace(b'"sat"', b'"maybe"'), "basis"),
    ],
)
def test_a_line_that_is_no_entry_says_what_is_wrong(line: bytes, fault: str) -> None:
    with pytest.raises(RecordError, match=fault):
        decode(line)
