"""The readings and verdicts of programs that models wrote."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.programs.__main__ import main, show
from bench.programs.tally import READERS, stored, tally
from tests.data import DATA

FOLDER = DATA / "llm_formalizations"
needs_programs = pytest.mark.skipif(not FOLDER.is_dir(), reason="the stored programs are not beside the repository")

# Programs; answered, and right; answered without any alert, and right; not wholly read; inconsistent; no single answer.
FILES: dict[str, tuple[int, ...]] = {
    "FOLIO_dev_gpt-3.5-turbo.json": (96, 85, 50, 55, 32, 9, 1, 1),
    "FOLIO_dev_text-davinci-003.json": (96, 88, 56, 52, 32, 6, 2, 0),
    "llama3_FOLIO_dev_NousResearch-Meta-Llama-3-70B-GGUF.json": (96, 71, 52, 55, 43, 24, 1, 0),
    "llama3_FOLIO_dev_meta-llama-Meta-Llama-3-8B.json": (96, 70, 37, 36, 18, 21, 4, 1),
    "LogicalDeduction_dev_gpt-3.5-turbo.json": (150, 116, 96, 116, 96, 0, 24, 10),
    "LogicalDeduction_dev_text-davinci-003.json": (150, 113, 91, 113, 91, 0, 27, 10),
    "llama3_LogicalDeduction_dev_NousResearch-Meta-Llama-3-70B-GGUF.json": (150, 130, 110, 130, 110, 0, 11, 9),
    "llama3_LogicalDeduction_dev_meta-llama-Meta-Llama-3-8B.json": (150, 110, 87, 110, 87, 0, 29, 11),
    "ProofWriter_dev_gpt-3.5-turbo.json": (600, 482, 398, 340, 286, 96, 21, 1),
}


@needs_programs
@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_what_stored_programs_say(name: str) -> None:
    counted = tally(FOLDER / name)
    show(name, counted)
    assert counted.counts == FILES[name]


@needs_programs
def test_the_command_prints_the_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "ProofWriter_dev_gpt-3.5-turbo.json"
    records = json.loads((FOLDER / name).read_text(encoding="utf-8"))[:5]
    (tmp_path / name).write_text(json.dumps(records), encoding="utf-8")
    main([str(tmp_path)])
    assert f"{name}: 5 programs, " in capsys.readouterr().out


@needs_programs
def test_programs_are_read_without_a_crash() -> None:
    files = [path.name for path in sorted(FOLDER.glob("*.json")) if "CoT" not in path.name]
    assert set(files) == set(FILES)
    for name in files:
        for id, _, read in stored(FOLDER / name, every=10):
            assert not read.unread or read.alerts, id


@needs_programs
def test_readers_take_each_others_programs_without_a_crash() -> None:
    for name in FILES:
        programs = [record["raw_logic_programs"][0] for record in json.loads((FOLDER / name).read_text("utf-8"))[::50]]
        for reader in (reader for part, reader in READERS.items() if part not in name):
            assert all(reader(program).alerts for program in programs)
