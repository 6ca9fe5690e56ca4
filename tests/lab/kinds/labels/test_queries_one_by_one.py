from __future__ import annotations

from pathlib import Path

import numpy as np

from holdtrue_lab.suites.cross_query.card import share_out
from holdtrue_lab.suites.cross_query.generate import generate
from tests.lab.kinds.labels.study import play_study
from tests.lab.kit.patterns import set_figures, sides, truth_patterns

MODEL = "sim/labels:wrong=0.4,confidence=0.8/0.6"


def test_every_turn_is_scored_by_what_was_delivered(tmp_path: Path) -> None:
    """Prefixes as they stood after each turn, and clashes with what was delivered before."""
    cases = generate(8, share_out(5))
    study = play_study(cases, ["direct", "maxsat_repair", "check_repair"], MODEL, tmp_path, ask="one")
    for method, by_case in study.entries.items():
        for id, turns in by_case.items():
            found = truth_patterns(study.cases[id])
            after = [[entry.record.detail.labels.get(query.id) for query in study.cases[id].queries] for entry in turns]
            delivered = [labels[place] for place, labels in enumerate(after)]
            clash = set_figures(found, np.array([sides(delivered)]))["clash"][0]
            prefix = set_figures(found, np.array([sides(labels) for labels in after]))["prefix"]
            scores = [entry.score for entry in turns if entry.score is not None]
            assert [score.clash for score in scores] == [(bool(each),) for each in clash]
            assert [score.prefix for score in scores] == [(bool(prefix[turn, turn]),) for turn in range(len(turns))]
            last = set_figures(found, np.array([sides(after[-1])]))
            whole = scores[-1].whole
            assert whole is not None and not any(score.whole for score in scores[:-1])
            assert (whole.consistent, whole.revision_cost) == (bool(last["consistent"][0]), int(last["cost"][0]))
            assert whole.epistemic == bool(last["epistemic"][0])
        row = study.rows[method]
        assert method != "maxsat_repair" or row.sets.consistent.value == 1
