"""The pages about queries and belief revision are correct."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue.kinds.labels.method import LABEL_PRESETS, LabelMethod
from holdtrue.ledger.entries import EventKind
from holdtrue.ledger.policies import POLICIES, SCREENED
from tests.test_docs_examples import ROOT, blocks, printed

QUERIES, BELIEF, METHODS = "docs/queries.md", "docs/belief.md", "docs/methods.md"


def comments(code: str) -> list[str]:
    """Return the output that the example's comments promise, behind a print or on separate lines."""
    return [line.partition("# ")[2] for line in code.splitlines() if re.match(r"print\(.*\)  # |# ", line)]


def first_column(page: str, title: str) -> list[str]:
    """The code in the first column of the table under that title row."""
    page_text = (ROOT / page).read_text(encoding="utf-8")
    rows = page_text[page_text.index(title) :].partition("\n\n")[0].splitlines()[2:]
    return [name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[1])]


@pytest.mark.parametrize("page", [QUERIES, BELIEF, METHODS])
def test_the_python_examples_print_what_their_comments_say(page: str) -> None:
    examples = blocks(page, "python")
    assert examples
    for code in examples:
        assert comments(code)
        assert printed(code).splitlines() == comments(code)


def commands_of(page: str) -> list[list[str]]:
    """The commands of the block that runs simulated answerers, without `holdtrue`."""
    (shown,) = [block for block in blocks(page, "console") if "sim/labels" in block]
    return [line.partition("  #")[0].removeprefix("$ holdtrue ").split() for line in shown.splitlines()]


@pytest.mark.parametrize("page", [QUERIES, BELIEF])
def test_the_commands_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    commands = commands_of(page)
    assert len(commands) == 4
    for command in commands:
        # So few that the test is quick, and enough that each split has a case.
        few = ["--count", "20" if "cross_query" in command else "2"] if command[0] == "generate" else []
        result = CliRunner().invoke(app, [*command, *few])
        assert result.exit_code == 0, (command, result.output)


def test_the_pages_name_every_method_policy_event_and_setting() -> None:
    revising = {f"{frame}{policy}" for frame in ("", "cot_") for policy in POLICIES}
    assert {*first_column(QUERIES, "| method | treatment"), *revising} == set(LABEL_PRESETS)
    assert first_column(BELIEF, "| policy | the beliefs") == list(POLICIES)
    assert set(POLICIES[-4:]) == SCREENED, "the page calls the last four screened"
    assert {*first_column(BELIEF, "| event | meaning"), "amended", "withdrawn"} == set(EventKind)
    settings = (ROOT / METHODS).read_text(encoding="utf-8").partition("## Methods for queries")[2]
    assert all(f"`{own.name}`" in settings for own in fields(LabelMethod) if own.name != "name")


def test_every_option_on_the_page_is_one() -> None:
    help_text = CliRunner().invoke(app, ["run", "cross_query", "--help"]).stdout
    page_text = (ROOT / QUERIES).read_text(encoding="utf-8")
    table = page_text[page_text.index("| option | values") :].partition("\n\n")[0]
    options = re.findall(r"`(--\w+)`", table)
    assert len(options) == 5
    assert all(option in help_text for option in options)
