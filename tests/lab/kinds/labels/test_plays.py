from __future__ import annotations

from holdtrue.record import Usage
from holdtrue_lab.kinds.labels.metrics import MEASURE as measure_labels
from holdtrue_lab.kinds.labels.metrics import simplest
from holdtrue_lab.kinds.labels.report import compare_labels, reference
from holdtrue_lab.kit.arm import Arm
from holdtrue_lab.kit.entry import Entry
from holdtrue_lab.kit.plays import ArmPlays, Play
from tests.lab.kinds.labels.labelled import C, E, U, entry

GOLD = {"q0": E, "q1": U, "q2": C}
ASKED = Usage(1, 10, 1, 0.1)


def plays(*entries: Entry) -> tuple[ArmPlays[Play], ...]:
    return measure_labels(entries).plays


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
