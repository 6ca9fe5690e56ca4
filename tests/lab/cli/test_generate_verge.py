from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from holdtrue.errors import SettingsError
from holdtrue_lab.cli.benchmarks import generate_app
from holdtrue_lab.suites.verge.files import load_verge
from holdtrue_lab.suites.verge.perturb.generate import generate_pairs


def test_pairs_are_written_once_and_counted(tmp_path: Path) -> None:
    options = ["verge", "--seed", "3", "--count", "5", "--out", str(tmp_path)]
    shown = CliRunner().invoke(generate_app, options)
    assert shown.exit_code == 0, shown.output
    assert shown.output.startswith(f"10 items in {tmp_path / 'items.jsonl'}, pairs")
    assert "2 logic_inversion, 1 numeric_threshold, 1 sequence_swap, 1 mutual_exclusion" in shown.output
    assert load_verge(tmp_path / "items.jsonl") == generate_pairs(3, 5)
    again = CliRunner().invoke(generate_app, options)
    assert isinstance(again.exception, SettingsError)
    assert "already holds items" in str(again.exception)


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        CliRunner().invoke(generate_app, ["verge", "--count", "4", "--out", str(tmp_path / folder)])
    one, two = ((tmp_path / folder / "items.jsonl").read_bytes() for folder in ("one", "two"))
    assert one == two and one
