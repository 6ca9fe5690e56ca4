"""Claims that are found in answers are compared with gold claims; the reader is scripted."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue.errors import RecordError
from holdtrue.language.asking import Asking
from holdtrue_lab.suites.verge.decomposition_study import compare_answer, decomposition_rows, read_gold_answers
from tests.claims.kind.reader import ReaderModel
from tests.cli.claim_script import write_script

FORMULAS = {
    "Whoever wears a band may swim": "forall x (Band(x) -> Swims(x))",
    "Nobody who may not swim wears a band": "not (exists x (not Swims(x) and Band(x)))",
    "Ann wears a band": "Band(Ann)",
    "Bob wears a band": "Band(Bob)",
    "Ann swims": "?",
}
WORDS = [
    {"name": name, "sorts": ["person"], "meaning": said}
    for name, said in (("Band", "x wears a band"), ("Swims", "x may swim"))
]
RECORD = {
    "id": "pool",
    "dataset": "pools",
    "answer": "Nobody who may not swim wears a band. Ann wears a band. Bob wears a band. Ann swims.",
    "gold_claims": {
        "C1": ["Whoever wears a band may swim."],
        "C2": ["Ann wears a band."],
        "C3": ["Ann may swim.", "Ann can swim."],
    },
    "gold": {
        "vocabulary": {"entities": [{"name": each, "sort": "person"} for each in ("Ann", "Bob")], "predicates": WORDS},
        "premises": {},
        "statements": {"C1": FORMULAS["Whoever wears a band may swim"], "C2": "Band(Ann)", "C3": "Swims(Ann)"},
    },
}


def write(file: Path, *records: object) -> Path:
    file.write_text("\n".join(map(json.dumps, records)))
    return file


async def test_claims_match_by_words_by_wordings_and_by_equivalent_formulas(tmp_path: Path) -> None:
    said = [
        "Nobody who may not swim wears a band.",
        "Ann wears a band",
        "Bob wears a band.",
        "Ann swims.",
    ]
    model = ReaderModel([], [], FORMULAS, better=FORMULAS, claims=[(text, "logical") for text in said])
    [answer] = read_gold_answers(write(tmp_path / "gold.jsonl", RECORD))
    compared = await compare_answer(Asking(model), answer)
    assert {claim.text.rstrip("."): (claim.how, claim.matched) for claim in compared.found} == {
        "Nobody who may not swim wears a band": ("formula", "C1"),
        "Ann wears a band": ("words", "C2"),
        "Bob wears a band": ("other", None),
        "Ann swims": ("undecided", None),
    }
    assert compared.missed == ("C3",)
    judged = await compare_answer(
        Asking(model), replace(answer, claims={**answer.claims, "C3": ("Ann may swim.", "Ann swims.")})
    )
    assert not judged.missed and judged.found[-1].how == "words"
    [row] = decomposition_rows([compared, judged])
    assert (row.precision.hits, row.precision.of, row.recall.hits, row.recall.of) == (5, 8, 5, 6)


def test_without_formulas_only_words_tell(tmp_path: Path) -> None:
    record = {
        **RECORD,
        "gold": None,
        "answer": "Mia practises daily. Mia is kind.",
        "gold_claims": {"C1": ["Mia practises daily"], "C2": ["Mia is nice."]},
    }
    gold = write(tmp_path / "gold.jsonl", record, {**record, "id": "other", "dataset": "more"})
    model = write_script(tmp_path / "model.json", "Mia practises daily. Mia is kind.")
    result = CliRunner().invoke(app, ["study", "decomposition", "--gold", f"{gold}", "--model", model])
    assert result.exit_code == 0, result.output
    assert (
        "all: 2 answers, 2.0 claims each. Precision 2 of 4 (" in result.stdout and "\nmore: 1 answers" in result.stdout
    )
    assert "pool: no gold claim (other): Mia is kind.\npool: missed C2: Mia is nice.\n" in result.stderr


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"gold_claims": {"C1": "text"}}, "gold_claims.C1"),
        ({"gold": {**RECORD["gold"], "statements": {"C9": "Band(Ann)"}}}, "C9: none of C1, C2, C3"),  # type: ignore[dict-item]
    ],
)
def test_what_does_not_fit_is_named(tmp_path: Path, change: dict[str, object], says: str) -> None:
    with pytest.raises(RecordError, match=says):
        read_gold_answers(write(tmp_path / "gold.jsonl", {**RECORD, **change}))
