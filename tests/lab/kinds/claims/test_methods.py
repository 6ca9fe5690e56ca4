from __future__ import annotations

import json
from dataclasses import asdict, replace

import pytest

from holdtrue.errors import RecordError
from holdtrue.models.chat import Request
from holdtrue_claims.conversation.claim_session import ClaimSession
from holdtrue_claims.kind.settings import CheckSettings, FormalSettings, Weights
from holdtrue_lab.kinds.claims.method import METHODS, BaselineMethod
from holdtrue_lab.kinds.claims.settings import ClaimSettings, played_methods
from tests.claims.kind.world import OPTIONS, QUESTION, SENTENCES, gold, said, scripted
from tests.lab.kinds.claims.baselines.lightened import light

OWN = BaselineMethod(
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
    assert found.keys() == {*METHODS, "own"}
    assert found["own"] == claims.over(OWN)
    assert found["verge"] == claims.over(METHODS["verge"]) != METHODS["verge"]
    assert (found["verge"].rounds, found["verge"].check.least_score, found["own"].rounds) == (7, 0.9, 5)


def test_settings_that_say_nothing_leave_presets_as_they_are() -> None:
    played = {name: ClaimSettings().over(method) for name, method in METHODS.items()}
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


@pytest.mark.parametrize("name", [name for name, method in METHODS.items() if method.answerer != "given"])
@pytest.mark.parametrize("measure", [True, False])
async def test_calls_are_counted_where_they_belong(name: str, measure: bool) -> None:
    def reply(request: Request) -> str:
        replies = {"critique": '{"ok": true, "problems": []}', "thought": '{"thought": "So."}', "rate": '{"rating": 3}'}
        return replies.get(request.purpose) or said("B", "Rex barks")

    model, method = scripted(reply), light(name)
    session = ClaimSession(SENTENCES, model=model, method=method, gold=gold(), measure=measure)
    record = await session.turn(QUESTION, OPTIONS, stated=["Tom does not sleep"])
    own = [call for attempt in record.attempts for call in attempt.calls]
    extended = any(request.purpose == "vocabulary" for request in model.requests)
    assert extended == (measure or method.verifies)
    assert bool(record.extraction) == method.verifies
    assert bool(record.measuring) == (measure and method.strategy != "verge")
    assert ("decompose" in {call.purpose for call in own}) == (method.strategy == "verge")
    assert len(own) + len(record.extraction) + len(record.measuring) == len(model.requests)
    assert record.usage.calls == len(own) + len(record.extraction)
