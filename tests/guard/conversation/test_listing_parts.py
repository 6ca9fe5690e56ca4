"""Each of several calls in one text is found in any form of the text, and no mixture of their values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime
from random import Random
from typing import Any

import pytest

from holdtrue.guard import make_policy
from holdtrue.guard.conversation.call_listing import lists_just
from holdtrue.guard.conversation.listing_parts import item_ends
from holdtrue.guard.conversation.utterance import Utterance

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


def told(draw: Random, form: str, calls: Sequence[dict[str, Any]]) -> Utterance:
    day, time, order = draw.choice(DAYS), draw.choice(TIMES), [*calls[0]]
    draw.shuffle(order)
    rows = [
        {**own, "day": day(own["day"]), "start": time(*own["start"]), "people": f"{own['people']} people"}
        for own in calls
    ]
    text = f"Hello, this is what I would book now.\n{FORMS[form](order, rows)}.\nShall I book all of this?"
    return Utterance(text, datetime(2026, 3, 10, 9), "en-US")


def lists(said: Utterance, own: dict[str, Any]) -> bool:
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


A = {"room": "R-14", "day": date(2026, 3, 24), "start": (10, 0), "who": "Bell", "people": 12, "kind": "choir"}
B = {"room": "R-15", "day": date(2026, 3, 25), "start": (11, 0), "who": "Fuchs", "people": 20, "kind": "dance"}
PAIRS = [
    "- R-14, Mar 24, 2026 at 10:00 AM, Bell, 12, choir\n- R-15, Mar 25, 2026 at 11:00 AM, Fuchs, 20, dance",
    "- R-14, 24 March at 10 o'clock, Bell, 12, choir\n- R-15, 25 March at 11 o'clock, Fuchs, 20, dance",
    "R-14, 24 March, 10:00, choir\nBell, 12 people\nR-15, 25 March, 11:00, dance\nFuchs, 20 people",
    "I book R-14 on 24 March at 10:00 for the choir. It is for Bell, 12 people. "
    "I book R-15 on 25 March at 11:00 for the dance. It is for Fuchs, 20 people.",
    "For Bell:\n- R-14, 24 March, 10:00, 12 people, choir\nFor Fuchs:\n- R-15, 25 March, 11:00, 20 people, dance",
    "Die Rei\u00adhen\u00adfol\u00adge:\n"
    "- R-14, 24. März, 10:00, Bell, 12, choir\n- R-15, 25. März, 11:00, Fuchs, 20, dance",
    "\u2776 R-14, Tue 24.3. 10:00, Bell, 12, choir\n\u2777 R-15, Wed 25.3. 11:00, Fuchs, 20, dance",
]


@pytest.mark.parametrize("text", PAIRS)
def test_what_goes_on_from_an_item_and_what_heads_it_is_of_one_call(text: str) -> None:
    said = Utterance(text, datetime(2026, 3, 10, 9), "en-US")
    assert lists(said, A) and lists(said, B)
    for name in A:
        assert not lists(said, {**A, name: B[name]}) and not lists(said, {**B, name: A[name]})


def test_an_id_that_the_user_wrote_is_not_meant_where_another_is_named() -> None:
    said = Utterance("R-15, 24 March, 10:00, Bell, 12 people, choir", datetime(2026, 3, 10, 9), "en-US")
    call = {**A, "day": date(2026, 3, 24).toordinal(), "start": 36_000}
    assert not lists_just(said, BOOK, call, frozenset({"R-14"}))
    said = Utterance("24 March, 10:00, Bell, 12 people, choir", datetime(2026, 3, 10, 9), "en-US")
    assert lists_just(said, BOOK, call, frozenset({"R-14"}))


def test_the_number_of_an_item_is_no_value() -> None:
    said = Utterance("1. R-14, 24 March, 10:00, Bell, choir, 12\n2. R-15, 25 March", datetime(2026, 3, 10, 9), "en-US")
    assert lists(said, A) and not lists(said, {**A, "people": 1})
