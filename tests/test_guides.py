"""The guides, and the pages about drift and about extending, are correct."""

from __future__ import annotations

import contextlib
import io
import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from holdtrue import Session
from holdtrue.cli.main import app
from holdtrue.models import model_registry
from holdtrue.world.seating import SEATING
from holdtrue_lab.kinds.assignment.simulation.names import ANSWER_FAULTS, EFFECTS, READING_FAULTS, REPLY_FAULTS
from holdtrue_lab.kit import registry
from holdtrue_lab.kit.kind import Kind
from holdtrue_lab.kit.playing import Playing
from tests.recorder import Recorder
from tests.test_docs_examples import ROOT, blocks

ASSISTANT, SCORE, DRIFT, CLAIMS, EXTENDING = (
    f"docs/{name}.md" for name in ("guide-assistant", "guide-score", "drift", "claims", "extending")
)
SHOWN = re.compile(r"\s*print\(.*\)  # (.*)|# (.*)")


def shown(code: str) -> list[str]:
    """Return the output that an example's comments promise, behind a print or on separate lines."""
    found = (SHOWN.fullmatch(line) for line in code.splitlines())
    return [match[1] or match[2] for match in found if match]


def commands_of(page: str) -> list[list[str]]:
    """The commands of a page that can run anywhere, without `holdtrue`: those of simulated models and their runs."""
    lines = "".join(blocks(page, "console")).splitlines()
    asked = [line.partition("  #")[0].removeprefix("$ holdtrue ").split() for line in lines if "holdtrue" in line]
    elsewhere = ("told.txt", "study", "openai/your-model", "local/", "runs/mine", "runs/local", "models", "examples/")
    return [words for words in asked if not any(each in word for word in words for each in elsewhere)]


@pytest.mark.parametrize("page", [ASSISTANT, EXTENDING])
def test_the_blocks_of_a_page_run_one_after_the_other_and_print_what_they_say(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry.SUITES, "loaded", {})
    monkeypatch.setattr(registry.KINDS, "loaded", {})
    monkeypatch.setattr(model_registry, "_factories", dict(model_registry._factories))
    names: dict[str, object] = {"__name__": "guide"}
    for code in blocks(page, "python"):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile(code, page, "exec", dont_inherit=True), names)
        assert out.getvalue().splitlines() == shown(code)
    for words in commands_of(page):
        result = CliRunner().invoke(app, words)
        assert result.exit_code == 0, (words, result.output)


@pytest.mark.parametrize("page", ["README.md", SCORE, DRIFT, CLAIMS])
def test_the_commands_of_a_page_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for plan in blocks(page, "toml"):
        (tmp_path / "plan.toml").write_text(plan.replace("generate = 10", "generate = 2"), encoding="utf-8")
    commands = commands_of(page)
    assert [words[0] for words in commands].count("run") >= 1
    for words in commands:
        few = [re.sub(r"^(10|30|40)$", "3", word) for word in words]
        result = CliRunner().invoke(app, few)
        assert result.exit_code == 0, (words, result.output)


def test_the_page_about_drift_names_every_method_option_and_fault() -> None:
    from holdtrue.kinds.assignment.method import PRESETS

    page = (ROOT / DRIFT).read_text(encoding="utf-8")
    methods = page[page.index("| name | a turn |") : page.index("### What a repair says")]
    assert set(re.findall(r"`(\w+)`", methods.split("|---|---|")[1])) == set(PRESETS)
    faults = page[page.index("| fault |") : page.index("`sim/perfect`")]
    assert set(re.findall(r"`(\w+)`", faults)) == {*ANSWER_FAULTS, *REPLY_FAULTS, *READING_FAULTS, *EFFECTS}
    help_text = CliRunner().invoke(app, ["run", "drift", "--help"]).stdout
    for guide in (DRIFT, SCORE):
        rows = re.findall(r"^\| `(--[\w-]+)", (ROOT / guide).read_text(encoding="utf-8"), re.MULTILINE)
        assert rows and all(f"{option} " in help_text for option in rows)


def repairs(method: str) -> list[str]:
    """Return the repair prompts after answers that break the example of the page about drift."""
    answers = iter(({"Ann": 1, "Bob": 2, "Cem": 3, "Dora": 4}, *[{"Ann": 2, "Bob": 1, "Cem": 3, "Dora": 4}] * 9))
    model = Recorder(lambda request: json.dumps({"solution": next(answers)}))
    table = SEATING.instance(["Ann", "Bob", "Cem", "Dora"])
    with Session(table, model=model, method=method, extractor="templates") as session:
        session.ask("Ann must sit at position 1.")
        session.ask("Bob must sit next to Cem.")
    return [request.messages[-1].content for request in model.requests if request.purpose == "repair"]


def test_a_repair_says_what_the_page_about_drift_shows() -> None:
    (shown,) = (block.strip() for block in blocks(DRIFT, "text"))
    assert repairs("drift_repair_project") == [shown]
    hint = "Change only these entities: Ann, Bob. Keep the others as they are.\n"
    first, again = shown.replace(hint, ""), "You have given this very answer 2 times, and it failed each time."
    assert again in (ROOT / DRIFT).read_text(encoding="utf-8")
    assert repairs("drift_repair") == [first, f"{first}\n\n{again} Give another one."]
    head, tail = shown.partition("Your previous answer: ")[::2]
    # Its second repair would be the same request, which is counted and not sent.
    assert repairs("mus_repair") == [head + tail[tail.index("Return a revised") :]]


def test_the_page_about_extending_names_every_part_of_a_kind() -> None:
    page = (ROOT / EXTENDING).read_text(encoding="utf-8").partition("## A kind of answer")[2]
    parts = {name for name in (*vars(Kind), *vars(Playing), *Playing.__annotations__) if not name.startswith("_")}
    assert parts == set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", page, re.MULTILINE))))


def test_the_map_and_the_menu_lead_to_every_page() -> None:
    pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {"index.md"}
    menu = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    linked = re.findall(r"\]\(([\w-]+\.md)", (ROOT / "docs/index.md").read_text(encoding="utf-8"))
    assert pages == set(linked)
    assert all(f": {name}\n" in menu for name in {*pages, "index.md"})
