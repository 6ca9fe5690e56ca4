from __future__ import annotations

import json
from dataclasses import asdict, replace

import pytest

from holdtrue.errors import RecordError
from holdtrue.kinds.claims.method import CLAIM_PRESETS, ClaimMethod
from holdtrue.kinds.claims.score import Weights
from holdtrue.kinds.claims.settings import CheckSettings, FormalSettings
from holdtrue.lab.kinds.claims.settings import ClaimSettings, played_methods

OWN = ClaimMethod(
    "own",
    "verge",
    rounds=5,
    converge=None,
    check=CheckSettings(FormalSettings(samples=5), least_score=0.6, weights=Weights(supported=0.8)),
)


def test_methods_are_read_as_they_were_written_down() -> None:
    claims = ClaimSettings(least_score=0.9, rounds=7)
    settings = json.loads(json.dumps({"own_methods": {"own": asdict(OWN)}, "play": claims.to_json()}))
    found = played_methods(settings)
    assert found.keys() == {*CLAIM_PRESETS, "own"}
    assert found["own"] == claims.over(OWN)
    assert found["verge"] == claims.over(CLAIM_PRESETS["verge"]) != CLAIM_PRESETS["verge"]
    assert (found["verge"].rounds, found["verge"].check.least_score, found["own"].rounds) == (7, 0.9, 5)


def test_settings_that_say_nothing_leave_presets_as_they_are() -> None:
    played = {name: ClaimSettings().over(method) for name, method in CLAIM_PRESETS.items()}
    assert played_methods({}) == played_methods({"own_methods": {}, "play": {}}) == played


@pytest.mark.parametrize(
    "saved",
    [
        {},
        {"check": None},
        {**asdict(OWN), "more": 1},
        {**asdict(OWN), "check": {"formal": {}}},
        asdict(replace(OWN)) | {"rounds": 0},
    ],
)
def test_settings_that_no_run_has_written_are_refused(saved: dict[str, object]) -> None:
    with pytest.raises(RecordError, match="settings do not fit"):
        played_methods({"own_methods": {"own": saved}})
