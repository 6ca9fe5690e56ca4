"""Runs from a plan file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue.errors import SettingsError
from holdtrue_lab.cli.plan_file import read_plan_file
from holdtrue_lab.kinds.assignment import KIND
from holdtrue_lab.suites.verge.files import write_items
from tests.lab.kinds.claims.items import ITEMS

PLAN = """
[run]
model = "sim/forget:0.5@4"
generate = 3
turns = 2
extractor = "templates"
max-connections = 2

[[method]]
name = "one_try"
base = "drift_repair"
repairs = 1

[[method]]
name = "silent"
base = "drift_repair"
fallback = "abstain"
"""


def run(*options: object) -> None:
    result = CliRunner().invoke(app, ["run", "drift", "--quiet", *map(str, options)])
    if isinstance(result.exception, SettingsError):
        raise result.exception
    assert result.exit_code == 0, result.output


def written(folder: Path) -> dict[str, object]:
    settings: dict[str, object] = json.loads((folder / "settings.json").read_text(encoding="utf-8"))
    return settings


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "plan.toml"
    path.write_text(PLAN, encoding="utf-8")
    return path


def test_a_plan_gives_options_and_methods(plan: Path, tmp_path: Path) -> None:
    run("--plan", plan, "--out", tmp_path / "out")
    settings = written(tmp_path / "out")
    assert settings["methods"] == ["one_try", "silent"]
    assert (settings["model"], settings["max_connections"]) == ("sim/forget:0.5@4", 2)
    own = settings["own_methods"]
    assert isinstance(own, dict) and own["one_try"]["repairs"] == 1 and own["silent"]["fallback"] == "abstain"
    journal = (tmp_path / "out" / "journal.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(journal) == 3 * 2 * 2


def test_the_command_line_wins(plan: Path, tmp_path: Path) -> None:
    run("--plan", plan, "--model", "sim/perfect", "--method", "direct, silent", "--out", tmp_path / "out")
    settings = written(tmp_path / "out")
    assert (settings["model"], settings["methods"]) == ("sim/perfect", ["direct", "silent"])
    assert list(settings["own_methods"]) == ["silent"]  # type: ignore[call-overload]


def test_a_preset_is_played_beside_a_method_of_one_s_own(plan: Path, tmp_path: Path) -> None:
    plan.write_text(PLAN.replace("[run]", '[run]\nmethod = "direct, one_try, silent"'), encoding="utf-8")
    run("--plan", plan, "--out", tmp_path / "out")
    assert written(tmp_path / "out")["methods"] == ["direct", "one_try", "silent"]


def test_a_method_that_the_plan_declares_and_does_not_name_is_refused(plan: Path, tmp_path: Path) -> None:
    plan.write_text(PLAN.replace("[run]", '[run]\nmethod = "direct,one_try"'), encoding="utf-8")
    with pytest.raises(SettingsError) as refused:
        run("--plan", plan, "--out", tmp_path / "out")
    assert str(refused.value) == (
        f"{plan}: [[method]] 'silent' would not be played, because [run] method does not name it: "
        'write method = "direct,one_try,silent", or take the table out'
    )
    assert not (tmp_path / "out").exists()
    run("--plan", plan, "--method", "direct", "--out", tmp_path / "out")
    assert written(tmp_path / "out")["methods"] == ["direct"], "the command line may choose fewer"


def test_an_unknown_method_is_told_with_the_plan_s_own(plan: Path) -> None:
    with pytest.raises(SettingsError, match=r"^unknown method 'nosuch'; there are direct, .*, one_try, silent$"):
        run("--plan", plan, "--method", "one_try,nosuch")


def test_a_changed_method_is_refused_on_resuming(plan: Path, tmp_path: Path) -> None:
    run("--plan", plan, "--out", tmp_path / "out")
    run("--plan", plan, "--out", tmp_path / "out")
    plan.write_text(PLAN.replace("repairs = 1", "repairs = 2"), encoding="utf-8")
    with pytest.raises(SettingsError, match=r"one_try\.repairs: was 1, now 2"):
        run("--plan", plan, "--out", tmp_path / "out")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[run", "cannot be read"),
        ("[ran]", "nothing else"),
        ("run = 3", "nothing else"),
        ("[run]\nspeed = 3", r"\[run\] has no option 'speed', only ask_back, base_url"),
        ("[run]\nmethod = ['direct']", r"\[run\] method is one value, .* got \['direct'\]"),
        ("method = ['direct']", "a method is a table of settings, got 'direct'"),
        ("[[method]]\nname = 'a'\n[[method]]\nname = 'a'", "method 'a' is there twice"),
        ("[[method]]\nname = 'a'\nrepairs = -1", "method 'a': repairs must be at least 0"),
    ],
)
def test_what_does_not_fit_is_named_with_the_file(tmp_path: Path, text: str, fault: str) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match=rf"plan\.toml: .*{fault}"):
        run("--plan", path, "--model", "sim/perfect", "--generate", 1)


@pytest.mark.parametrize("items", ["'{0}'", "['{0}']", "['{0}', '{1}']"])
def test_an_option_that_is_repeatable_takes_one_value_or_a_list(tmp_path: Path, items: str) -> None:
    files = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    write_items(ITEMS[:2], files[0])
    write_items(ITEMS[2:], files[1])
    path = tmp_path / "plan.toml"
    text = f"[run]\nmodel = 'sim/claims'\nmethod = 'direct'\nmeasure = false\nitems = {items.format(*files)}"
    path.write_text(text, encoding="utf-8")
    result = CliRunner().invoke(app, ["run", "verge", "-q", "--plan", f"{path}", "--out", f"{tmp_path / 'out'}"])
    assert result.exit_code == 0, result.output
    assert written(tmp_path / "out")["problems"] == (len(ITEMS) if "two" in text else 2)


def test_a_missing_plan_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"none\.toml: cannot be read"):
        read_plan_file(tmp_path / "none.toml", KIND.playing())
