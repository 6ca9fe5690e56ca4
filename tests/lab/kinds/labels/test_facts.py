from __future__ import annotations

from holdtrue_lab.kinds.labels.facts import first_labels
from tests.lab.kinds.labels.labelled import C, E, U, record


def test_the_first_attempt_counts_and_not_its_repair() -> None:
    assert first_labels(record(["q0"], {"q0": U}, {"q0": E}, {"q0": C})) == {"q0": E}


def test_what_could_not_be_read_has_its_label_from_the_next_attempt() -> None:
    made = record(["q0", "q1", "q2"], {}, None, {"q0": E}, {"q0": C, "q1": U}, kinds=("answer", "format", "repair"))
    assert first_labels(made) == {"q0": E, "q1": U}


def test_samples_are_one_answer_with_their_vote() -> None:
    drawn = ("sample", "sample", "vote", "repair")
    assert first_labels(record(["q0"], {}, {"q0": E}, {"q0": C}, {"q0": C}, {"q0": U}, kinds=drawn)) == {"q0": C}


def test_what_is_no_label_or_was_not_asked_is_left_out() -> None:
    assert first_labels(record(["q0", "q1"], {}, {"q0": "MAYBE", "q1": E, "q7": E})) == {"q1": E}
