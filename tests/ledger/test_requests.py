"""The active words of a request are the last ones about each argument, with all that are compatible."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.ledger.entries import EventKind, Source
from holdtrue.ledger.requests import Content, RequestLedger, RequestWord, Status, same_content
from holdtrue.record import SlotRelation

Spoken = tuple[SlotRelation, int | None, int]
"""A relation, a value, and by how many turns it is later than the word before."""
RELATIONS: tuple[SlotRelation, ...] = ("is", "not", "at_least", "at_most", "more_than", "less_than")
SIDES = {"at_least": "low", "more_than": "low", "at_most": "high", "less_than": "high", "is": "is", "not": "not"}
SPOKEN = st.lists(st.tuples(st.sampled_from(RELATIONS), st.none() | st.integers(0, 5), st.integers(0, 1)), max_size=9)
GRID = [own / 2 for own in range(-4, 16)]


def word(relation: SlotRelation, value: Content | None, turn: int = 1, **more: object) -> RequestWord:
    return RequestWord("", "Q001", "book", "day", value, str(value), turn, relation=relation, **more)  # type: ignore[arg-type]


def keeps(relation: str, value: int, other: float) -> bool:
    return {
        "is": other == value,
        "not": other != value,
        "at_least": other >= value,
        "at_most": other <= value,
        "more_than": other > value,
        "less_than": other < value,
    }[relation]


def replayed(spoken: list[Spoken]) -> set[tuple[str, int | None]]:
    """Return the active words, computed from the whole list of words."""
    held: list[tuple[str, int | None, int]] = []
    turn = 1
    for relation, value, later in spoken:
        turn += later
        is_same = [own for own in held if (own[1] is None and value is None) or own[:2] == (relation, value)]
        frees_more = value is None and any(own[1] is not None and (own[0] == "is" or own[2] < turn) for own in held)
        if is_same and not frees_more:
            held = [(*own[:2], turn) if own in is_same else own for own in held]
            continue
        if value is None:
            held = [own for own in held if own[0] != "is" and own[2] == turn]
        else:
            held = [own for own in held if own[1] is not None and _stays(own[0], own[1], relation, value)]
        held.append((relation if value is not None else "free", value, turn))
    return {(own[0], own[1]) for own in held}


def _stays(old: str, before: int, new: str, value: int) -> bool:
    if SIDES[old] == SIDES[new]:
        return old == "not"
    both = [own for own in GRID if keeps(old, before, own) and keeps(new, value, own)]
    return bool(both)


def said(spoken: list[Spoken]) -> RequestLedger:
    ledger, turn = RequestLedger(), 1
    ledger.open("book", 1)
    for relation, value, later in spoken:
        turn += later
        ledger.set(word(relation if value is not None else "is", value, turn))
    return ledger


@given(SPOKEN)
def test_what_holds_is_what_a_replay_of_all_words_leaves(spoken: list[Spoken]) -> None:
    ledger = said(spoken)
    held = {(own.relation if own.value is not None else "free", own.value) for own in ledger.of("Q001", "day")}
    assert held == replayed(spoken)
    assert set(ledger.words_of("Q001")) == set(ledger.of("Q001", "day"))


@given(SPOKEN)
def test_something_can_always_be_done_that_keeps_all_that_holds_and_the_last_word_holds(spoken: list[Spoken]) -> None:
    own = list(said(spoken).words_of("Q001"))
    assert not own or any(all(each.allows(value) for each in own) for value in GRID if value % 1 == 0 or len(own) > 1)
    if spoken:
        relation, value, _ = spoken[-1]
        assert any(each.value == value and (value is None or each.relation == relation) for each in own)


@given(SPOKEN)
def test_a_ledger_made_again_from_its_events_is_the_same(spoken: list[Spoken]) -> None:
    ledger = said(spoken)
    again = RequestLedger(ledger.events)
    assert again.active == ledger.active and again.of("Q001", "day") == ledger.of("Q001", "day")


@given(st.permutations(["Q001", "Q002", "Q003"]), st.lists(st.integers(0, 9), min_size=3, max_size=3))
def test_words_of_one_request_change_no_other_one(order: list[str], values: list[int]) -> None:
    ledger = RequestLedger()
    for turn in range(3):
        ledger.open("book", turn)
    for request, value in zip(order, values, strict=True):
        ledger.set(RequestWord("", request, "book", "seats", value, "", 1))
    assert [ledger.value_of(own, "seats") for own in order] == values


@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from(["open", "agreed", "done", "withdrawn"]))))
def test_open_requests_are_those_whose_status_is_open_oldest_first(changes: list[tuple[int, Status]]) -> None:
    ledger = RequestLedger()
    for place in range(3):
        ledger.open("book" if place % 2 else "sell", place)
    for place, status in changes:
        if place > 2:
            ledger.open("book", place)
            continue
        before, changes_before = dict(ledger.requests), ledger.changes
        ledger.become(f"Q00{place + 1}", status)
        assert (ledger.requests != before) is (ledger.changes != changes_before)
        twin = ledger.fork()
        twin.become("Q001", "done")
        for act in (None, "book"):
            held = tuple(own for own in ledger.requests.values() if own.is_open and act in (None, own.act))
            assert ledger.open_requests(act) == held


def test_another_value_amends_and_names_what_gave_way() -> None:
    ledger = RequestLedger()
    ledger.set(word("is", 4))
    event = ledger.set(word("is", 5, 2))
    assert [own.kind for own in ledger.events] == [EventKind.ADDED, EventKind.AMENDED, EventKind.ADDED]
    assert event.because == ("S001",) and ledger.value_of("Q001", "day") == 5


@pytest.mark.parametrize(("first", "again", "sure"), [(0.5, 0.9, 0.9), (0.9, 0.5, 0.9)])
def test_what_is_said_again_is_as_sure_as_the_surer_of_both(first: float, again: float, sure: float) -> None:
    ledger = RequestLedger()
    ledger.set(word("is", 4, confidence=first))
    event = ledger.set(word("is", 4, 3, confidence=again))
    assert (event.kind, event.entry.id, event.entry.turn, event.entry.confidence) == ("restated", "S001", 3, sure)


def test_an_offer_of_the_same_leaves_the_words_of_the_user() -> None:
    ledger = RequestLedger()
    ledger.set(word("is", 4))
    entry = ledger.set(word("is", 4, 2, source=Source.ASSISTANT)).entry
    assert (entry.source, entry.turn) == (Source.USER, 1)


def test_a_day_of_the_week_is_all_dates_of_its_name() -> None:
    ledger = RequestLedger()
    ledger.set(word("not", "Friday"))
    assert not word("not", "Friday").allows("2026-03-06") and word("not", "Friday").allows("2026-03-07")
    ledger.set(word("is", "2026-03-07", 2))
    assert len(ledger.of("Q001", "day")) == 2
    ledger.set(word("is", "2026-03-06", 3))
    assert [own.value for own in ledger.of("Q001", "day")] == ["2026-03-06"]


def test_a_request_is_open_until_it_is_done_or_taken_back_and_keeps_its_id() -> None:
    ledger = RequestLedger()
    ids = [ledger.open("book", turn).id for turn in range(3)]
    ledger.become(ids[0], "done")
    ledger.become(ids[1], "withdrawn", "never mind")
    assert [own.id for own in ledger.open_requests("book")] == ids[2:] and ledger.open_requests("pay") == ()
    assert ledger.requests[ids[1]].quote == "never mind" and ledger.open("book", 4).id == "Q004"


def test_what_is_dropped_no_longer_holds_of_this_argument_alone() -> None:
    ledger = RequestLedger()
    ledger.set(word("at_least", 2))
    ledger.set(RequestWord("", "Q001", "book", "seats", 4, "", 1))
    ledger.drop("Q001", "day", 2)
    assert [own.argument for own in ledger.words_of("Q001")] == ["seats"]


@given(st.text(max_size=9))
def test_texts_are_one_value_however_their_letters_and_blanks_are(text: str) -> None:
    assert same_content(text, f"  {text.upper()} ") is (text.upper().casefold().split() == text.casefold().split())
    assert not same_content(True, 1) and not same_content(None, text)


@pytest.mark.parametrize("relation", RELATIONS)
def test_a_word_is_told_in_a_sentence(relation: SlotRelation) -> None:
    sentences = [word(own, 4).sentence for own in RELATIONS]
    assert word(relation, 4).sentence == f"day {sentences[RELATIONS.index(relation)].removeprefix('day ')}"
    assert len(set(sentences)) == len(RELATIONS) and word(relation, None).sentence == "day may be anything"
