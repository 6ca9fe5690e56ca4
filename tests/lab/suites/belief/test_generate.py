from __future__ import annotations

import pytest

from holdtrue.errors import SettingsError
from holdtrue.kinds.labels.case import Case
from holdtrue.record import Label
from holdtrue_lab.suites.belief.generate import World, generate_dialogues
from tests.lab.suites.belief.truths import models, says


def world_of(case: Case) -> World:
    assert case.instance is not None
    return World(case.instance, tuple(p.constraint for p in case.premises if p.constraint is not None))


@pytest.mark.parametrize("schedule", ["random", "stress"])
def test_labels_are_those_of_brute_force(schedule: str) -> None:
    for case in generate_dialogues(3, 25, schedule=schedule):
        world = world_of(case)
        allowed = models(world)
        for query in case.queries:
            assert query.constraint is not None
            found = {says(query.constraint, truth) for truth in allowed}
            settled = Label.ENTAILED if True in found else Label.CONTRADICTED
            expected = Label.UNKNOWN if len(found) == 2 else settled
            assert query.label is expected


@pytest.mark.parametrize("schedule", ["random", "stress"])
def test_no_label_is_rare(schedule: str) -> None:
    labels = [query.label for case in generate_dialogues(42, 120, schedule=schedule) for query in case.queries]
    assert len(labels) == 1200
    for label in Label:
        assert labels.count(label) > 0.2 * len(labels)


@pytest.mark.parametrize(
    ("settings", "fault"),
    [({"count": 0}, "at least 1"), ({"turns": 0}, "at least 1"), ({"schedule": "x"}, "random, stress")],
)
def test_settings_that_cannot_be_met(settings: dict[str, object], fault: str) -> None:
    with pytest.raises(SettingsError, match=fault):
        generate_dialogues(1, **settings)  # type: ignore[arg-type]
