"""Comparisons of two simulated runs of each suite agree with a plain reading of their journals."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from holdtrue.errors import RecordError, SettingsError
from holdtrue.models.sampling import Sampling
from holdtrue_lab.figures.significance import holm, mcnemar, paired
from holdtrue_lab.figures.table import SOFT_HYPHEN
from holdtrue_lab.kinds.assignment.simulation.model import open_simulated
from holdtrue_lab.kit.journal import read_entries
from holdtrue_lab.kit.registry import find_suite
from holdtrue_lab.kit.runner import run
from holdtrue_lab.kit.settings import JOURNAL_FILE, SETTINGS_FILE
from holdtrue_lab.kit.two_runs import writing
from holdtrue_lab.kit.two_runs.changes import ChangeKind
from holdtrue_lab.kit.two_runs.comparison import TwoRuns, compare_runs
from holdtrue_lab.kit.two_runs.writing import SHOWN, all_tables
from holdtrue_lab.suites.belief.generate import generate_dialogues
from holdtrue_lab.suites.cross_query.generate import generate as generate_cases
from holdtrue_lab.suites.drift.generate import generate
from tests.lab.kinds.claims.items import ITEMS
from tests.lab.kinds.search.problems import IMPOSSIBLE, SOLVABLE
from tests.lab.kinds.written import write_run
from tests.lab.kit.entries import turn
from tests.lab.kit.plans import plan_for

Problems = list[Any]
SUITES: dict[str, tuple[Callable[[], Problems], str, str]] = {
    "drift": (lambda: list(generate(9, 6, turns=3)), "sim/forget:{}@{}", "direct,mus_repair"),
    "cross_query": (
        lambda: list(generate_cases(9, {"relational": 3, "policy": 2})),
        "sim/labels:wrong={}@{}",
        "direct,maxsat_repair",
    ),
    "belief": (lambda: list(generate_dialogues(9, 3, turns=4)), "sim/labels:wrong={}@{}", "none,greedy"),
    "cegvr": (lambda: [SOLVABLE, IMPOSSIBLE], "sim/search:p=0.2,claim={}@{}", "one_shot,cd_vgs"),
    "verge": (lambda: list(ITEMS), "sim/claims:wrong={}@{}", "direct,self_refine"),
}
OWN: dict[str, dict[str, Any]] = {
    "drift": {"extractor": "templates"},
    "cegvr": {"k": 2, "rounds": 2, "seeds": 2},
    "verge": {"measure": False},
}


def play(suite: str, folder: Path, rate: float, seed: int, **changes: Any) -> Path:
    problems, model, methods = SUITES[suite]
    found, name, playing = problems(), model.format(rate, seed), find_suite(suite).kind.playing()
    chosen = [playing.find_method(method) for method in changes.pop("methods", methods).split(",")]
    plan = plan_for(suite, found, chosen, **{"model": name, **OWN.get(suite, {}), **changes})
    asyncio.run(run(plan, playing.simulated(name, found) or open_simulated(name), folder))
    return folder


@pytest.fixture(scope="module", params=SUITES)
def folders(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return two runs of a suite by simulated models with different fault rates."""
    place = tmp_path_factory.mktemp(request.param)
    return play(request.param, place / "a", 0.6, 1), play(request.param, place / "b", 0.2, 2)


@pytest.fixture(scope="module")
def two(folders: tuple[Path, Path]) -> TwoRuns:
    return compare_runs(folders)


def lines(folder: Path) -> Iterator[dict[str, Any]]:
    for line in (folder / JOURNAL_FILE).read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def rates(folder: Path, method: str) -> dict[str, float]:
    """Return the share of right answers of each problem, from its entries alone."""
    found: dict[str, list[float]] = {}
    for entry in read_entries(folder):
        tally = getattr(entry, "tally", None)
        if entry.method == method and tally is not None:
            found.setdefault(entry.problem, []).extend([1.0] * tally[0] + [0.0] * (tally[1] - tally[0]))
    return {problem: sum(right) / len(right) for problem, right in found.items()}


def test_tests_are_those_of_plain_reading(folders: tuple[Path, Path], two: TwoRuns) -> None:
    tests = [test for test in two.tests if test.figure == "accuracy"]
    assert [test.arm.method for test in tests] == list(two.matched.methods)
    for test in tests:
        a, b = (rates(folder, test.arm.method) for folder in folders)
        changed = {line["problem"] for line in lines(folders[0]) if (line.get("score") or {}).get("perturbs")}
        problems = [problem for problem in sorted(a) if problem not in changed]
        assert test.paired.problems == len(problems)
        if two.suite == "belief":
            continue  # judged by the final beliefs, which are no single turn's labels
        plain = paired([b[problem] for problem in problems], [a[problem] for problem in problems])
        assert test.paired.difference == pytest.approx(plain.difference)
        assert test.paired.p == pytest.approx(plain.p, abs=0.02), "resampled in another order of problems"
        solved = [(a[problem] > 0.5, b[problem] > 0.5) for problem in problems]
        assert test.solved is not None
        assert test.solved.p == mcnemar(solved.count((False, True)), solved.count((True, False)))
        assert test.mean - test.other_mean == pytest.approx(test.paired.difference)
    assert [test.holm for test in tests] == pytest.approx(holm([test.paired.p for test in tests]))
    exact = [test.solved for test in tests if test.solved is not None]
    assert [each.holm for each in exact] == pytest.approx(holm([each.p for each in exact]))


def test_all_changed_turns_and_no_others_are_in_the_json(folders: tuple[Path, Path], two: TwoRuns) -> None:
    text = StringIO()
    writing.write_json(two, text.write)
    found = json.loads(text.getvalue())
    entries = [
        {(entry.problem, entry.method, entry.turn): entry for entry in read_entries(folder)} for folder in folders
    ]
    assert entries[0].keys() == entries[1].keys()
    apart: dict[Any, tuple[Any, ...]] = {}
    for key, one in entries[0].items():
        other = entries[1][key]
        a, b = ((e.tally, e.record.outcome, e.given) for e in (one, other))  # type: ignore[union-attr]
        if a != b:
            apart[key] = (a, b)
    assert {(each["problem"], each["method"], each["turn"]) for each in found["turns"]} == apart.keys()
    assert len(found["turns"]) == len(apart) == len(two.changes) > 0
    for each in found["turns"]:
        a, b = apart[each["problem"], each["method"], each["turn"]]
        for told, (tally, outcome, given) in ((each["a"], a), (each["b"], b)):
            assert (told["right"], told["of"], told["outcome"]) == (*tally, outcome.value)
            assert told["answer"] == given
        assert (each["change"] == "fixed") is (b[0][0] / b[0][1] > a[0][0] / a[0][1])
        assert (each["change"] == "broken") is (b[0][0] / b[0][1] < a[0][0] / a[0][1])
    assert [each["setting"] for each in found["differences"]] == ["model"]


def test_tables_are_narrow_and_their_captions_short(two: TwoRuns) -> None:
    tables = {table.name: table for table in all_tables(two)}
    assert {"differences", "accuracy", "costs", "changes", "turns"} <= tables.keys()
    for table in tables.values():
        assert len(table.columns) <= 9, table.name
        assert 1 <= table.note.count(". ") + table.note.endswith(".") <= 2, table.note
        assert all(column.title.replace(SOFT_HYPHEN, "") for column in table.columns)
    assert len(tables["turns"].lines) == min(SHOWN, len(two.changes))


def test_a_terminal_and_a_page_show_both(two: TwoRuns, tmp_path: Path) -> None:
    from rich.console import Console

    console = Console(file=StringIO(), width=120)
    writing.show_comparison(two, console)
    assert isinstance(console.file, StringIO)
    shown = console.file.getvalue()
    assert max(map(len, shown.splitlines())) <= 120
    assert shown.startswith("A is ") and "\nB is " in shown
    page = writing.write_comparison_page(two, tmp_path / "page.html", 2).read_text(encoding="utf-8")
    assert page.count('<section class="problem"') == min(2, len({each.problem for each in two.changes}))
    assert "those that changed, as far as both runs have finished them" in page
    [left, right] = [part.split("</option>")[0] for part in page.split(" selected>")[1:]]
    assert left.endswith(", A") and right.endswith(", B")
    of_left, of_right = (side.split(" · ")[0].split(" (")[0] for side in (left, right))
    assert of_left == of_right, "one method, side by side"


def test_rows_for_data_frames_have_every_turn_of_both(two: TwoRuns, tmp_path: Path) -> None:
    import polars

    writing.write_turns(two, tmp_path / "turns.parquet")
    rows = polars.read_parquet(tmp_path / "turns.parquet")
    assert len(rows) == len(two.matched.turns)
    expected = {"same": sum(counted.same for counted in two.counted)}
    for kind in ChangeKind:
        expected[kind.value] = sum(counted.changed[kind] for counted in two.counted)
    found = dict(rows.group_by("change").len().iter_rows())
    assert found == {kind: number for kind, number in expected.items() if number}


def test_a_run_beside_its_copy_has_nothing_to_tell(folders: tuple[Path, Path], tmp_path: Path) -> None:
    for name in (JOURNAL_FILE, SETTINGS_FILE):
        (tmp_path / name).write_bytes((folders[0] / name).read_bytes())
    two = compare_runs([folders[0], tmp_path])
    assert (two.changes, two.differences) == ((), ())
    assert all(each.same == each.compared and not each.unknown for each in two.prompts)
    assert all(test.paired.difference == 0 and test.paired.p == 1 for test in two.tests)
    assert two.remarks == ()


def test_what_only_one_run_has_is_told_and_the_rest_measured_as_if_it_were_all(tmp_path: Path) -> None:
    a = play("drift", tmp_path / "a", 0.6, 1, methods="direct,mus_repair,cot", limit=5)
    b = play("drift", tmp_path / "b", 0.2, 2, methods="mus_repair,direct,project", sampling=Sampling(seed=7))
    journal = a / JOURNAL_FILE
    kept = journal.read_text(encoding="utf-8").splitlines(keepends=True)
    last = max(n for n, line in enumerate(kept) if json.loads(line)["method"] == "direct")
    lost = json.loads(kept[last])
    journal.write_text("".join(line for n, line in enumerate(kept) if n != last), encoding="utf-8")
    text = (b / JOURNAL_FILE).read_text(encoding="utf-8").splitlines(keepends=True)
    reworded = json.loads(text[0])["problem"]
    assert reworded != lost["problem"]
    changed = [json.loads(line) for line in text]
    for line in changed:
        if line["problem"] == reworded and line["turn"] == 1:
            line["record"]["user_message"] += " Please."
    (b / JOURNAL_FILE).write_text("".join(json.dumps(line) + "\n" for line in changed), encoding="utf-8")
    two = compare_runs([a, b])
    remarks = " ".join(two.remarks)
    assert "A is unfinished: 14 of 15 conversations." in remarks
    assert "Only A has played cot." in remarks and "Only B has played project." in remarks
    assert "Only B has the 1 problem " in remarks
    assert f"B has 1 turn that A lacks: {lost['problem']} {lost['turn']} (direct)." in remarks
    assert f"Not compared, because A and B were asked otherwise, 1 problem: {reworded}." in remarks
    assert [each.setting for each in two.differences] == ["model", "seed", "limit"]
    # Journals that hold only the compared turns give the same figures.
    for folder in (a, b):
        path = folder / JOURNAL_FILE
        only = [line for line in path.read_text(encoding="utf-8").splitlines(keepends=True) if _compared(two, line)]
        path.write_text("".join(only), encoding="utf-8")
    again = compare_runs([a, b])
    assert (again.tests, again.figures) == (two.tests, two.figures)
    assert {test.paired.problems for test in two.tests} == {3, 4}


def _compared(two: TwoRuns, line: str) -> bool:
    entry = json.loads(line)
    return (entry["problem"], entry["method"]) in two.matched.finished


def test_prompts_that_changed_are_counted(tmp_path: Path) -> None:
    a = play("drift", tmp_path / "a", 0.6, 1)
    b = play("drift", tmp_path / "b", 0.6, 1, protocol="upstream")
    two = compare_runs([a, b])
    assert [(each.method, each.compared, each.same) for each in two.prompts] == [("direct", 6, 0), ("mus_repair", 6, 0)]
    [table] = [table for table in all_tables(two) if table.name == "differences"]
    assert [line[0] for line in table.lines] == ["protocol", "play.protocol"] + [
        f"first prompts of {method}" for method in two.matched.methods
    ]


def test_methods_of_one_name_may_differ_between_the_runs_and_say_how(tmp_path: Path) -> None:
    playing = find_suite("drift").kind.playing()
    for name, repairs in (("a", 1), ("b", 2)):
        own = playing.declare_method({"name": "tries", "base": "drift_repair", "repairs": repairs})
        plan = plan_for("drift", generate(9, 3, turns=2), [own], model="sim/forget:0.5@1", extractor="templates")
        asyncio.run(run(plan, open_simulated("sim/forget:0.5@1"), tmp_path / name))
    two = compare_runs([tmp_path / "a", tmp_path / "b"])
    assert [(each.setting, each.a, each.b) for each in two.differences] == [("own_methods.tries.repairs", 1, 2)]
    writing.write_comparison_page(two, tmp_path / "page.html", 9)


def test_unfinished_conversations_are_compared_turn_by_turn_without_a_test(tmp_path: Path) -> None:
    for name, right in (("a", False), ("b", True)):
        write_run(tmp_path / name, [turn("p", 1, correct=right)], problems=2)
    two = compare_runs([tmp_path / "a", tmp_path / "b"])
    assert (two.tests, len(two.changes)) == ((), 1)
    assert two.remarks[-1] == "No conversation is finished in both, so that there is no test."
    page = writing.write_comparison_page(two, tmp_path / "page.html", 9).read_text(encoding="utf-8")
    assert "A is unfinished: 0 of 2 conversations." in page


def test_a_method_that_was_played_under_several_settings_is_named(tmp_path: Path) -> None:
    for name in "ab":
        model = "sim/test" if name == "a" else "sim/other"
        played = [own for number in (1, 2) for own in (turn("p", number), turn("q", number, model=model))]
        write_run(tmp_path / name, played)
    two = compare_runs([tmp_path / "a", tmp_path / "b"])
    assert two.remarks == ("Played under several settings, of which all problems count: direct in B.",)
    [test] = [test for test in two.tests if test.figure == "accuracy"]
    assert test.paired.problems == 2


def test_what_cannot_be_compared_says_why(tmp_path: Path) -> None:
    for name, problem, method in (("a", "p", "direct"), ("b", "q", "direct"), ("c", "p", "cot")):
        write_run(tmp_path / name, [turn(problem, 1, method=method)])
    with pytest.raises(RecordError, match="have no turn in common: they have other problems"):
        compare_runs([tmp_path / "a", tmp_path / "b"])
    with pytest.raises(RecordError, match="have no turn in common: they have other methods"):
        compare_runs([tmp_path / "a", tmp_path / "c"])
    for folders in ([tmp_path / "a"], [tmp_path / "a"] * 2, [tmp_path / "a", tmp_path / "b", tmp_path / "c"]):
        with pytest.raises(SettingsError, match="--compare takes the folders of two runs, A and B, got "):
            compare_runs(folders)
