from __future__ import annotations

import pytest

from holdtrue.record import Usage
from holdtrue_lab.figures.significance import paired
from holdtrue_lab.kinds.labels.entry import SetScore, first_labels
from holdtrue_lab.kinds.labels.metrics import FIGURES, simplest
from holdtrue_lab.kinds.labels.metrics import MEASURE as measure_labels
from holdtrue_lab.kinds.labels.report import compare_labels, reference
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.entry import Entry
from holdtrue_lab.kit.plays import ArmPlays, Play
from tests.lab.kinds.labels.labelled import C, E, U, entry, record

GOLD = {"q0": E, "q1": U, "q2": C}
ASKED = Usage(1, 10, 1, 0.1)


def plays(*entries: Entry) -> tuple[ArmPlays[Play], ...]:
    return measure_labels(entries).plays


def whole(cost: int) -> SetScore:
    return SetScore(cost == 0, cost == 0, cost, 3)


def test_every_figure_is_compared_by_case() -> None:
    wrong, half = {"q0": C, "q1": E, "q2": E}, {"q0": E, "q1": E, "q2": U}
    found = compare_labels(
        [
            plays(
                entry("p", GOLD, wrong, whole=whole(3), prefix=[False, False, False], usage=ASKED),
                entry("q", GOLD, half, whole=whole(1), prefix=[True, False, None], usage=ASKED),
                entry("r", GOLD, GOLD, whole=whole(0), prefix=[True, True, True], usage=ASKED),
                entry("p", GOLD, GOLD, method="fix", whole=whole(0), prefix=[True] * 3, solver_calls=1),
                entry("q", GOLD, half, method="fix", whole=whole(0), prefix=[True] * 3, solver_calls=1),
                entry("s", GOLD, GOLD, method="fix", whole=whole(0), prefix=[True] * 3, solver_calls=1),
            )
        ]
    )
    assert tuple(found) == FIGURES
    pairs = {
        "accuracy": ([1.0, 1 / 3], [0.0, 1 / 3]),
        "set_consistency": ([1.0, 1.0], [0.0, 0.0]),
        "epistemic_consistency": ([1.0, 1.0], [0.0, 0.0]),
        "auc_prefix_consistency": ([1.0, 1.0], [0.0, 1 / 2]),
        "kept": ([1.0, 1.0], [0.0, 2 / 3]),
    }
    for figure, (first, second) in pairs.items():
        [comparison] = found[figure]
        assert (comparison.arm.method, comparison.other.method) == ("fix", "direct")
        assert comparison.paired == paired(first, second)
    # Over queries, or over whole cases.
    assert found["accuracy"][0].accuracy == pytest.approx(4 / 6)
    assert found["accuracy"][0].turns == 6
    assert (found["set_consistency"][0].accuracy, found["set_consistency"][0].turns) == (1.0, 2)


def test_what_is_undecided_under_one_arm_plays_no_part() -> None:
    none = SetScore(None, None, None, 3)
    found = compare_labels(
        [
            plays(
                entry("p", GOLD, GOLD, whole=none, prefix=[None, True, True]),
                entry("q", GOLD, GOLD, whole=whole(0)),
                entry("p", GOLD, GOLD, method="cot", whole=whole(1), prefix=[True, False, True]),
                entry("q", GOLD, GOLD, method="cot", whole=whole(1)),
            )
        ]
    )
    assert [found[figure][0].paired.problems for figure in FIGURES] == [2, 1, 1, 1, 1]
    assert found["auc_prefix_consistency"][0].paired == paired([0.5], [1.0])


def test_each_policy_is_compared_with_none_under_the_same_prompting() -> None:
    methods = ("none", "greedy", "cot_none", "cot_greedy", "always_unknown")
    calls = {"greedy": 1, "cot_greedy": 1}
    entries = [
        entry("p", GOLD, GOLD, suite="belief", method=m, usage=ASKED, solver_calls=calls.get(m, 0)) for m in methods[:4]
    ]
    found = compare_labels([plays(*entries, entry("p", GOLD, GOLD, suite="belief", method="always_unknown"))])
    assert {(each.arm.method, each.other.method) for each in found["accuracy"] if each.planned} == {
        ("greedy", "none"),
        ("cot_none", "none"),
        ("cot_greedy", "cot_none"),
        ("cot_greedy", "none"),  # the strongest other baseline
        ("always_unknown", "none"),
    }
    arms = {m: Arm("belief", "m", "one", "gold", m) for m in methods}
    assert [reference(arms[m]) for m in methods] == ["none", "none", "none", "cot_none", "none"]
    assert reference(Arm("cross_query", "m", "one", "gold", "cot_none")) == simplest("cross_query") == "direct"


def test_what_could_not_be_read_has_its_label_from_the_next_attempt() -> None:
    made = record(["q0", "q1", "q2"], {}, None, {"q0": E}, {"q0": C, "q1": U}, kinds=("answer", "format", "repair"))
    assert first_labels(made) == {"q0": E, "q1": U}


def test_samples_are_one_answer_with_their_vote() -> None:
    drawn = ("sample", "sample", "vote", "repair")
    assert first_labels(record(["q0"], {}, {"q0": E}, {"q0": C}, {"q0": C}, {"q0": U}, kinds=drawn)) == {"q0": C}


def test_what_is_no_label_or_was_not_asked_is_left_out() -> None:
    assert first_labels(record(["q0", "q1"], {}, {"q0": "MAYBE", "q1": E, "q7": E})) == {"q1": E}
