"""The study of reading."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.reading import (
    ABLATIONS,
    Row,
    Sentence,
    judge,
    load_sentences,
    main,
    study,
    table,
)
from holdtrue.errors import RecordError
from holdtrue.language.readers import TemplateExtractor
from holdtrue.language.reading import Extraction, Reading
from holdtrue.record import Usage
from holdtrue.world.instance import Constraint
from holdtrue.world.seating import SEATING
from tests.data import DRIFT, needs_data

TABLE = SEATING.instance(["Nora", "Omar", "Priya"])
NOTHING = Sentence(TABLE, "I like Nora", frozenset())
WRONG = Constraint("not_adjacent", ("Nora", "Omar"))


def files(folder: Path, *sentences: dict[str, object]) -> Path:
    (folder / "p1.json").write_text(json.dumps({"domain": "seating", "entities": ["Nora", "Omar", "Priya"]}))
    file = folder / "sentences.jsonl"
    file.write_text("\n".join(json.dumps({"problem_id": "p1", **sentence}) for sentence in sentences))
    return file


def test_silence_is_exact_where_nothing_is_stated() -> None:
    assert judge(NOTHING, Extraction((Reading("", "rejected", reason="no"),))) == "exact"
    assert judge(NOTHING, Extraction((Reading("", "doubtful", WRONG),))) == "doubtful_wrong"
    assert judge(NOTHING, Extraction((Reading("", "accepted", WRONG),))) == "wrong"


async def test_rows_count_by_type(tmp_path: Path) -> None:
    file = files(
        tmp_path,
        {"sentence": "Nora must sit next to Omar", "type": "adjacent", "args": ["Nora", "Omar"]},
        {"sentence": "Nora near Omar", "type": "adjacent", "args": ["Nora", "Omar"]},
        {"sentence": "Thanks", "constraints": []},
    )
    row = await study(load_sentences(file, tmp_path), "templates", TemplateExtractor())
    assert row.by_type == {"adjacent": {"exact": 1, "rejected": 1}, "nothing": {"exact": 1}}
    assert (row.exact.hits, row.exact.of) == (2, 3)
    assert row.wrong_of_accepted.value == 0


def test_the_table_gives_shares_with_intervals() -> None:
    row = Row("default", {"exact": 8, "wrong": 1, "doubtful_right": 1}, Usage(calls=20, latency_s=30.0))
    assert table([row]).splitlines()[-1] == (
        "| default | 10 | 80.0 (49.0-94.3) | 90.0 (59.6-98.2) | 1 | 0 | 1 | 11.1 (2.0-43.5) | 2.00 | 3.00 |"
    )


@pytest.mark.parametrize(
    "sentence", [{"sentence": "x", "type": "adjacent", "args": ["Nora"]}, {"sentence": "x", "type": "adjacent"}]
)
def test_a_bad_line_is_named(tmp_path: Path, sentence: dict[str, object]) -> None:
    with pytest.raises(RecordError, match=r"sentences\.jsonl:1"):
        load_sentences(files(tmp_path, sentence), tmp_path)


def test_the_command_prints_counts_and_no_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = files(tmp_path, {"sentence": "Nora near Omar", "type": "adjacent", "args": ["Nora", "Omar"]})
    script = tmp_path / "script.json"
    script.write_text(json.dumps([json.dumps({"constraints": [{"type": "adjacent", "args": ["Nora", "Omar"]}]})] * 2))
    arguments = ["--sentences", str(file), "--problems", str(tmp_path), "--model", f"script/{script}"]
    log = ["--log", str(tmp_path / "calls.jsonl")]
    for _ in range(2):  # the second time everything comes from the log: the script would have no reply left
        main([*arguments, *log, "--ablations", "agreement", "grounded", "--json"])
        rows = json.loads(capsys.readouterr().out)
        assert [row["outcomes"] for row in rows] == [{"exact": 1}, {"exact": 1}]
    main([*arguments, *log, "--ablations", "templates"])
    assert "near" not in "".join(capsys.readouterr())


def test_every_step_is_an_ablation() -> None:
    assert next(iter(ABLATIONS)) == "templates"
    assert list(ABLATIONS)[-1] == "default"
    assert len({repr(settings) for settings in ABLATIONS.values()}) == len(ABLATIONS)


@needs_data
async def test_templates_cannot_read_other_words() -> None:
    sentences = load_sentences(DRIFT / "reworded" / "sentences.jsonl", DRIFT / "reworded" / "dev")
    row = await study(sentences, "templates", TemplateExtractor())
    assert row.of == 180
    assert row.exact.value is not None
    assert row.exact.value < 0.3
