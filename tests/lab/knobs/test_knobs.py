"""Every setting of a plan is shown to move a figure, or stands in a list with the reason why none shows it."""

from __future__ import annotations

import pytest

from holdtrue_lab.kit.registry import suite_names
from tests.lab.knobs.knob import Knob, Still, settings_of
from tests.lab.knobs.page import PAGE, written
from tests.lab.knobs.playing import SIGMAS, Runs, moved
from tests.lab.knobs.shown import ENTRIES, KNOBS


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Runs:
    made = Runs(tmp_path_factory.mktemp("knobs"))
    calls = [getattr(item, "callspec", None) for item in request.session.items]
    chosen = {call.params.get("knob") for call in calls if call is not None}
    made.want(knob for knob in KNOBS if knob in chosen)
    return made


def test_the_docs_have_the_table() -> None:
    """Run `python -m tests.lab.knobs.page` where this fails."""
    text = PAGE.read_text(encoding="utf-8")
    assert written(text) == text


def test_every_suite_is_here() -> None:
    assert set(ENTRIES) == set(suite_names())


@pytest.mark.parametrize("suite", ENTRIES)
def test_every_setting_is_shown_or_says_why_not(suite: str) -> None:
    shown = {entry.setting for entry in ENTRIES[suite] if isinstance(entry, Knob)}
    still = {entry.setting for entry in ENTRIES[suite] if isinstance(entry, Still)}
    assert not shown & still
    assert shown | still == set(settings_of(suite))


def _quick() -> set[Knob]:
    """One setting of every suite, which the normal tests play; all others are with the slow ones."""
    found: dict[str, Knob] = {}
    for knob in KNOBS:
        if not knob.slow:
            found.setdefault(knob.suite, knob)
    return set(found.values())


QUICK = _quick()


@pytest.mark.parametrize(
    "knob", [pytest.param(knob, id=str(knob), marks=[] if knob in QUICK else [pytest.mark.slow]) for knob in KNOBS]
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
