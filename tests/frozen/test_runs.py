"""Problems are made, and short runs are played, as they were kept: settings, journals, and all prompts and replies."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests.frozen.kept_runs import kept
from tests.frozen.playing import ENVIRONMENT, Records
from tests.frozen.suites import RUNS, make_problems, play_run

LONG = frozenset({"verge_mended"})
"""Runs that take too long for an ordinary test."""


@pytest.fixture(scope="module", autouse=True)
def _here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("frozen"))
        for name, value in ENVIRONMENT.items():
            patch.setenv(name, value)
        compare(make_problems())
        yield


def compare(records: Records) -> None:
    wanted = kept("suites")
    for name, value in records:
        assert json.loads(json.dumps(value)) == wanted[name], name


@pytest.mark.parametrize("name", [name for name in RUNS if name not in LONG])
def test_runs_are_played_as_they_were_kept(name: str) -> None:
    records = dict(play_run(name))
    compare(iter(records.items()))
    parts = tuple(f"{part}/{name}/" for part in ("run", "settings", "journal", "calls"))
    assert {key for key in kept("suites") if f"{key}/".startswith(parts)} == records.keys()
