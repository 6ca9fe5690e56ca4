"""Each sentence stands with its parts, and each item with the values of its call."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from holdtrue.guard.analysis.case_file import read_situation
from holdtrue.guard.drafting.draft_folder import QUESTIONS
from holdtrue.guard.yaml_text import write_yaml
from tests.guard.review.shed import POLICY, items_of, reviewed, written


@pytest.fixture(scope="module")
def shed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return reviewed(written(tmp_path_factory.mktemp("shed")))


def test_each_sentence_has_its_parts_and_the_edges_of_its_rules(shed: Any) -> None:
    _, passages = shed
    found = [(own.number, [part.name for part in own.parts], {item.rule for item in own.items}) for own in passages]
    assert found == [
        (1, ["heads"], set()),
        (2, ["week"], {"week"}),
        (3, ["saw", "renter"], {"saw"}),
        (4, ["week"], {"week"}),
        (5, ["fees"], set()),
        (0, ["hammer"], {"hammer"}),
    ]
    assert [own.open for own in passages] == [False, False, False, False, True, False]
    assert passages[2].path == ("Shed",) and "<b>" not in passages[2].parts[0].written
    assert passages[2].parts[0].written.splitlines()[1:] == [
        "when: call.item == 'chainsaw'",
        "hold: facts.renter(call.renter).licence",
    ]


def test_items_of_edges_decide_as_they_say_and_show_all_values_of_their_call(shed: Any) -> None:
    policy, passages = shed
    items = items_of(passages)
    assert {"kept", "broken", "boundary", "missing", "hidden"} >= {own.kind for own in items.values()}
    differing = 0
    for own in items.values():
        situation = read_situation(own.case, policy)
        assert situation.decide(policy).kind == own.expect
        shown = {path: value for path, value, _ in own.values}
        for name, value in situation.call.items():
            assert json.loads(shown[f"call.{name}"]) == value
        for path, value, other in own.values:
            if other is not None:
                differing += 1
                assert value != other and path in own.text + str(own.values)
    assert differing > 4


def test_the_differing_value_of_a_boundary_is_that_of_its_own_call(shed: Any) -> None:
    _, passages = shed
    items = [own for own in items_of(passages).values() if own.rule == "week" and own.kind in ("kept", "broken")]
    weeks = [own for own in items if own.values[0][2] is not None]
    assert {(own.expect, own.values[0]) for own in weeks} == {
        ("allow", ("call.days", "7", "8")),
        ("block", ("call.days", "8", "7")),
    }


def test_a_sentence_that_no_call_shows_is_an_item_until_its_parts_change(tmp_path: Path) -> None:
    text = POLICY.replace("sentences: [2, 4]", "sentences: 2").replace("sentences: 1}", "sentences: [1, 4]}")
    ids = []
    for own in (text, text.replace("It states no rule.", "Nothing to check.")):
        _, passages = reviewed(written(tmp_path, own))
        (item,) = passages[3].items
        assert (item.kind, item.expect, item.case, item.sentences) == ("sentence", None, "", (4,))
        assert not passages[0].items, "a heading needs no mark"
        ids.append(item.id)
    assert ids[0] != ids[1]


def test_a_policy_without_prose_has_a_passage_for_each_part_that_decides(tmp_path: Path) -> None:
    lines = [own for own in POLICY.splitlines() if not own.startswith(("prose", "    sentences"))]
    bare = "\n".join(lines).partition("not_checked")[0].replace(", sentences: [2, 4]", "")
    _, passages = reviewed(written(tmp_path, bare))
    assert [(own.number, own.text) for own in passages] == [
        (0, "Seven days."),
        (0, "A licence."),
        (0, "No hammer for a day."),
    ]
    assert all(own.items for own in passages)


def test_questions_of_two_drafts_stand_at_their_sentence(tmp_path: Path) -> None:
    parts = {"rules": [{"id": "fee", "on": "rent", "hold": "true", "say": "Fees.", "sentences": [5]}]}
    call = {"tool": "rent", "call": {"renter": "Ann", "item": "hammer", "days": 3}}
    sides = {"first": {"decision": "allow", "parts": parts}, "second": {"decision": "block", "parts": parts}}
    about = {"sentences": [5], "rules": ["fee"]}
    asked = [
        {"id": "question-5", **about, "tool": "rent", "case": call, **sides},
        {"id": "question-5-1", **about, "why": ["the tables differ"], **sides},
    ]
    folder = written(tmp_path)
    (folder / QUESTIONS).write_text(write_yaml(asked), encoding="utf-8")
    _, passages = reviewed(folder)
    one, other = passages[4].items
    assert (one.kind, one.expect, one.other, json.loads(one.case)) == ("question", "allow", "block", call)
    assert ("call.days", "3", None) in one.values and "hold: true" in one.values[0][1].replace("'", "")
    assert (other.expect, other.case) == (None, "") and "the tables differ" in other.text
