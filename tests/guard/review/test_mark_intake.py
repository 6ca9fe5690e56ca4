"""Right marks become cases, wrong ones stay for the next draft, and what stands is decided by the policy of now."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from holdtrue.errors import InputError
from holdtrue.guard import Policy
from holdtrue.guard.analysis.case_file import read_cases
from holdtrue.guard.analysis.case_running import run_cases
from holdtrue.guard.drafting.draft_folder import MARKS, Mark, read_marks
from holdtrue.guard.review.mark_intake import CASES, Intake, mark_of, take_marks
from holdtrue.guard.review.policy_review import Item, Passage
from holdtrue.guard.review.review_page import passage_standing, summary_lines
from tests.guard.review.shed import POLICY, items_of, reviewed, written

LOOSER = POLICY.replace("call.days <= 7", "call.days <= 9")


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return reviewed(written(tmp_path_factory.mktemp("shed")))


def at(passages: tuple[Passage, ...], rule: str, expect: str) -> Item:
    return next(own for own in items_of(passages).values() if own.rule == rule and own.expect == expect)


def taken(folder: Path, found: Any, *marks: Mark) -> Intake:
    policy, passages = found
    return take_marks(folder, policy, passages, marks)


def cases(folder: Path, policy: Policy) -> Sequence[Any]:
    return read_cases((folder / CASES).read_text(encoding="utf-8"), policy)


def test_right_marks_become_cases_once_and_hand_written_ones_need_no_case(tmp_path: Path, found: Any) -> None:
    policy, passages = found
    items = items_of(passages)
    short = [Mark(edge=own.id, mark="right") for own in items.values()]
    intake = taken(tmp_path, found, *short)
    made = {own.case: own.id for own in reversed(items.values()) if own.case}  # two rules may have an edge in common
    assert intake.added == len(made) > 8 and not intake.told
    assert {own.name for own in cases(tmp_path, policy)} == {*made.values()}
    assert not run_cases(policy, cases(tmp_path, policy)).failed
    assert {own.mark for own in read_marks(tmp_path)} == {"right"}
    before = {name: (tmp_path / name).read_bytes() for name in (CASES, MARKS)}
    assert taken(tmp_path, found, *short).added == 0
    assert before == {name: (tmp_path / name).read_bytes() for name in before}


def test_sentences_are_settled_wrong_or_open(tmp_path: Path, found: Any) -> None:
    _, passages = found
    week, saw = (at(passages, name, "block") for name in ("week", "saw"))
    rest = [own for own in items_of(passages).values() if own.id not in (week.id, saw.id)]
    marks = [mark_of(own, "r") for own in rest]
    intake = taken(tmp_path, found, *marks, mark_of(week, "w", "Nine is fine."), mark_of(saw, "u"))
    assert [passage_standing(own, intake) for own in passages] == ["right", "wrong", "open", "wrong", "open", "right"]
    told = "\n".join(summary_lines(passages, intake))
    assert "6 sentences: 2 settled, 2 wrong, 2 open" in told
    assert week.id in told and "Nine is fine." in told and week.case in told and saw.id not in told
    (kept,) = [own for own in read_marks(tmp_path) if own.mark == "wrong"]
    assert (kept.rule, kept.sentences, kept.decided, kept.expect) == ("week", [2, 4], "block", None)
    assert kept.case is not None and week.id not in (tmp_path / CASES).read_text(encoding="utf-8")


def test_a_wrong_mark_is_mended_by_a_policy_that_decides_as_it_expects(tmp_path: Path, found: Any) -> None:
    week = at(found[1], "week", "block")
    with_answer, without = mark_of(week, "w", "", "allow"), mark_of(week, "w")
    folder = tmp_path / "new"
    folder.mkdir()
    looser = reviewed(written(folder, LOOSER))
    assert taken(tmp_path, found, with_answer).standings[week.id] == "wrong"
    assert taken(folder, looser, without).standings[week.id] == "open", "the new decision was not judged"
    intake = taken(folder, looser, with_answer)
    assert (intake.standings[week.id], intake.added) == ("right", 1)
    assert cases(folder, looser[0])[0].expect == "allow"


def test_a_right_mark_is_wrong_where_the_policy_now_decides_otherwise(tmp_path: Path, found: Any) -> None:
    week = at(found[1], "week", "block")
    taken(tmp_path, found, mark_of(week, "r"))
    policy, passages = reviewed(written(tmp_path, LOOSER))
    intake = take_marks(tmp_path, policy, passages, ())
    assert intake.standings[week.id] == "wrong"
    assert {own.number for own in passages if passage_standing(own, intake) == "wrong"} == {2, 4}
    assert run_cases(policy, cases(tmp_path, policy)).failed


def test_cases_that_exist_are_kept_with_their_comments(tmp_path: Path, found: Any) -> None:
    policy, passages = found
    own = "# By hand\n- {name: mine, tool: rent, call: {renter: A, item: hammer, days: 9}, expect: block}\n"
    (tmp_path / CASES).write_text(own, encoding="utf-8")
    week = at(passages, "week", "block")
    taken(tmp_path, found, mark_of(week, "r"))
    assert (tmp_path / CASES).read_text(encoding="utf-8").startswith(own)
    assert [each.name for each in cases(tmp_path, policy)] == ["mine", week.id]
    (tmp_path / CASES).write_text(f"[{own.splitlines()[1].removeprefix('- ')}]", encoding="utf-8")
    taken(tmp_path, found)
    assert [each.name for each in cases(tmp_path, policy)] == ["mine", week.id], "a list in brackets is written anew"


def test_a_mark_against_a_case_and_one_that_no_longer_fits_are_told(tmp_path: Path, found: Any) -> None:
    week = at(found[1], "week", "block")
    taken(tmp_path, found, mark_of(week, "r"))
    intake = taken(tmp_path, found, mark_of(week, "w"))
    assert any("expects block" in own and week.id in own for own in intake.told)
    gone = Mark(edge="x-1", mark="right", expect="allow", case={"tool": "rent", "facts": {"boat": []}}, sentences=[2])
    intake = taken(tmp_path, found, gone)
    assert intake.standings["x-1"] == "open" and any("no longer" in own or "any more" in own for own in intake.told)


def test_an_unreadable_mark_is_an_error(tmp_path: Path, found: Any) -> None:
    (tmp_path / MARKS).write_text("- {edge: a, mark: perhaps}", encoding="utf-8")
    with pytest.raises(InputError, match=r"marks\.yaml"):
        taken(tmp_path, found)
