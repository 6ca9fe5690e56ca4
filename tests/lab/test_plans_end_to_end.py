"""Every suite is played from a plan file against a server, stopped half way and resumed, with the same result.

The commands are those that people give. A run is stopped at a token limit in this process, or killed in another one.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue.models.chat import ChatModel
from holdtrue_lab.kinds.assignment.simulation.model import open_simulated
from holdtrue_lab.kinds.claims.simulation.model import SimulatedReasoner
from holdtrue_lab.kinds.labels.simulation import SimulatedAnswerer
from holdtrue_lab.kinds.search.simulation import SimulatedSearcher
from holdtrue_lab.kit.settings import CALLS_FILE, JOURNAL_FILE, SETTINGS_FILE
from holdtrue_lab.suites.belief.files import write_dialogues
from holdtrue_lab.suites.belief.generate import generate_dialogues
from holdtrue_lab.suites.cegvr.files import load_search_problems
from holdtrue_lab.suites.cross_query.files import write_benchmark
from holdtrue_lab.suites.cross_query.generate import generate as generate_cases
from holdtrue_lab.suites.verge.files import ITEMS as ITEMS_FILE
from holdtrue_lab.suites.verge.files import write_items
from tests.lab.kinds.claims.items import ITEMS
from tests.lab.kinds.search.problems import write_original
from tests.lab.kit.runs import contents
from tests.lab.kit.served import Served, serve
from tests.patience import HANG_S

LABELS = "sim/labels:wrong=0.4,confidence=0.9/0.6@3"
TIMES = ("_s", "seconds", "folder")
"""The ends of field names that may differ between two runs of the same plan."""


@dataclass(frozen=True)
class Suite:
    """A suite's plan, its further options, its model, and the methods in settings.json."""

    plan: str
    model: ChatModel
    methods: list[str]
    options: tuple[str, ...] = ()


def drift(folder: Path) -> Suite:
    plan = """
[run]
generate = 3
turns = 3
seed = 9
extractor = "templates"
method = "direct,self_consistency,one_try"
samples = 3
temperature = 0.3
max-tokens = 900

[[method]]
name = "one_try"
base = "drift_repair"
repairs = 1
"""
    return Suite(plan, open_simulated("forget:0.4+malform:0.1@3"), ["direct", "self_consistency_3", "one_try"])


def cross_query(folder: Path) -> Suite:
    cases = generate_cases(9, {"relational": 2, "policy": 1})
    write_benchmark(cases, folder, {})
    plan = f"""
[run]
cases = "{folder}"
method = "direct,self_consistency,three"

[[method]]
name = "three"
base = "self_consistency"
samples = 3
policy = "min_change"
"""
    methods = ["direct", "self_consistency_20", "three"]
    return Suite(plan, SimulatedAnswerer(LABELS, cases), methods, ("--samples", "20"))


def belief(folder: Path) -> Suite:
    dialogues = generate_dialogues(9, 2, turns=4)
    write_dialogues(dialogues, folder)
    plan = f"""
[run]
dialogues = "{folder}"
method = "none,cot_greedy,asked_again"

[[method]]
name = "asked_again"
base = "none"
repairs = 1
feedback = "conflict"
"""
    return Suite(plan, SimulatedAnswerer(LABELS, dialogues), ["none", "cot_greedy", "asked_again"])


def cegvr(folder: Path) -> Suite:
    write_original(folder)
    searcher = SimulatedSearcher("sim/search:p=0.2,core=0.3,claim=0.3,malformed=0.1@1", load_search_problems(folder))
    plan = f"""
[run]
problems = "{folder}"
method = "one_shot,cd_vgs,warm"
k = 2
rounds = 2
seeds = 2
solver-timeout-s = 60

[[method]]
name = "warm"
base = "cd_vgs"
temperature = 0.8
"""
    return Suite(plan, searcher, ["one_shot", "cd_vgs", "warm"])


def verge(folder: Path) -> Suite:
    write_items(ITEMS, folder / ITEMS_FILE)
    plan = f"""
[run]
items = "{folder}"
method = "direct,self_consistency,short"
samples = 2
formulas = 1
judges = 1
solver-timeout-s = 60
limit = 2

[[method]]
name = "short"
base = "verge"
rounds = 2
"""
    reasoner = SimulatedReasoner("sim/claims:wrong=0.5,misread=0.2,drop=0.2@3", ITEMS)
    return Suite(plan, reasoner, ["direct", "self_consistency_2", "short"])


SUITES: dict[str, Callable[[Path], Suite]] = {
    suite.__name__: suite for suite in (drift, cross_query, belief, cegvr, verge)
}


@dataclass(frozen=True)
class Played:
    """A suite with its server, and the folder of an uninterrupted run."""

    name: str
    suite: Suite
    served: Served
    folder: Path

    @property
    def whole(self) -> Path:
        return self.folder / "whole"

    def command(self, out: Path, *more: str) -> list[str]:
        plan = self.folder / "plan.toml"
        plan.write_text(self.suite.plan, encoding="utf-8")
        given = ["run", self.name, "--plan", f"{plan}", *self.suite.options, "--model", "openai/fake", "--quiet"]
        return [*given, "--base-url", self.served.url, "--max-connections", "3", "--out", f"{out}", *more]

    def run(self, out: Path, *more: str) -> int:
        result = CliRunner().invoke(app, self.command(out, *more))
        assert result.exception is None or isinstance(result.exception, SystemExit), result.output
        return result.exit_code


@pytest.fixture(scope="module", params=SUITES)
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    folder = tmp_path_factory.mktemp(request.param)
    (folder / "input").mkdir()
    suite = SUITES[request.param](folder / "input")
    with serve(suite.model) as served, pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", "none")
        found = Played(request.param, suite, served, folder)
        assert found.run(found.whole) == 0
        yield found


def report(folder: Path) -> Any:
    """Return the JSON report of a run without times."""
    result = CliRunner().invoke(app, ["report", f"{folder}", "--json"])
    assert result.exit_code == 0, result.output
    return _timeless(json.loads(result.stdout))


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _timeless(each) for name, each in value.items() if not name.endswith(TIMES)}
    return [_timeless(each) for each in value] if isinstance(value, list) else value


def settings(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / SETTINGS_FILE).read_text(encoding="utf-8"))
    return found


def tokens(folder: Path) -> int:
    calls = [json.loads(line) for line in (folder / CALLS_FILE).read_text(encoding="utf-8").splitlines()]
    return sum(call["prompt_tokens"] + call["completion_tokens"] for call in calls)


def check_that_it_is_the_whole_run(played: Played, out: Path) -> None:
    assert contents(out) == contents(played.whole)
    assert tokens(out) == tokens(played.whole), "nothing was paid for twice"
    resumed, whole = (report(folder) for folder in (out, played.whole))
    for found in (resumed, whole):
        for run in found["runs"]:
            run["settings"].pop("token_limit")
    assert resumed == whole
    compared = CliRunner().invoke(app, ["report", "--compare", f"{played.whole}", f"{out}", "--json"])
    found = json.loads(compared.stdout)
    assert (found["turns"], found["remarks"], found["differences"]) == ([], [], [])


def test_the_plan_is_what_was_played(played: Played) -> None:
    found = settings(played.whole)
    assert found["methods"] == played.suite.methods
    journal = (played.whole / JOURNAL_FILE).read_text(encoding="utf-8").splitlines()
    assert {json.loads(line)["method"] for line in journal} == set(played.suite.methods)
    assert {name for name in played.suite.methods if "_consistency_" in name} <= found["own_methods"].keys()
    if played.name == "drift":
        assert (found["temperature"], found["max_tokens"], found["seed"]) == (0.3, 900, 9)
    for name, own in found["own_methods"].items():
        if "_consistency_" in name:
            assert own["samples"] == int(name.rpartition("_")[2])


def test_a_run_that_was_stopped_half_way_comes_to_the_same(played: Played, tmp_path: Path) -> None:
    assert played.run(tmp_path, "--token-limit", str(tokens(played.whole) // 2)) == 3
    assert 0 < tokens(tmp_path) < tokens(played.whole)
    assert len(contents(tmp_path)) < len(contents(played.whole))
    assert played.run(tmp_path) == 0
    check_that_it_is_the_whole_run(played, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_run_that_was_killed_half_way_comes_to_the_same(played: Played, tmp_path: Path, how: signal.Signals) -> None:
    needed = len((played.whole / CALLS_FILE).read_bytes().splitlines())
    played.served.start_anew()
    command = [sys.executable, "-m", "holdtrue", *played.command(tmp_path / "out")]
    with subprocess.Popen(command, env={**os.environ, "OPENAI_API_KEY": "none"}, stdout=subprocess.DEVNULL) as process:
        ended = threading.Event()

        def wait() -> None:
            process.wait()
            ended.set()

        threading.Thread(target=wait, daemon=True).start()
        played.served.wait_for(needed // 2, ended)
        process.send_signal(how)
        assert ended.wait(HANG_S)
    played.served.settle()
    assert played.run(tmp_path / "out") == 0
    check_that_it_is_the_whole_run(played, tmp_path / "out")
