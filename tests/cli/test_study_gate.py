"""`holdtrue study gate`: minimal pairs, judges who know them, and what is wrong with a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from holdtrue.cli.main import app
from holdtrue.errors import RecordError
from holdtrue.lab.kinds.claims.gate.pairs import read_pairs

PAIRS = Path(__file__).parents[1] / "lab/kinds/claims/gate/pairs.json"


def run(*args: str) -> Result:
    return CliRunner().invoke(app, ["study", "gate", *args])


def all_rows(result: Result) -> dict[str, dict[str, object]]:
    return {row["gate"]: row for row in json.loads(result.stdout)["rows"] if row["kind"] == "all"}


def test_an_ideal_judge_makes_no_mistake_where_the_round_trip_lets_most_slips_pass() -> None:
    result = run("--pairs", str(PAIRS), "--every", "4", "--json")
    rows = all_rows(result)
    choice, trip = rows["choice"], rows["round_trip"]
    assert choice["accepted_wrongly"]["hits"] == choice["refused_wrongly"]["hits"] == 0  # type: ignore[index]
    assert trip["accepted_wrongly"]["hits"] > 15  # type: ignore[index]
    assert "accepted, though wrong" in result.stderr


@pytest.mark.slow
def test_a_judge_who_errs_keeps_the_limits() -> None:
    wrong = right = 0
    for seed in range(3):
        rows = all_rows(run("--pairs", str(PAIRS), "--model", f"sim/claims:confuse=0.1@{seed}", "--json"))
        wrong += rows["choice"]["accepted_wrongly"]["hits"]  # type: ignore[index]
        right += rows["choice"]["refused_wrongly"]["hits"]  # type: ignore[index]
    assert wrong <= 0.03 * 360 and right <= 0.15 * 360


def test_the_table_has_a_line_for_each_kind() -> None:
    lines = run("--pairs", str(PAIRS), "--every", "6", "--rounds", "1").stdout.splitlines()
    assert len(lines) == 1 + 2 * 11
    assert lines[0].split()[:2] == ["gate", "kind"]


def test_pairs_are_of_ten_kinds_with_six_each() -> None:
    pairs = read_pairs(PAIRS)
    kinds = [pair.kind for pair in pairs]
    assert len(pairs) == 60 and {kinds.count(kind) for kind in kinds} == {6}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("[", "Expecting"),
        ("[]", "there is no pair"),
        ('[{"id": "a"}]', "vocabulary"),
        (
            '[{"id": "a", "kind": "unit", "vocabulary": {}, "sentence": "", "paraphrase": "", "near_sentence": "", '
            '"formula": "Came(Ann)", "near_miss": "Came(Ann)"}]',
            "formula: ",
        ),
    ],
)
def test_a_file_that_does_not_fit_is_said(tmp_path: Path, content: str, says: str) -> None:
    file = tmp_path / "pairs.json"
    file.write_text(content)
    with pytest.raises(RecordError, match=says):
        read_pairs(file)
