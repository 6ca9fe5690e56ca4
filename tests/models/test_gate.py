from __future__ import annotations

import asyncio

import pytest

from holdtrue.models.chat import Reply, Request, user
from holdtrue.models.gate import Gate, TokenLimitReached
from holdtrue.record import Usage

REQUEST = Request((user("hello"),), "answer")


class Slow:
    """A model that counts how many calls are under way."""

    name = "slow"

    def __init__(self) -> None:
        self.under_way = self.most = self.calls = 0

    async def complete(self, request: Request) -> Reply:
        self.under_way += 1
        self.calls += 1
        self.most = max(self.most, self.under_way)
        await asyncio.sleep(0.001)
        self.under_way -= 1
        return Reply("hi", Usage(1, 60, 40))

    async def aclose(self) -> None:
        """Nothing to release."""


async def test_no_more_calls_are_under_way_than_allowed() -> None:
    model = Slow()
    gate = Gate(model, 3)
    await asyncio.gather(*(gate.complete(REQUEST) for _ in range(20)))
    assert (model.calls, model.most, gate.tokens) == (20, 3, 2000)
    assert gate.name == "slow"


async def test_no_call_begins_beyond_the_limit_and_those_under_way_are_kept() -> None:
    model = Slow()
    gate = Gate(model, 4, tokens=150, token_limit=400)
    results = await asyncio.gather(*(gate.complete(REQUEST) for _ in range(20)), return_exceptions=True)
    replies = [result for result in results if isinstance(result, Reply)]
    assert len(replies) == model.calls
    assert {type(result) for result in results} == {Reply, TokenLimitReached}
    assert gate.spent
    assert 400 <= gate.tokens == 150 + 100 * model.calls <= 400 + 4 * 100


async def test_a_limit_that_was_spent_before_allows_no_call() -> None:
    model = Slow()
    with pytest.raises(TokenLimitReached):
        await Gate(model, 1, tokens=10, token_limit=10).complete(REQUEST)
    assert model.calls == 0


async def test_two_models_within_one_bound_share_connections_and_tokens() -> None:
    one, other = Slow(), Slow()
    gate = Gate(one, 2, token_limit=1000)
    beside = gate.beside(other)
    assert beside.name == "slow"
    pending = asyncio.gather(
        *(each.complete(REQUEST) for _ in range(20) for each in (gate, beside)), return_exceptions=True
    )
    most = 0
    while not pending.done():
        most = max(most, one.under_way + other.under_way)
        await asyncio.sleep(0)
    refused = [result for result in pending.result() if isinstance(result, TokenLimitReached)]
    assert most == 2
    calls = one.calls + other.calls
    assert calls in (10, 11), "a call that was under way when the limit was reached is finished"
    assert (len(refused), gate.tokens, beside.tokens) == (40 - calls, 100 * calls, 100 * calls)
    assert min(one.calls, other.calls) > 0
