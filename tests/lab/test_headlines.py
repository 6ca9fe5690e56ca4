"""A headline is about one thing: two runs in one report have the headlines that each has alone."""

from __future__ import annotations

from dataclasses import astuple
from pathlib import Path

import pytest
from typer.testing import CliRunner

from holdtrue.cli.main import app
from holdtrue_lab.kit.report import headlines, open_report

BELIEF = ["--model", "sim/labels:wrong=0.2", "--method", "none,greedy,min_change"]
DRIFT = ["--model", "sim/forget:0.3", "--method", "direct,mus_repair"]
SEARCH = ["--model", "sim/search:p=0.3", "--method", "one_shot,multi_generic_feedback", "--seeds", "1"]


def call(*words: str) -> None:
    done = CliRunner().invoke(app, [*words])
    assert done.exit_code == 0, done.output


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Runs that share a model and methods, and differ in schedule, split, seed of their problems, or source."""
    folder = tmp_path_factory.mktemp("runs")
    for schedule in ("random", "stress"):
        call("generate", "belief", "--count", "8", "--schedule", schedule, "--out", str(folder / "dialogues"))
    call("generate", "drift", "--count", "12", "--turns", "3", "--out", str(folder / "problems"))
    for seed in ("1", "2"):
        call("generate", "cegvr", "--count", "8", "--seed", seed, "--out", str(folder / f"search{seed}"))
    made = {
        **{own: ["belief", "--dialogues", "dialogues", "--schedule", own, *BELIEF] for own in ("random", "stress")},
        **{own: ["drift", "--problems", "problems", "--split", own, *DRIFT] for own in ("dev", "test")},
        "generated": ["drift", "--generate", "3", "--turns", "3", *DRIFT],
        **{f"search{seed}": ["cegvr", "--problems", f"search{seed}", *SEARCH] for seed in ("1", "2")},
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name, words in made.items():
            call("run", *words, "--out", f"runs/{name}", "-q")
    return {name: folder / "runs" / name for name in made}


PAIRS = [("random", "stress"), ("dev", "test"), ("test", "generated"), ("dev", "generated"), ("search1", "search2")]


@pytest.mark.parametrize("pair", PAIRS, ids="+".join)
def test_two_runs_have_the_headlines_of_each_alone(pair: tuple[str, str], runs: dict[str, Path]) -> None:
    alone = [astuple(own)[1:] for name in pair for own in headlines(open_report([runs[name]]))]
    both = headlines(open_report([runs[name] for name in pair]))
    assert [astuple(own)[1:] for own in both] == alone
    assert len({own.model for own in both}) == 2


def test_a_run_that_was_played_in_two_folders_is_one(runs: dict[str, Path], tmp_path: Path) -> None:
    """Equal problems are no two things, wherever their folder is."""
    report = open_report([runs["dev"], runs["dev"]])
    assert [own.model for own in headlines(report)] == ["sim/forget:0.3"]
