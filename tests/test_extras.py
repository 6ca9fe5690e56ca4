"""The libraries that the product needs, and the error for a missing optional one."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from holdtrue.errors import SettingsError
from holdtrue.extras import EXTRAS
from holdtrue.models.local import LocalModel
from holdtrue_lab.figures.report_files import stream_rows
from holdtrue_lab.kinds.assignment.report import Report
from holdtrue_lab.kit.page import as_page
from tests.cli.test_check import TURN
from tests.lab.figures.conftest import folders, report

__all__ = ["folders", "report"]

ROOT = Path(__file__).parent.parent
PROJECT, CLAIMS, LAB = (
    tomllib.loads((ROOT / place / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for place in ("", "packages/claims", "packages/lab")
)
LIBRARIES = [library for brought in EXTRAS.values() for library in brought]
COMMAND = "from holdtrue.cli.main import main; main()"
SESSION = """
from holdtrue import ScriptModel, Session
replies = ['{"Ann": 2, "Bob": 1, "Cy": 3}', '{"Ann": 1, "Bob": 2, "Cy": 3}']
model = ScriptModel(replies)
session = Session("seating", ["Ann", "Bob", "Cy"], model=model, extractor="templates", method="mus_repair")
assert session.ask("Ann must sit at position 1.").outcome.value == "consistent"
session.add("left_of", "Bob", "Ann")
assert "Only one answer is left." in session.explain_ledger().sentences
session.add("at_position", "Cy", 2)
assert session.explain_ledger().ledger.value == "unsat"
"""


def run_without(code: str, *args: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """Run the code in a fresh process in which no library of an extra can be imported."""
    hidden = f"import sys\nsys.argv[1:] = {list(args)!r}\nsys.modules.update(dict.fromkeys({LIBRARIES!r}))\n"
    return subprocess.run([sys.executable, "-c", hidden + code], input=given, capture_output=True, text=True)


ALONE = ("ray", "langchain", "openai-agents", "pydantic-ai", "claude", "anthropic", "adk", "crewai", "inspect")
"""Extras that are in no other one: Ray brings 740 MB, and a framework is for those who have it."""
IMPORTED_AS = {
    "google-re2": "re2",
    "jsonschema-rs": "jsonschema_rs",
    "pyyaml": "yaml",
    "openai-agents": "agents",
    "opentelemetry-api": "opentelemetry",
    "uvicorn[standard]": "uvicorn",
    "psycopg[binary]": "psycopg",
    "pydantic-ai-slim": "pydantic_ai",
    "claude-agent-sdk": "claude_agent_sdk",
    "google-adk": "google.adk",
    "inspect-ai": "inspect_ai",
    **{f"holdtrue-{own}": f"holdtrue_{own}" for own in ("claims", "lab")},
}
"""The names by which packages are imported, if these differ."""


def install(extra: str) -> str:
    return rf"pip install 'holdtrue\[{extra}\]'"


def names(requirements: list[str]) -> tuple[str, ...]:
    found = (re.split(r"[>=]", each)[0] for each in requirements if not each.startswith("holdtrue["))
    return tuple(IMPORTED_AS.get(each, each) for each in found)


def test_extras_are_those_of_the_packages() -> None:
    declared = {extra: names(brought) for extra, brought in PROJECT["optional-dependencies"].items()}
    assert declared.pop("all") == ()
    assert PROJECT["optional-dependencies"]["all"] == [
        f"holdtrue[{','.join(own for own in declared if own not in ALONE)}]"
    ]
    assert declared.pop("lab") == ("holdtrue_lab",) == EXTRAS["lab"]
    assert declared.pop("report") == ("holdtrue-lab[report]",)
    assert names(LAB["optional-dependencies"]["report"]) == EXTRAS["report"]
    assert declared == {extra: brought for extra, brought in EXTRAS.items() if extra not in ("lab", "report")}
    assert not {*names(PROJECT["dependencies"])} & {*LIBRARIES}


def test_the_distributions_are_of_one_version() -> None:
    assert {own["version"] for own in (PROJECT, CLAIMS, LAB)} == {PROJECT["version"]}
    pinned = [each for own in (CLAIMS, LAB) for each in own["dependencies"] if each.startswith("holdtrue")]
    pinned += [each for brought in PROJECT["optional-dependencies"].values() for each in brought if "==" in each]
    assert len(pinned) == 6
    assert {each.partition("==")[2] for each in pinned} == {PROJECT["version"]}


@pytest.mark.parametrize("library", ["jinja2", "matplotlib"])
def test_a_page_without_its_libraries_says_how_to_get_them(
    report: Report, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(SettingsError, match=f"{library}; get it by: {install('report')}"):
        as_page(report, 1)


def test_parquet_without_polars_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(SettingsError, match=f"polars; get it by: {install('report')}"):
        stream_rows(lambda: [(1,)], {"n": int}, tmp_path / "turns.parquet")


def test_a_local_model_without_its_library_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    (tmp_path / "some.gguf").touch()
    with pytest.raises(SettingsError, match=f"xllamacpp; get it by: {install('local')}"):
        LocalModel(tmp_path / "some.gguf")


@pytest.mark.parametrize(
    "words",
    [
        ["run", "drift", "--generate", "1", "--turns", "1", "--model", "sim/perfect", "--out", "{}/run"],
        ["generate", "cross_query", "--out", "{}/problems"],
        ["report", "{}"],
        ["validate", "{}"],
        ["study", "cegvr", "--model", "sim/perfect", "--out", "{}/study"],
    ],
    ids=lambda words: words[0],
)
def test_commands_of_the_laboratory_say_how_to_get_it(words: list[str], tmp_path: Path) -> None:
    settings = {"suite": "drift", "kind": "assignment"}
    (tmp_path / "settings.json").write_text(json.dumps(settings))
    done = run_without(COMMAND, *(word.format(tmp_path) for word in words))
    assert (done.returncode, done.stdout) == (2, "")
    assert "holdtrue_lab; get it by: pip install 'holdtrue[lab]'" in done.stderr
    assert not {*tmp_path.iterdir()} - {tmp_path / "settings.json"}, "nothing was begun"


def test_a_conversation_needs_no_extra() -> None:
    done = run_without(SESSION)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("verb", ["check", "explain"])
def test_commands_of_the_product_need_no_extra(verb: str, tmp_path: Path) -> None:
    clash = {**TURN, "constraints": [*TURN["constraints"], {"id": "c", "type": "at_position", "args": ["Bob", 3]}]}
    certificate = ["--certificate", str(tmp_path)] if verb == "explain" else []
    done = run_without(COMMAND, verb, "-", *certificate, given=json.dumps(clash))
    assert (done.returncode, done.stderr) == (1, ""), done.stderr
    assert "Bob" in done.stdout
    assert not certificate or (tmp_path / "proof.drat").is_file()
