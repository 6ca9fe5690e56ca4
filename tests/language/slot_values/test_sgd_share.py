"""The dates and times that crowd workers wrote, in the shared half of Schema-Guided Dialogue."""

from __future__ import annotations

import json
import re
from datetime import datetime

import pytest

from holdtrue.language.slot_values.slot_value import read_slot_value
from holdtrue.logic.value_sorts import Calendar
from tests.data import DATA

FILE = DATA / "sgd" / "share.jsonl"


def phrases() -> dict[tuple[str, str, str], Calendar]:
    """Return each phrase with its day and the value that annotators gave it."""
    found = {}
    for line in FILE.read_text(encoding="utf-8").splitlines():
        dialogue = json.loads(line)
        for event in (own for turn in dialogue["turns"] for own in turn["events"]):
            value = str(event.get("value"))
            for kind, form in (("date", r"\d{4}-\d\d-\d\d"), ("time", r"\d\d:\d\d")):
                if re.fullmatch(form, value):
                    sort = Calendar("date" if kind == "date" else "time")
                    found.update({(own, dialogue["today"], value): sort for own in event["surface"]})
    return found


@pytest.mark.skipif(not FILE.exists(), reason="the shared data are not here")
def test_no_phrase_is_read_as_another_value() -> None:
    read = {key: read_slot_value(key[0], sort, datetime.fromisoformat(key[1])).shown for key, sort in phrases().items()}
    assert len(read) == 74
    assert all(value in found for (_, _, value), found in read.items())
    assert sum(len(found) == 1 for found in read.values()) == 71
