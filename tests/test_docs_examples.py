"""The examples of the documentation run and do what they promise."""

from __future__ import annotations

import contextlib
import io
import json
import re
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue.extras import has

ROOT = Path(__file__).resolve().parents[1]


def blocks(page: str, language: str) -> list[str]:
    """The fenced blocks of a page in one language."""
    return re.findall(
        rf"^```{language}\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )


def printed(code: str) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(code, "example", "exec"), {"__name__": "example"})
    return out.getvalue()


def promised(code: str) -> list[str]:
    """Return the output that the example's comments promise, behind a print or on the next line."""
    return [line.rpartition("# ")[2] for line in code.splitlines() if "print(" in line or line.startswith("# ")]


def test_the_log_of_the_page_is_audited(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text(blocks("docs/audit.md", "json")[0], encoding="utf-8")
    result = CliRunner().invoke(app, ["audit", str(log), str(tmp_path / "out"), "--engine", "process"])
    assert result.stdout.splitlines()[:-1] == blocks("docs/audit.md", "text")[0].splitlines()


@pytest.mark.parametrize("page", ["README.md", "docs/domains.md", "docs/claims.md"])
def test_python_examples_print_what_their_comments_say(page: str) -> None:
    examples = blocks(page, "python")
    assert examples
    for code in examples:
        lines = printed(code).splitlines()
        assert lines and all(line in promised(code) for line in lines), lines


FRAMEWORKS = [
    ("langchain", "langchain", 3, 5),
    ("pydantic-ai", "pydantic_ai", 3, 5),
    ("inspect", "inspect_ai", 3, 5),
    ("openai-agents", "agents", 2, 5),
    ("claude", "claude_agent_sdk", 2, 4),
]
"""Each page with the library of its framework, the lines that it prints, and the lines that a user adds."""


@pytest.mark.parametrize(("page", "library", "count", "added"), FRAMEWORKS)
def test_an_agent_of_a_framework_is_guarded_by_five_lines(
    page: str, library: str, count: int, added: int, tmp_path: Path
) -> None:
    """Each example runs in a process of its own, since frameworks change their process."""
    if not has(library):
        pytest.skip(f"{library} is not installed")
    (code,) = blocks(f"docs/adapters-{page}.md", "python")
    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    lines = ran.stdout.splitlines()
    assert len(lines) == count and all(line in promised(code) for line in lines), (lines, ran.stderr)
    assert [line[-1] for line in code.splitlines() if "# <- " in line] == [*"12345"[:added]]


def test_the_pages_on_policies_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The examples of the page follow on one another, and read the policy that the page shows."""
    monkeypatch.chdir(tmp_path)
    page = "docs/policies.md"
    parts, refunds = (
        next(own for own in blocks(page, "yaml") if own.startswith(head)) for head in ("facts:", "policy:")
    )
    files = {"refunds.yaml": refunds, "cases.yaml": blocks(page, "yaml")[-1]}
    files |= {"rules.md": blocks(page, "markdown")[0], "tools.json": blocks(page, "json")[0]}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    begin, told = next(own for own in blocks(page, "console") if "policy draft" in own).splitlines()
    assert CliRunner().invoke(app, begin.split()[2:]).stdout.splitlines() == [told]
    with (tmp_path / "desk/policy.yaml").open("a", encoding="utf-8") as policy:
        policy.write(parts)
    strict = ["check", "desk/policy.yaml", "--strict"]
    for command in (strict, ["check", "refunds.yaml"], ["test", "refunds.yaml", "cases.yaml"]):
        result = CliRunner().invoke(app, ["policy", *command])
        assert result.exit_code == 0, result.output
    code = "\n".join(blocks("docs/policies.md", "python"))
    lines = printed(code).splitlines()
    assert len(lines) == 10 and all(line in promised(code) for line in lines), lines


def test_the_messages_of_the_readings_page_play_and_score_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "messages.jsonl").write_text(blocks("docs/readings.md", "json")[0], encoding="utf-8")
    play, shown, *_ = blocks("docs/readings.md", "text")
    for command in play.splitlines():
        result = CliRunner().invoke(app, command.split()[1:], terminal_width=200)
        assert result.exit_code == 0, (result.output, result.exception)
    report = json.loads(CliRunner().invoke(app, ["report", "run", "--json"]).stdout)
    for row, line in zip(report["runs"][0]["rows"], shown.splitlines()[1:], strict=True):
        figures, cells = row["figures"], line.split()[-5:]
        values = (figures[name]["value"] for name in ("exact", "with_doubtful", "wrong", "missed"))
        assert cells == [*("-" if own is None else f"{100 * own:.1f}" for own in values), f"{figures['messages']}"]


def test_the_logged_turn_gives_the_verdict_that_is_shown() -> None:
    turn = blocks("docs/check.md", "json")[0]
    result = CliRunner().invoke(app, ["check", "-"], input=turn)
    assert result.stdout.strip() == blocks("docs/check.md", "text")[0].strip()
    verdict = json.loads(CliRunner().invoke(app, ["check", "-", "--json"], input=turn).stdout)
    page = (ROOT / "docs/check.md").read_text(encoding="utf-8")
    assert all(f"`{field}`" in page for field in verdict if field != "id")


def test_the_item_of_the_claims_page_is_read_and_its_answer_follows(tmp_path: Path) -> None:
    from holdtrue_lab.suites.verge.files import load_verge
    from holdtrue_lab.suites.verge.gold_logic import proved_option
    from holdtrue_lab.suites.verge.perturb.generate import PERTURBATIONS

    (text,) = [block for block in blocks("docs/claims.md", "json") if '"options"' in block]
    path = tmp_path / "items.jsonl"
    path.write_text(json.dumps(json.loads(text)), encoding="utf-8")
    (item,) = load_verge(path)
    assert proved_option(item) == item.answer == "A"
    page = (ROOT / "docs/claims.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in page for name in (*item.__slots__, *PERTURBATIONS))


def test_the_plan_of_the_methods_page_runs_and_its_table_names_every_setting(tmp_path: Path) -> None:
    from holdtrue.kinds.assignment.method import Method
    from holdtrue_lab.kinds.assignment.tables import paired_tests
    from holdtrue_lab.kit.playing import describe_method
    from holdtrue_lab.kit.report import open_report

    text = blocks("docs/methods.md", "toml")[0]
    plan = tmp_path / "ablations.toml"
    plan.write_text(text, encoding="utf-8")
    options = ["--plan", str(plan), "--model", "sim/forget:0.4", "--generate", "3", "--turns", "2"]
    options += ["--extractor", "templates", "--quiet", "--out", str(tmp_path / "out")]
    result = CliRunner().invoke(app, ["run", "drift", *options])
    assert result.exit_code == 0, result.output
    own_methods = re.findall(r'^name = "(\w+)"', text, re.MULTILINE)
    assert f"{(1 + len(own_methods)) * 3 * 2} of" in result.stdout
    report = open_report([tmp_path / "out"])
    assert [row.arm.method for row in report.rows] == ["direct", *own_methods]
    assert {line[1] for line in paired_tests(report).lines} == set(own_methods), "each is tested against the baseline"
    page = (ROOT / "docs/methods.md").read_text(encoding="utf-8")
    own = {"name", "answerer"}  # not a setting of an ablation
    assert all(f"`{name}`" in page for name in describe_method(Method("any")) if name not in own)


def test_the_table_of_presets_gives_the_settings_that_make_them_of_the_plainest() -> None:
    from holdtrue.kinds.assignment.method import PRESETS, Method, find_method
    from holdtrue_lab.kit.playing import declare_method, describe_method

    page = (ROOT / "docs/methods.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", page.partition("| preset | settings |")[2].partition("\n\n")[0], re.M)
    assert [name for name, _ in rows] == [name for name in PRESETS if name != "direct"]
    plainest = describe_method(Method("mine"))
    for name, cell in rows:
        settings = tomllib.loads("\n".join(re.findall(r"`(.*?)`", cell)))
        made = declare_method({"name": "mine", **settings}, find_method, "direct")
        assert made == replace(PRESETS[name], name="mine")
        assert {key for key, value in describe_method(made).items() if value != plainest[key]} == settings.keys()


def test_the_other_plans_of_the_methods_page_run_and_its_table_names_every_setting_of_claims(tmp_path: Path) -> None:
    from dataclasses import fields

    from holdtrue.kinds.assignment.method import find_method
    from holdtrue_lab.kinds.claims.method import METHODS, BaselineMethod
    from holdtrue_lab.kit.playing import declare_method

    played = {
        "cross_query": ("--cases", "sim/labels:wrong=0.3", "20"),
        "cegvr": ("--problems", "sim/search:p=0.5", "1"),
        "verge": ("--items", "sim/claims", "1"),
    }
    _, numbered, *plans = blocks("docs/methods.md", "toml")
    (table,) = tomllib.loads(numbered)["method"]
    assert declare_method(table, find_method, "direct").retry_difference == "number"
    for (suite, (source, model, count)), text in zip(played.items(), plans, strict=True):
        made, plan = tmp_path / suite, tmp_path / f"{suite}.toml"
        plan.write_text(text, encoding="utf-8")
        assert CliRunner().invoke(app, ["generate", suite, "--count", count, "--out", str(made)]).exit_code == 0
        options = [source, str(made), "--model", model, "--plan", str(plan), "--limit", "1", "--out", f"{made}_run"]
        result = CliRunner().invoke(app, ["run", suite, *options])
        assert result.exit_code == 0, result.output
    section = (ROOT / "docs/methods.md").read_text(encoding="utf-8").partition("## Methods for claims")[2]
    assert all(f"`{own.name}`" in section for own in fields(BaselineMethod) if own.name != "name")
    assert {method.strategy for method in METHODS.values()} <= set(re.findall(r"`(\w+)`", section))
