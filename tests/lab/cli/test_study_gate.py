"""`holdtrue study gate`: minimal pairs, judges that know them, and faults of a file."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from holdtrue.cli.main import app
from holdtrue.errors import RecordError
from holdtrue.solving.result import Different
from holdtrue_claims.kind import formula_choice
from holdtrue_claims.kind.equivalence import same_meaning
from holdtrue_claims.kind.settings import FormalSettings
from holdtrue_lab.kinds.claims.gate import judge
from holdtrue_lab.kinds.claims.gate.pairs import decide_pairs, gate_rows, read_pairs

PAIRS = Path(__file__).parents[1] / "kinds/claims/gate/pairs.json"
BLIND = PAIRS.with_name("pairs400.json")
"""Pairs by authors who had not read the code of the gate, 40 of each kind."""
KINDS = (
    *("direction", "number", "unit", "quantifier", "converse", "argument_order", "negation", "other_argument"),
    *("and_or", "cardinality"),
)


SETTINGS = FormalSettings(choice_rounds=3)


def run(*args: str) -> Result:
    return CliRunner().invoke(app, ["study", "gate", *args])


def all_rows(result: Result) -> dict[str, dict[str, object]]:
    return {row["gate"]: row for row in json.loads(result.stdout)["rows"] if row["kind"] == "all"}


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_pairs_that_others_wrote_keep_the_limits(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Error rates on 80 wrong and 80 right formulas: 0 and 2% for an ideal judge, 3% and 15% for one that errs
    in 10%.
    """
    # Both judges see the same variants, so that a solver needs to compare them once.
    compare = cache(_same_meaning)
    monkeypatch.setattr(formula_choice, "same_meaning", compare)
    monkeypatch.setattr(judge, "same_meaning", compare)
    pairs = [pair for pair in read_pairs(BLIND) if pair.kind == kind]
    for name, wrongly, missed in (("sim/claims", 0.0, 0.02), ("sim/claims:confuse=0.1@1", 0.03, 0.15)):
        decided = asyncio.run(decide_pairs(judge.PairJudge(name, pairs), pairs, SETTINGS, gates=("choice",)))
        (row, _) = gate_rows(decided)
        assert row.accepted_wrongly.of == row.refused_wrongly.of == 80
        assert row.accepted_wrongly.hits <= wrongly * 80, (name, [own for own in decided if own.accepted > own.right])
        assert row.refused_wrongly.hits <= missed * 80, (name, [own for own in decided if own.accepted < own.right])


def _same_meaning(*pair: Any) -> Any:
    """Return the result without its witness, which would keep a solver alive; thousands of them take 20 GB."""
    found = same_meaning(*pair)
    return Different({}, found.first) if isinstance(found, Different) else found


@pytest.mark.slow
def test_the_table_has_a_line_for_each_kind() -> None:
    lines = run("--pairs", str(PAIRS), "--every", "6", "--rounds", "1").stdout.splitlines()
    assert len(lines) == 1 + 2 * 11
    assert lines[0].split()[:2] == ["gate", "kind"]


@pytest.mark.parametrize(("file", "each"), [(PAIRS, 6), (BLIND, 40)])
def test_pairs_are_of_ten_kinds_with_as_many_each(file: Path, each: int) -> None:
    kinds = Counter(pair.kind for pair in read_pairs(file))
    assert kinds == dict.fromkeys(KINDS, each)


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
