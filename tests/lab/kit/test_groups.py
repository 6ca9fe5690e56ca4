from __future__ import annotations

from pathlib import Path

from holdtrue_lab.kinds.assignment.measured import measure_run
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.folder import read_run
from holdtrue_lab.kit.groups import Names, group
from tests.lab.kinds.assignment.test_report import write


def arm(model: str = "m", protocol: str = "stated", extractor: str = "llm", method: str = "direct") -> Arm:
    return Arm("drift", model, protocol, extractor, method)


def test_names_say_what_differs_and_no_more() -> None:
    names = Names([(Path("a"), [arm(), arm(method="cot")]), (Path("b"), [arm("n")])])
    assert names.model(arm()) == "m"
    names = Names([(Path("a"), [arm()]), (Path("b"), [arm(protocol="upstream")])])
    assert names.model(arm(protocol="upstream")) == "m (upstream)"
    names = Names([(Path("a"), [arm()]), (Path("b"), [arm(protocol="upstream", extractor="gold")])])
    assert names.model(arm()) == "m (stated, llm)"


def test_the_folder_is_named_only_where_two_have_the_same_row() -> None:
    names = Names([(Path("a"), [arm(), arm("n")]), (Path("b"), [arm()])])
    assert names.model_in(Path("b"), arm()) == "m in b"
    assert names.model_in(Path("a"), arm("n")) == "n"


def test_a_method_has_the_title_of_its_row() -> None:
    titled = arm(extractor="gold")
    assert Names([], {titled: "oracle: direct"}).method(titled) == "oracle: direct"
    assert Names([]).method(titled) == "direct"


def test_methods_of_one_model_stand_together_whichever_folder_they_ran_in(tmp_path: Path) -> None:
    rows = []
    for method in ("direct", "project"):
        run = read_run(write(tmp_path / method, method=method), measure_run)
        rows.append((run.folder, run.rows))
    names = Names((folder, [row.arm for row in each]) for folder, each in rows)
    [found] = group(rows, names)
    assert (found.label, [row.arm.method for row in found.whole]) == ("sim/test", ["direct", "project"])
    twice = [*rows, (Path("again"), rows[0][1])]
    names = Names((folder, [row.arm for row in each]) for folder, each in twice)
    assert [each.label for each in group(twice, names)] == [f"sim/test in {folder}" for folder, _ in twice]
