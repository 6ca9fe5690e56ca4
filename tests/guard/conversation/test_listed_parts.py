"""Of several calls in one text each is found, and none that mixes their values, whatever the form of the text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime
from random import Random
from typing import Any

import pytest

from holdtrue.guard import make_policy
from holdtrue.guard.conversation.listed_calls import lists_just
from holdtrue.guard.conversation.listed_parts import item_ends
from holdtrue.guard.conversation.said import Said

TEXT = {"type": "string"}
KINDS = ["choir", "dance", "chess"]
FIELDS = {"room": TEXT, "day": {**TEXT, "format": "date"}, "start": {**TEXT, "format": "time"}, "who": TEXT}
PARAMETERS = {
    "type": "object",
    "properties": {**FIELDS, "people": {"type": "integer"}, "kind": {**TEXT, "enum": KINDS}},
    "required": [*FIELDS, "people", "kind"],
}
BOOK = make_policy(
    "hall",
    now="2026-03-10T09:00:00",
    tools={
        "definitions": [{"name": "book", "parameters": PARAMETERS}],
        "writes": ["book"],
        "types": {"*": {"room": "id of room"}},
    },
).tools["book"]
NAMES = "Anders Bell Corrigan Dupont Eriksen Fuchs".split()
Row = dict[str, str]
DAYS: list[Callable[[date], str]] = [
    lambda day: day.strftime("%a %-d %B"),
    lambda day: day.isoformat(),
    lambda day: day.strftime("%-d %B 2026"),
    lambda day: day.strftime("%a %-d/%-m"),
    lambda day: day.strftime("%d.%m.2026"),
]
TIMES: list[Callable[[int, int], str]] = [
    lambda hour, minute: f"{hour:02}:{minute:02}",
    lambda hour, minute: f"{hour}.{minute:02}",
    lambda hour, minute: f"{hour % 12 or 12}:{minute:02} {'am' if hour < 12 else 'pm'}",
    lambda hour, minute: f"{hour}h{minute:02}",
]
FORMS: dict[str, Callable[[Sequence[str], Sequence[Row]], str]] = {
    "bullets": lambda order, rows: "\n".join("- " + ", ".join(own[each] for each in order) for own in rows),
    "blocks": lambda order, rows: "\n\n".join("\n".join(f"{each}: {own[each]}" for each in order) for own in rows),
    "table": lambda order, rows: "\n".join("| " + " | ".join(own[each] for each in order) + " |" for own in rows),
    "lines": lambda order, rows: "\n".join(" / ".join(own[each] for each in order) for own in rows),
    "prose": lambda order, rows: "I book " + ", and ".join(", ".join(own[each] for each in order) for own in rows),
}


def drawn(draw: Random, room: str) -> dict[str, Any]:
    return {
        "room": room,
        "day": date(2026, 3, draw.randint(13, 30)),
        "start": (draw.randint(8, 20), draw.choice([0, 15, 30, 45])),
        "who": draw.choice(NAMES),
        "people": draw.randint(2, 40),
        "kind": draw.choice(KINDS),
    }


def told(draw: Random, form: str, calls: Sequence[dict[str, Any]]) -> Said:
    day, time, order = draw.choice(DAYS), draw.choice(TIMES), [*calls[0]]
    draw.shuffle(order)
    rows = [
        {**own, "day": day(own["day"]), "start": time(*own["start"]), "people": f"{own['people']} people"}
        for own in calls
    ]
    text = f"Hello, this is what I would book now.\n{FORMS[form](order, rows)}.\nShall I book all of this?"
    return Said(text, datetime(2026, 3, 10, 9), "en-US")


def lists(said: Said, own: dict[str, Any]) -> bool:
    hour, minute = own["start"]
    call = {**own, "day": own["day"].toordinal(), "start": hour * 3600 + minute * 60}
    return lists_just(said, BOOK, call, frozenset())


@pytest.mark.parametrize("form", FORMS)
def test_each_call_of_a_listing_is_found_and_none_of_their_values_mixed(form: str) -> None:
    draw, found, mixed, tried = Random(46), 0, 0, 0
    for _ in range(80):
        calls = [drawn(draw, f"R-{room}") for room in draw.sample(range(11, 99), draw.choice([1, 2, 2, 3]))]
        said = told(draw, form, calls)
        tried += len(calls)
        found += sum(lists(said, own) for own in calls)
        for name in calls[0] if len(calls) > 1 else ():
            one, other = draw.sample(calls, 2)
            crossed = {**one, name: other[name]}
            mixed += crossed not in calls and lists(said, crossed)
        changed = {**draw.choice(calls), **draw.choice([{"day": date(2026, 4, 2)}, {"who": "Quigley"}, {"people": 77}])}
        assert not lists(said, changed), (said.text, changed)
    assert found >= 0.99 * tried and mixed == 0, (form, found, tried, mixed)


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("On Tues. 24 March. For two.", ["On Tues. 24 March.", "For two."]),
        ("Am 8. Dezember. Gut?", ["Am 8. Dezember.", "Gut?"]),
        ("22 rms. / 115. Sign?", ["22 rms. / 115.", "Sign?"]),
        ("From 12:15. I book R-14. Ok", ["From 12:15.", "I book R-14.", "Ok"]),
    ],
)
def test_items_end_at_sentences_and_lines(text: str, items: list[str]) -> None:
    ends = [0, *(place for own in item_ends(text) for place in own), len(text)]
    assert [text[start:end] for start, end in zip(ends[::2], ends[1::2], strict=True)] == items
