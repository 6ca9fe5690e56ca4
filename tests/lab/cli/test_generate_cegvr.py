from __future__ import annotations

from pathlib import Path

from typer.testing import CliRunner

from holdtrue.errors import SettingsError
from holdtrue_lab.cli.benchmarks import generate_app
from holdtrue_lab.suites.cegvr.files import load_search_problems
from holdtrue_lab.suites.cegvr.generate import generate_linear
from holdtrue_lab.suites.cegvr.rewrite import FAMILIES


def test_problems_are_written_once_and_counted(tmp_path: Path) -> None:
    options = ["cegvr", "--seed", "3", "--count", "5", "--sat-ratio", "0.4", "--out", str(tmp_path)]
    shown = CliRunner().invoke(generate_app, options)
    assert shown.exit_code == 0, shown.output
    assert shown.output.startswith(f"5 problems in {tmp_path / 'problems.jsonl'}: 2 sat (1 easy, 1 medium), 3 unsat")
    assert load_search_problems(tmp_path) == generate_linear(3, 5, 0.4)
    again = CliRunner().invoke(generate_app, options)
    assert isinstance(again.exception, SettingsError)
    assert "already holds problems" in str(again.exception)


def test_variants_get_a_file_for_each_family(tmp_path: Path) -> None:
    options = ["cegvr", "--count", "2", "--kind", "sudoku4", "--variants", "--out", str(tmp_path)]
    shown = CliRunner().invoke(generate_app, options)
    assert shown.exit_code == 0, shown.output
    assert len(load_search_problems(tmp_path)) == 2
    loaded = load_search_problems(tmp_path, variants=True)
    assert [problem.variant for problem in loaded] == ["", "", *(name for name in sorted(FAMILIES) for _ in range(2))]
    assert {problem.base for problem in loaded if problem.variant} == {one.id for one in loaded if not one.variant}
