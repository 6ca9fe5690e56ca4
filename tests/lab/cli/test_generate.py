from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue.errors import SettingsError
from holdtrue_lab.cli.benchmarks import generate_app
from holdtrue_lab.kinds.assignment import KIND
from holdtrue_lab.kit.plan import deal, hash_contents
from holdtrue_lab.suites.belief.files import load_dialogues
from holdtrue_lab.suites.belief.generate import generate_dialogues
from holdtrue_lab.suites.cegvr.files import load_search_problems
from holdtrue_lab.suites.cegvr.generate import generate_linear
from holdtrue_lab.suites.cegvr.rewrite import FAMILIES
from holdtrue_lab.suites.drift.files import load_problems
from holdtrue_lab.suites.drift.generate import generate
from holdtrue_lab.suites.verge.files import load_verge
from holdtrue_lab.suites.verge.perturb.generate import generate_pairs


def test_writes_problems_that_load(tmp_path: Path) -> None:
    options = ["drift", "--seed", "3", "--count", "6", "--out", str(tmp_path)]
    shown = CliRunner().invoke(generate_app, options)
    assert shown.exit_code == 0, shown.output
    assert shown.output == f"6 problems in {tmp_path}: 0 in dev, 6 in test\n"
    assert load_problems(tmp_path) == generate(3, 6)
    again = CliRunner().invoke(generate_app, options)
    assert isinstance(again.exception, SettingsError)
    assert str(tmp_path) in str(again.exception)


@pytest.mark.parametrize(
    ("suite", "option"),
    [
        *(("drift", option) for option in ("--count=0", "--turns=0", "--seed=x")),
        *(("cegvr", option) for option in ("--count=0", "--sat-ratio=1.5", "--seed=x")),
        *(("verge", option) for option in ("--count=0", "--seed=x")),
    ],
)
def test_wrong_options_are_usage_errors(tmp_path: Path, suite: str, option: str) -> None:
    assert CliRunner().invoke(generate_app, [suite, "--out", str(tmp_path), option]).exit_code == 2


def test_a_run_makes_the_same_problems(tmp_path: Path) -> None:
    silent = tmp_path / "silent.jsonl"
    silent.write_text('{"match": "", "text": "no answer"}\n', encoding="utf-8")
    made = [
        "--model",
        f"script/{silent}",
        "--method",
        "random_legal",
        "--extractor",
        "gold",
        "--generate",
        "3",
        "--seed",
        "3",
        "-q",
    ]
    sources = {}
    for phrasing in ("published", "varied"):
        out = tmp_path / phrasing
        options = ["run", "drift", *made, "--turns", "1", "--phrasing", phrasing, "--out", str(out)]
        assert CliRunner().invoke(app, options).exit_code == 0
        written = json.loads((out / "settings.json").read_text(encoding="utf-8"))
        problems = deal(generate(3, 3, turns=1, phrasing=phrasing))
        assert written["problems_sha256"] == hash_contents(map(KIND.playing().describe_problem, problems))
        sources[phrasing] = written["source"]
    assert sources == {"published": "3 generated with seed 3", "varied": "3 generated with seed 3, varied phrasing"}


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (["generate", "drift", "--phrasing", "rhymed", "--out", "x"], "unknown phrasing 'rhymed'"),
        (["run", "drift", "--generate", "1", "--phrasing", "rhymed", "--model", "sim/perfect"], "unknown phrasing"),
        (["run", "drift", "--problems", "x", "--phrasing", "varied", "--model", "script/x"], "for --generate"),
        (["run", "drift", "--generate", "1", "--phrasing", "varied", "--model", "sim/perfect"], "published wording"),
    ],
)
def test_a_phrasing_that_cannot_be_is_a_settings_error(options: list[str], fault: str) -> None:
    result = CliRunner().invoke(app, options)
    assert isinstance(result.exception, SettingsError)
    assert fault in str(result.exception)


def test_dialogues_of_a_schedule_are_written_once(tmp_path: Path) -> None:
    options = ["belief", "--seed", "7", "--count", "4", "--turns", "6", "--schedule", "random", "--out", str(tmp_path)]
    shown = CliRunner().invoke(generate_app, options)
    assert shown.exit_code == 0, shown.output
    assert shown.output.startswith(f"4 dialogues in {tmp_path / 'dialogues_random.json'}: ")
    assert load_dialogues(tmp_path) == generate_dialogues(7, 4, turns=6, schedule="random")
    again = CliRunner().invoke(generate_app, options)
    assert isinstance(again.exception, SettingsError)
    assert "already holds random dialogues" in str(again.exception)


def test_a_schedule_that_is_not_known_is_a_settings_error(tmp_path: Path) -> None:
    result = CliRunner().invoke(generate_app, ["belief", "--schedule", "calm", "--out", str(tmp_path)])
    assert isinstance(result.exception, SettingsError)
    assert "unknown schedule 'calm'" in str(result.exception)


def test_searches_are_written_once_and_counted(tmp_path: Path) -> None:
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


def test_a_style_that_does_not_fit_is_a_settings_error(tmp_path: Path) -> None:
    options = ["cegvr", "--kind", "latin5", "--style", "upstream", "--out", str(tmp_path)]
    result = CliRunner().invoke(generate_app, options)
    assert isinstance(result.exception, SettingsError)
    assert "are for kind linear" in str(result.exception)
    assert not list(tmp_path.iterdir())


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
