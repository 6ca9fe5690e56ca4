"""`holdtrue models` lists and downloads; wrong names, failed outputs and the version are reported."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue.cli.models import models_app
from holdtrue.errors import DownloadError, SettingsError
from holdtrue.models import catalogue
from tests.models.carriers import CONTENT, ranges, toy_model
from tests.models.web import Answer, serve

runner = CliRunner()


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOLDTRUE_CACHE", str(tmp_path))
    return tmp_path / "models"


def test_the_list_tells_size_licence_and_how_to_get_what_is_not_here() -> None:
    result = runner.invoke(models_app, ["list"])
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0].split() == [
        "local/qwen2.5-coder-1.5b", "1117", "MB", "Apache-2.0",
        "not", "here:", "holdtrue", "models", "pull", "qwen2.5-coder-1.5b",
    ]  # fmt: skip
    assert len(result.stdout.splitlines()) == 3


def test_the_list_as_json(cache: Path) -> None:
    rows = json.loads(runner.invoke(models_app, ["list", "--json"]).stdout)
    assert [row["name"] for row in rows][-1] == "local/smollm2-135m"
    assert rows[-1]["size"] == 98362432
    assert rows[-1]["downloaded"] is False
    assert rows[-1]["path"] == str(cache / "SmolLM2-135M-Instruct.Q4_1.gguf")


@pytest.mark.parametrize("name", ["toy", "local/toy"])
def test_a_model_is_pulled_and_then_listed(name: str, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(lambda asked: ranges(CONTENT, asked)) as web:
        toy = toy_model(f"{web.url}/toy.gguf")
        monkeypatch.setattr(catalogue, "load_catalogue", lambda: (toy,))
        first = runner.invoke(models_app, ["pull", name])
        assert first.exit_code == 0, first.output
        assert "toy from 127.0.0.1" in first.stderr
        assert f"{cache / 'toy.gguf'}: 3 MB, licence MIT" in first.stdout
        assert "already there" in runner.invoke(models_app, ["pull", name]).stdout
    assert len(web.asked) == 1
    assert str(cache / "toy.gguf") in runner.invoke(models_app, ["list"]).stdout


def test_what_goes_wrong_is_an_error_of_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(runner.invoke(models_app, ["pull", "gpt-9"]).exception, SettingsError)
    with serve(lambda asked: Answer(status=403)) as web:
        toy = toy_model(f"{web.url}/toy.gguf")
        monkeypatch.setattr(catalogue, "load_catalogue", lambda: (toy,))
        failed = runner.invoke(models_app, ["pull", "toy"])
    assert isinstance(failed.exception, DownloadError)
    assert "403" in str(failed.exception)


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


COMMAND = [sys.executable, "-m", "holdtrue"]
FULL = Path("/dev/full")


def test_it_tells_its_version() -> None:
    result = subprocess.run([*COMMAND, "--version"], capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (0, version("holdtrue") + "\n", "")


@pytest.mark.skipif(not FULL.exists(), reason="no device is always full here")
@pytest.mark.parametrize("verb", [["--version"], ["models", "list"], ["--help"]])
def test_an_output_that_cannot_be_written_is_one_line_and_an_exit_code(verb: list[str]) -> None:
    with FULL.open("w") as full:
        result = subprocess.run([*COMMAND, *verb], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert result.returncode == 4
    assert result.stderr == "holdtrue: the output cannot be written: No space left on device\n"


def test_a_reader_who_leaves_is_no_error() -> None:
    with subprocess.Popen([*COMMAND, "models", "list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() in (0, 1), "typer itself answers some of these with 1"
