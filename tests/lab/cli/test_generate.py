"""`holdtrue generate` writes problems that load, and never over others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue.errors import SettingsError
from holdtrue_lab.cli.benchmarks import generate_app
from holdtrue_lab.suites.belief.files import load_dialogues
from holdtrue_lab.suites.belief.generate import generate_dialogues
from holdtrue_lab.suites.cegvr.files import load_search_problems
from holdtrue_lab.suites.cegvr.generate import generate_linear
from holdtrue_lab.suites.cegvr.rewrite import FAMILIES
from holdtrue_lab.suites.drift.files import load_problems
from holdtrue_lab.suites.drift.generate import generate
from holdtrue_lab.suites.verge.files import load_verge
from holdtrue_lab.suites.verge.perturb.generate import generate_pairs

PAIRS = "pairs of which a solver proved both answers: 2 logic_inversion, 1 numeric_threshold, 1 sequence_swap, 1 mutual"


@pytest.mark.parametrize(
    ("words", "told", "made", "load"),
    [
        ("drift --count 6", "6 problems in {}: 0 in dev, 6 in test\n", lambda: generate(3, 6), load_problems),
        (
            "belief --count 4 --turns 6 --schedule random",
            "4 dialogues in {}/dialogues_random.json: ",
            lambda: generate_dialogues(3, 4, turns=6, schedule="random"),
            load_dialogues,
        ),
        (
            "cegvr --count 5 --sat-ratio 0.4",
            "5 problems in {}/problems.jsonl: 2 sat (1 easy, 1 medium), 3 unsat",
            lambda: generate_linear(3, 5, 0.4),
            load_search_problems,
        ),
        (
            "verge --count 5",
            f"10 items in {{}}/items.jsonl, {PAIRS}",
            lambda: generate_pairs(3, 5),
            lambda folder: load_verge(folder / "items.jsonl"),
        ),
    ],
)
def test_problems_are_written_once_and_counted(
    tmp_path: Path, words: str, told: str, made: Callable[[], Any], load: Callable[[Path], Any]
) -> None:
    options = [*words.split(), "--seed", "3", "--out", str(tmp_path)]
    shown = CliRunner().invoke(generate_app, options)
    assert shown.exit_code == 0, shown.output
    assert shown.output.startswith(told.format(tmp_path))
    assert load(tmp_path) == made()
    again = CliRunner().invoke(generate_app, options)
    assert isinstance(again.exception, SettingsError)
    assert f"{tmp_path} already holds " in str(again.exception)


@pytest.mark.parametrize(
    "words",
    [
        *(f"drift {option}" for option in ("--count=0", "--turns=0", "--seed=x")),
        *("cegvr --sat-ratio=1.5", "verge --count=0"),
    ],
)
def test_wrong_options_are_usage_errors(tmp_path: Path, words: str) -> None:
    assert CliRunner().invoke(generate_app, [*words.split(), "--out", str(tmp_path)]).exit_code == 2


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ("generate drift --phrasing rhymed", "unknown phrasing 'rhymed'"),
        ("run drift --generate 1 --phrasing rhymed --model sim/perfect", "unknown phrasing"),
        ("run drift --problems x --phrasing varied --model script/x", "for --generate"),
        ("run drift --generate 1 --phrasing varied --model sim/perfect", "published wording"),
        ("generate belief --schedule calm", "unknown schedule 'calm'"),
        ("generate cegvr --kind latin5 --style upstream", "are for kind linear"),
    ],
)
def test_settings_that_cannot_be_are_refused(tmp_path: Path, words: str, fault: str) -> None:
    result = CliRunner().invoke(app, [*words.split(), "--out", str(tmp_path)])
    assert isinstance(result.exception, SettingsError)
    assert fault in str(result.exception)
    assert not list(tmp_path.iterdir())


def test_variants_get_a_file_for_each_family(tmp_path: Path) -> None:
    options = ["cegvr", "--count", "2", "--kind", "sudoku4", "--variants", "--out", str(tmp_path)]
    shown = CliRunner().invoke(generate_app, options)
    assert shown.exit_code == 0, shown.output
    assert len(load_search_problems(tmp_path)) == 2
    loaded = load_search_problems(tmp_path, variants=True)
    assert [problem.variant for problem in loaded] == ["", "", *(name for name in sorted(FAMILIES) for _ in range(2))]
    assert {problem.base for problem in loaded if problem.variant} == {one.id for one in loaded if not one.variant}
