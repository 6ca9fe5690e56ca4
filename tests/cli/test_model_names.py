"""A model that nobody can know is refused by every command, before anything is read, opened or downloaded."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue.errors import SettingsError

COMMANDS = [
    "check --chat gone.json --domain seating",
    "verify --context gone.txt --answer gone.txt",
    "formalize gone.txt",
    "run drift --problems gone",
    "run cross_query --cases gone",
    "run belief --dialogues gone",
    "run cegvr --problems gone",
    "run verge --items gone",
    "study cegvr --out out",
    "study dialogues",
]


@pytest.mark.parametrize(("name", "says"), [("magic", "no model 'magic'"), ("local/magic", "in the catalogue")])
@pytest.mark.parametrize("command", COMMANDS)
def test_an_unknown_model_is_refused_first(
    command: str, name: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, [*command.split(), "--model", name])
    assert isinstance(result.exception, SettingsError) and says in str(result.exception)
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    "command", ["verify --context gone.txt --answer -", "run verge --items gone --model local/smollm2-135m"]
)
def test_so_is_another_that_formalizes(command: str) -> None:
    """Although the first model is not downloaded either."""
    result = CliRunner().invoke(app, [*command.split(), "--formalizer", "openai/m", "--formalizer", "magic"])
    assert isinstance(result.exception, SettingsError) and "no model 'magic'" in str(result.exception)


def test_a_known_model_is_not_looked_for_until_it_is_needed() -> None:
    result = CliRunner().invoke(app, ["formalize", "gone.txt"])
    assert "gone.txt cannot be read" in str(result.exception)
