"""`holdtrue policy review` as a person uses it, on a page and in the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from holdtrue.cli.main import app
from holdtrue.errors import InputError
from tests.guard.review.shed import POLICY, written


def run(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(app, ["policy", "review", *words], input=typed)


def test_the_page_is_written_and_saved_marks_are_taken_in(tmp_path: Path) -> None:
    folder, marks = written(tmp_path), tmp_path / "saved" / "marks.yaml"
    done = run(f"{folder}")
    assert done.exit_code == 3, done.output
    assert "6 sentences: 1 settled, 0 wrong, 5 open" in done.output and (folder / "review.html").exists()
    with pytest.raises(InputError, match="does not exist"):
        CliRunner().invoke(app, ["policy", "review", f"{folder}", "--marks", f"{marks}"], catch_exceptions=False)
    marks.parent.mkdir()
    case = "case: {tool: rent, call: {renter: A, item: hammer, days: 9}}"
    marks.write_text(f"- {{edge: e, rule: week, mark: wrong, sentences: [2], expect: allow, {case}}}", encoding="utf-8")
    done = run(f"{folder}", "--marks", f"{marks}")
    assert done.exit_code == 1 and "wrong: e, wrong, it should be allow" in done.output
    assert "edge" in (folder / "marks.yaml").read_text(encoding="utf-8")


def test_marks_are_given_in_the_terminal_until_the_input_ends(tmp_path: Path) -> None:
    done = run(f"{written(tmp_path)}", "--terminal", typed="r\nw allow Nine is fine.\n\nu\n")
    assert done.exit_code == 1, done.output
    assert "(Nine is fine.)" in done.output and "2. Shed: Tools are rented" in done.output
    assert "is shown above" in done.output and "<- differs:" in done.output
    kept = (tmp_path / "marks.yaml").read_text(encoding="utf-8")
    assert [own in kept for own in ('"right"', '"wrong"', '"unsure"', "Nine is fine.")] == [True] * 4
    assert kept.count("- {") == 3 and not (tmp_path / "review.html").exists()


def test_a_policy_whose_items_are_all_right_is_settled(tmp_path: Path) -> None:
    folder = written(tmp_path, POLICY.replace(", open: true", ""))
    assert run(f"{folder}", "--terminal", typed="r\n" * 60).exit_code == 0
    assert run(f"{folder}").exit_code == 0
