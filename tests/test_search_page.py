"""The page about searches, and the part about searches on the page about methods, are correct."""

from __future__ import annotations

import contextlib
import io
import re
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, get_args

import pytest
from typer.testing import CliRunner

from holdtrue import SearchBudget, SearchMethod, SearchSession
from holdtrue.cli.main import app
from holdtrue.kinds.search.method import SEARCH_PRESETS, SearchAnswerer, SearchFeedback, find_search_method
from holdtrue.kinds.search.prompts import SHAPE
from holdtrue.kinds.search.reader import Infeasible, read_candidate
from holdtrue.kinds.search.record import CandidateOutcome
from holdtrue.kinds.search.rounds import MOST_REFUTED
from holdtrue.world.answer import Assignment, Unparsed
from holdtrue_lab.kinds.search.simulation import SearchCharacter
from holdtrue_lab.suites.cegvr.files import problem_to_json
from holdtrue_lab.suites.cegvr.generate import STYLES, make_problems
from holdtrue_lab.suites.cegvr.prove import EASY, MEDIUM
from holdtrue_lab.suites.cegvr.rewrite import FAMILIES, rewrite
from holdtrue_lab.suites.cegvr.transfer import KINDS
from tests.recorder import Recorder
from tests.test_docs_examples import ROOT, blocks, printed
from tests.test_query_pages import comments, first_column

PAGE = "docs/search.md"
PAGE_TEXT = (ROOT / PAGE).read_text(encoding="utf-8")
FEW = {"generate": ["--count", "3"], "study": ["--count", "1", "--k", "1", "--rounds", "1", "--seeds", "1"]}


def commands_of(page: str) -> list[list[str]]:
    """The commands about searches, without `holdtrue`."""
    shown = "".join(block for block in blocks(page, "console") if "cegvr" in block and "drift" not in block)
    lines = [line for line in shown.splitlines() if "cegvr" in line or "searches" in line or "runs/search" in line]
    return [line.partition("  #")[0].removeprefix("$ holdtrue ").split() for line in lines]


def section(title: str) -> str:
    """The text below a headline, to the next one."""
    return PAGE_TEXT.split(f"# {title}\n")[1].partition("\n#")[0]


def test_the_python_example_prints_what_its_comments_say() -> None:
    (code,) = blocks(PAGE, "python")
    assert len(comments(code)) == 5
    assert printed(code).splitlines() == comments(code)


def test_the_model_of_the_example_is_told_what_the_page_shows() -> None:
    (code,) = blocks(PAGE, "python")
    names: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(code, "example", "exec"), names)
    model = Recorder(lambda request: names["replies"][len(model.requests) - 1])
    with SearchSession(names["fleet"](14), model=model, limits=SearchBudget(k=1, rounds=4)) as session:
        session.ask()
        assert session.method == SEARCH_PRESETS["cd_vgs"]
    (shown,) = blocks(PAGE, "text")
    said = model.requests[1].messages[-1].content
    assert said[said.index(shown[:20]) : said.index(SHAPE)].strip() == shown.strip()


def test_the_commands_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    *commands, study = commands_of(PAGE)
    assert [command[0] for command in commands] == ["generate", "validate", "run", "report", "report"]
    for command in commands:
        result = CliRunner().invoke(app, [*command, *FEW.get(command[0], ())])
        assert result.exit_code == 0, (command, result.output)
    help_text = CliRunner().invoke(app, ["study", "cegvr", "--help"]).stdout
    assert study[:2] == ["study", "cegvr"]
    assert all(option in help_text for option in study if option.startswith("--"))


def test_the_page_names_every_method_outcome_and_variant() -> None:
    assert first_column(PAGE, "| method | the next prompt carries") == list(SEARCH_PRESETS)
    assert first_column(PAGE, "| outcome | of a candidate") == list(CandidateOutcome)
    assert first_column(PAGE, "| variant | change") == list(FAMILIES)
    withheld = section("What never reaches a prompt")
    named = re.findall(r"`(\w+\+witness)`", withheld)
    assert [find_search_method(name).reveal_witness for name in named] == [True, True]


def test_every_option_on_the_page_is_one() -> None:
    for verb, title in (("run", "| option of `run` |"), ("generate", "| option of `generate` |")):
        help_text = CliRunner().invoke(app, [verb, "cegvr", "--help"]).stdout
        table = PAGE_TEXT[PAGE_TEXT.index(title) :].partition("\n\n")[0]
        options = set(re.findall(r"`(--[\w-]+)", table))
        assert len(options) == {"run": 11, "generate": 3}[verb], options
        assert not [option for option in options if f"{option} " not in help_text]
    assert {f"--kind {kind}" for kind in KINDS} == set(re.findall(r"`(--kind \w+)`", PAGE_TEXT))
    assert {f"--style {style}" for style in STYLES if style != "sparse"} == set(
        re.findall(r"`(--style \w+)`", PAGE_TEXT)
    )


def test_the_numbers_of_the_page_are_those_of_the_code() -> None:
    limits, method = SearchBudget(), SEARCH_PRESETS["cd_vgs"]
    assert f"SearchBudget(k={limits.k}, rounds={limits.rounds}, tokens=None, seconds=None)" in PAGE_TEXT
    assert (limits.tokens, limits.seconds, method.temperature) == (None, None, None)
    assert f"up to {MOST_REFUTED} refuted assignments" in PAGE_TEXT
    assert f"up to {EASY} is easy, up to {MEDIUM} medium" in PAGE_TEXT


def test_the_contract_is_as_the_page_shows_it() -> None:
    (shown,) = blocks(PAGE, "json")
    first, second = shown.splitlines()
    assert read_candidate(("x1", "x2"), first) == Assignment({"x1": 4, "x2": 0})
    assert read_candidate(("x1", "x2"), f"So it is: {second}") == Infeasible()
    wrong = section("The candidate contract")
    for value in ('"4"', "4.0", "true"):
        assert f"`{value}`" in wrong
        assert isinstance(read_candidate(("x1", "x2"), first.replace("4", value)), Unparsed)


def test_the_page_names_all_that_a_file_holds() -> None:
    problems = [problem for kind in ("linear", "latin5", "schedule") for problem in make_problems(7, 4, kind=kind)]
    problems += [rewrite(problems[0], family, 7) for family in FAMILIES]
    problems += make_problems(7, 2, style="upstream")
    files = section("The files")
    lines = list(map(problem_to_json, problems))
    known = {key for line in lines for key in (*line, *line["metadata"])}
    known |= {key for line in lines for each in line["constraints"] for key in each}
    # Parts of kinds of constraints, which the schema's own docstring explains.
    parts = {"constraints", "constraint", "variables"}
    assert known - parts <= set(re.findall(r"`(\w+)`", files))
    in_metadata = set(first_column(PAGE, "| in `metadata` | meaning"))
    assert in_metadata == {key for line in lines for key in line["metadata"]}


def test_the_page_names_every_part_of_a_simulated_searcher() -> None:
    table = section("Simulated searchers")
    first = "".join(line.split("|")[1] for line in table.splitlines() if line.startswith("|"))
    own = {field.name for field in fields(SearchCharacter)}
    assert set(re.findall(r"`([a-z]+)`", first)) | {"seed"} == own
    for name in re.findall(r"`(sim/search:\S+)`", PAGE_TEXT):
        assert SearchCharacter.read(name).name == name
    assert (SearchCharacter().p, SearchCharacter().changed) == (1.0, 0.3)


def test_the_page_about_methods_names_every_setting_of_a_search() -> None:
    methods_text = (ROOT / "docs/methods.md").read_text(encoding="utf-8").partition("## Methods for searches")[2]
    assert all(f"| `{own.name}` |" in methods_text for own in fields(SearchMethod) if own.name != "name")
    for kinds in (SearchFeedback, SearchAnswerer):
        assert all(f"`{kind}`" in methods_text for kind in get_args(kinds))
    assert 'method=SearchMethod("hot", feedback="conflict", partial=True, temperature=0.8)' in methods_text
    hot = SearchMethod("hot", feedback="conflict", partial=True, temperature=0.8)
    assert hot == replace(SEARCH_PRESETS["cd_vgs"], name="hot", temperature=0.8), "the page says conflict is cd_vgs"


def test_every_link_within_the_page_leads_somewhere() -> None:
    titles = {
        re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in re.findall(r"^#+ (.*)$", PAGE_TEXT, re.M)
    }
    links = re.findall(r"\]\(#([\w-]+)\)", PAGE_TEXT)
    assert len(links) >= 3
    assert set(links) <= titles
