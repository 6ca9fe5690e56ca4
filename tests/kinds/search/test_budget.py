"""No search method can spend more than its limits, whatever the model does."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from holdtrue.budget import Allowance, SearchBudget
from holdtrue.conversation.search_session import SearchSession
from holdtrue.kinds.search.record import CandidateOutcome, search_outcome
from holdtrue.models.chat import Reply, Request
from holdtrue.models.sampling import Sampling
from holdtrue.record import ReplyKind
from tests.kinds.search.searches import CLAIM, METHODS, SOLVABLE, WRONG, costing, said, search
from tests.recorder import Recorder

TALK = "so " * 300


def _obedient(request: Request) -> Reply:
    """Talks as long as it may."""
    return Reply(TALK, costing("", request.max_tokens, 0.7).usage, ReplyKind.CUT)


MODELS: dict[str, Callable[[Request], Reply]] = {
    "long": _obedient,
    "longer than it may": lambda request: costing(TALK, 10_000, 30.0),
    "wrong": lambda request: costing(said(WRONG, a=request.sample), min(25, request.max_tokens), 1.0),
    "always the same": lambda request: costing(said(WRONG), min(25, request.max_tokens), 1.0),
    "claims": lambda request: costing(CLAIM, min(7, request.max_tokens), 0.1),
    "free": lambda request: costing("what?", 0, 0.0),
}
LIMITS = {
    "calls": SearchBudget(k=4, rounds=4),
    "tokens": SearchBudget(k=4, rounds=4, tokens=330),
    "few tokens": SearchBudget(k=3, rounds=2, tokens=1),
    "seconds": SearchBudget(k=4, rounds=4, seconds=2.5),
    "both": SearchBudget(k=2, rounds=3, tokens=100, seconds=3.0),
    "one call": SearchBudget(k=1, rounds=1, tokens=100, seconds=3.0),
}


@pytest.mark.parametrize("limit", LIMITS)
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", METHODS)
def test_no_method_exceeds_its_limits(name: str, model: str, limit: str) -> None:
    limits = LIMITS[limit]
    record = (played := search(name, MODELS[model], limits=limits)).record
    costs = [call.usage for attempt in record.attempts for call in attempt.calls]
    assert len(costs) == len(played.model.requests) <= (1 if METHODS[name].single else limits.calls)
    if METHODS[name].answerer != "model":
        assert costs == []
        return
    for place, (request, _) in enumerate(zip(played.model.requests, costs, strict=True)):
        spent = sum(usage.completion_tokens for usage in costs[:place])
        assert limits.tokens is None or 1 <= request.max_tokens <= limits.tokens - spent
        assert limits.seconds is None or sum(usage.latency_s for usage in costs[:place]) < limits.seconds
    if model != "longer than it may":
        assert limits.tokens is None or record.usage.completion_tokens <= limits.tokens
    calls = 1 if METHODS[name].single else limits.calls
    assert (record.detail.exhausted is None) == (len(costs) == calls), "a search ends early for a limit, and never else"
    if record.detail.exhausted is not None:
        assert search_outcome(record) is CandidateOutcome.BUDGET_EXCEEDED


def test_a_method_that_does_not_ask_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above fails where nobody minds the limits, so it is one."""
    monkeypatch.setattr(Allowance, "exhausted", property(lambda allowance: None))
    with pytest.raises(AssertionError):
        test_no_method_exceeds_its_limits("cd_vgs", "wrong", "seconds")


def test_a_call_that_nothing_is_left_for_is_a_defect() -> None:
    allowance = SearchBudget(k=1, rounds=1).open()
    allowance.spend(5, 0.1)
    with pytest.raises(RuntimeError, match="calls"):
        allowance.spend(5, 0.1)


def test_all_multi_round_methods_get_the_same_calls() -> None:
    asking = [name for name, method in METHODS.items() if method.answerer == "model" and not method.single]
    assert len(asking) == 8
    for name in asking:
        assert len(search(name, MODELS["wrong"], limits=SearchBudget()).model.requests) == 16, name


@pytest.mark.parametrize("name", [name for name, method in METHODS.items() if method.answerer == "model"])
def test_no_two_calls_are_the_same_draw(name: str) -> None:
    model = Recorder(lambda request: said(WRONG))
    session = SearchSession(SOLVABLE, model=model, method=METHODS[name], sampling=Sampling(seed=7))

    async def play() -> None:
        for _ in range(3):
            await session.turn()

    asyncio.run(play())
    draws = [(request.seed, request.sample) for request in model.requests]
    calls = len(model.requests) // 3
    assert draws == [(7 + 1000 * trial, number) for trial in range(3) for number in range(calls)]
    assert len({seed + sample for seed, sample in draws}) == len(draws)
    assert len({request.key("m") for request in model.requests}) == len(draws)
