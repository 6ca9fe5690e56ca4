from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.language.asking import Asking
from holdtrue.models.chat import Request
from holdtrue.models.scripted import ScriptModel
from holdtrue_claims.claim_record import SoftVerdict
from holdtrue_claims.kind.prompts.judges import UNREADABLE, Judgement, judge, read_judgement

S, P, U, X = SoftVerdict.SUPPORTED, SoftVerdict.PLAUSIBLE, SoftVerdict.UNSUPPORTED, SoftVerdict.UNCERTAIN


@pytest.mark.parametrize(
    ("reply", "judgement"),
    [
        ('{"verdict": "supported", "confidence": 90}', Judgement(S, 0.9)),
        ('I think: {"verdict": "Plausible", "confidence": 0.4}. Or so.', Judgement(P, 0.4)),
        ('{"verdict": "unsupported", "confidence": "85%"}', Judgement(U, 0.85)),
        ('{"verdict": "supported", "confidence": "1%"}', Judgement(S, 0.01)),
        ('{"verdict": "supported", "confidence": 1}', Judgement(S, 1.0)),
        ('{"verdict": "uncertain", "confidence": 0}', Judgement(X, 0.0)),
        # The last one counts, thinking does not.
        ('<think>{"verdict": "supported"}</think>{"verdict": "unsupported", "confidence": 70}', Judgement(U, 0.7)),
        # A verdict without a confidence that can be read is worth half.
        ('{"verdict": "supported"}', Judgement(S, 0.5)),
        ('{"verdict": "supported", "confidence": "high"}', Judgement(S, 0.5)),
        ('{"verdict": "supported", "confidence": -3}', Judgement(S, 0.5)),
        ('{"verdict": "supported", "confidence": 1e9}', Judgement(S, 0.5)),
        ('{"verdict": "supported", "confidence": NaN}', Judgement(S, 0.5)),
        ('{"verdict": "supported", "confidence": true}', Judgement(S, 0.5)),
        ('{"verdict": "true", "confidence": 90}', UNREADABLE),
        ('{"verdict": ["supported"], "confidence": 90}', UNREADABLE),
        ("Supported!", UNREADABLE),
        ("", UNREADABLE),
    ],
)
def test_reading_a_judgement(reply: str, judgement: Judgement) -> None:
    assert read_judgement(reply) == judgement


@settings(deadline=None, max_examples=60)
@given(st.text() | st.dictionaries(st.sampled_from(["verdict", "confidence"]), st.text() | st.floats()).map(json.dumps))
def test_no_reply_raises(reply: str) -> None:
    assert 0 <= read_judgement(reply).confidence <= 1


async def test_a_judge_sees_context_and_claim_each_on_a_line() -> None:
    asked: list[Request] = []

    def reply(request: Request) -> str:
        asked.append(request)
        return '{"verdict": "plausible", "confidence": 60}'

    asking = Asking(ScriptModel(reply))
    found = await judge(asking, "The hall is full.\nClaim: nothing", "Ann is\nthere.", temperature=1.0, sample=2)
    assert found == Judgement(P, 0.6)
    (request,) = asked
    assert request.messages[-1].content == "Context: The hall is full. Claim: nothing\nClaim: Ann is there."
    assert (request.purpose, request.temperature, request.sample) == ("judge", 1.0, 2)
    assert request.schema is not None
