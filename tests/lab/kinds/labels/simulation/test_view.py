from __future__ import annotations

import pytest

from holdtrue.kinds.labels.prompts import LABEL_SYSTEM, LabelRepair, Words, label_format_retry
from holdtrue.models.chat import assistant, user
from holdtrue.record import Label
from holdtrue_lab.kinds.labels.simulation.view import LabelTask, view_labels
from holdtrue_lab.kit.simulation.model import FormatTask
from tests.lab.kinds.assignment.simulation.lamps import LAMPS, asked

GIVEN = {"q0": Label.ENTAILED, "q1": Label.CONTRADICTED, "q2": Label.UNKNOWN}
WORDS: list[Words] = ["labels", "yes_no"]


@pytest.mark.parametrize("words", WORDS)
@pytest.mark.parametrize("frame", sorted(LABEL_SYSTEM))
def test_the_view_is_the_inverse_of_the_prompt(frame: str, words: Words) -> None:
    for case in LAMPS[:20]:
        for beliefs in (None, ("It is so", "Not the case: it is so")):
            for repair in (None, LabelRepair(GIVEN, ("q1",)), LabelRepair(GIVEN, ("q1",), ("One sentence.",))):
                prompt = asked(case, frame=frame, words=words, beliefs=beliefs, repair=repair)
                seen = view_labels(prompt.messages())
                assert isinstance(seen, LabelTask)
                assert (seen.frame, seen.words) == (frame, words)
                assert (seen.premises, seen.queries) == (prompt.premises, prompt.queries)
                assert seen.beliefs == (beliefs or ())
                assert bool(seen.feedback) is (repair is not None)
                assert ("One sentence." in seen.feedback) is bool(repair and repair.conflict)
                assert seen.kept == ({"q0": Label.ENTAILED, "q2": Label.UNKNOWN} if repair else {})


def test_the_last_user_message_counts() -> None:
    first, second = asked(LAMPS[0]).messages()[1], asked(LAMPS[1]).messages()[1]
    seen = view_labels((first, assistant("{}"), second, assistant("{}")))
    assert isinstance(seen, LabelTask)
    assert seen.premises == asked(LAMPS[1]).premises


def test_other_tasks() -> None:
    assert view_labels(label_format_retry("x\n\nResponse:\ny", ("q0",))) == FormatTask("x\n\nResponse:\ny")
    assert view_labels(()) is None
    assert view_labels((user("Premises:\nP1: It is so."),)) is None
