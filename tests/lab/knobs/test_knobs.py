"""Every setting of a plan is shown to move a figure, or stands in a list with the reason why none shows it."""

from __future__ import annotations

import pytest

from tests.lab.knobs import assignment, claims, labels, search
from tests.lab.knobs.knob import Entry, Knob, Still, settings_of
from tests.lab.knobs.playing import SIGMAS, Runs, moved

ENTRIES: dict[str, tuple[Entry, ...]] = {**assignment.ENTRIES, **labels.ENTRIES, **search.ENTRIES, **claims.ENTRIES}
KNOBS = list(dict.fromkeys(entry for entries in ENTRIES.values() for entry in entries if isinstance(entry, Knob)))


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Runs:
    made = Runs(tmp_path_factory.mktemp("knobs"))
    calls = [getattr(item, "callspec", None) for item in request.session.items]
    chosen = {call.params.get("knob") for call in calls if call is not None}
    made.want(knob for knob in KNOBS if knob in chosen)
    return made


@pytest.mark.parametrize("suite", ENTRIES)
def test_every_setting_is_shown_or_says_why_not(suite: str) -> None:
    shown = {entry.setting for entry in ENTRIES[suite] if isinstance(entry, Knob)}
    still = {entry.setting for entry in ENTRIES[suite] if isinstance(entry, Still)}
    assert not shown & still
    assert shown | still == set(settings_of(suite))


@pytest.mark.parametrize(
    "knob", [pytest.param(knob, id=str(knob), marks=[pytest.mark.slow] if knob.slow else []) for knob in KNOBS]
)
def test_the_figure_moves_as_planted(knob: Knob, runs: Runs) -> None:
    found = moved(knob, runs)
    print(found)
    if knob.planted.size is not None:
        assert abs(found.excess) <= SIGMAS * found.error
    if knob.planted.rises:
        assert found.second > found.first and found.difference.low > 0
    else:
        assert found.second < found.first and found.difference.high < 0
