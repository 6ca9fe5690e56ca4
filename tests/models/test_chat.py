"""Every request has a key, every call is recorded, and no more calls run than are allowed."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import ModelError, ModelRefused, SettingsError
from holdtrue.models.call_lines import settings_of
from holdtrue.models.chat import (
    SOME_TAKE,
    Message,
    ModelAround,
    Reply,
    Request,
    assistant,
    call,
    gives_likelihoods,
    system,
    user,
    well_formed,
    well_formed_json,
)
from holdtrue.models.gate import Gate, TokenLimitReached
from holdtrue.models.sampling import Sampling
from holdtrue.models.scripted import ScriptModel
from holdtrue.record import CallRecord, Usage

REQUEST = Request((system("a"), user("b")), "answer", schema={"type": "object", "properties": {"x": {}}})


def test_the_key_is_stable() -> None:
    same = dataclasses.replace(REQUEST, purpose="extract", schema={"properties": {"x": {}}, "type": "object"})
    assert REQUEST.key("m") == same.key("m") == "a109e8a5e702b1c61ab73d3a4f8339fd"


@pytest.mark.parametrize(
    "changed",
    [
        dataclasses.replace(REQUEST, messages=(system("ab"), user(""))),
        dataclasses.replace(REQUEST, messages=(system("a"), assistant("b"))),
        dataclasses.replace(REQUEST, messages=(*REQUEST.messages, Message("user", ""))),
        dataclasses.replace(REQUEST, schema=None),
        dataclasses.replace(REQUEST, temperature=0.5),
        dataclasses.replace(REQUEST, seed=43),
        dataclasses.replace(REQUEST, sample=1),
        dataclasses.replace(REQUEST, max_tokens=1),
    ],
)
def test_all_that_can_change_the_reply_changes_the_key(changed: Request) -> None:
    assert changed.key("m") != REQUEST.key("m")


async def test_a_call_is_recorded_with_its_cost() -> None:
    reply, record = await call(ScriptModel(["two words"], name="script/x"), REQUEST)
    assert reply.text == "two words"
    assert record == CallRecord(REQUEST.key("script/x"), "answer", Usage(1, 2, 2), model="script/x")


def test_a_request_with_lone_surrogates_has_a_key_of_its_own() -> None:
    broken = dataclasses.replace(REQUEST, messages=(system("a"), user("b\ud800")))
    assert broken.key("m") == broken.key("m")
    assert (
        len({broken.key("m"), REQUEST.key("m"), dataclasses.replace(REQUEST, messages=(user("b\udcff"),)).key("m")})
        == 3
    )


@given(st.text(st.characters()))
@settings(deadline=None, max_examples=50)
def test_well_formed_text_can_be_encoded_and_keeps_all_else(text: str) -> None:
    clean = well_formed(text)
    clean.encode()
    assert len(clean) == len(text)
    assert all(
        new == old or ("\ud800" <= old <= "\udfff" and new == "\ufffd") for old, new in zip(text, clean, strict=True)
    )


def test_well_formed_json_is_cleaned_in_all_its_texts() -> None:
    value = {"a\ud800": ["\udfff", {"b": "\u00e9\U0001f600"}, 1, 0.5, None, True]}
    assert well_formed_json(value) == {"a\ufffd": ["\ufffd", {"b": "\u00e9\U0001f600"}, 1, 0.5, None, True]}
    assert well_formed_json(value["a\ud800"]) == ["\ufffd", {"b": "\u00e9\U0001f600"}, 1, 0.5, None, True]


class Gives:
    """A model that returns the given object."""

    name = "own"

    def __init__(self, given: Any) -> None:
        self.given = given

    async def complete(self, request: Request) -> Reply:
        reply: Reply = self.given
        return reply

    async def aclose(self) -> None:
        """Nothing to release."""


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("yes", r"own: complete\(\) must give a Reply\(text, Usage\(...\)\), not 'yes'"),
        (None, r"must give a Reply\(text, Usage\(...\)\), not None"),
        ({"text": "yes"}, r"must give a Reply\(text, Usage\(...\)\), not {'text': 'yes'}"),
        (Reply(None, Usage(1, 1, 1)), "gave a Reply whose text must be a text, not None"),  # type: ignore[arg-type]
        (Reply("yes", None), r"gave a Reply whose usage must be a Usage\(...\), not None"),  # type: ignore[arg-type]
        (Reply("yes", Usage(), "answer!"), "gave a Reply whose kind must be a ReplyKind"),  # type: ignore[arg-type]
        (Reply("yes", Usage(), annotations=None), "whose annotations must be a mapping"),  # type: ignore[arg-type]
    ],
)
async def test_what_is_no_reply_is_told_in_words(given: Any, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        await call(Gives(given), REQUEST)


async def test_a_plain_function_is_told_in_words() -> None:
    class Plain(Gives):
        def complete(self, request: Request) -> Reply:  # type: ignore[override]
            return Reply("yes", Usage())

    with pytest.raises(ModelError, match=r"own: complete\(\) must be `async def`; it gave Reply\("):
        await call(Plain(None), REQUEST)  # type: ignore[arg-type]


def test_asking_for_the_likelihood_is_a_request_of_its_own_and_changes_no_other_key() -> None:
    plain = Request((user("Hello"),), "extract")
    assert dataclasses.replace(plain, likelihood=True).key("m") != plain.key("m")
    assert dataclasses.replace(plain, likelihood=False).key("m") == plain.key("m")


@pytest.mark.parametrize("given", [{"top_p": 0.9}, {"thinking_tokens": 4000}])
async def test_what_only_some_models_take_is_refused_by_the_others(given: dict[str, Any]) -> None:
    sampling = Sampling(**given)
    request, model = sampling.request("answer", [user("Hello")]), ScriptModel(["yes", "yes"])
    assert request.key("m") != Sampling().request("answer", [user("Hello")]).key("m")
    with pytest.raises(ModelRefused, match=f"script takes no {next(iter(given))}"):
        await call(model, request)
    model.takes = SOME_TAKE  # type: ignore[attr-defined]
    assert ModelAround(model).takes == SOME_TAKE
    assert (await call(model, request))[0].text == "yes"
    assert settings_of(request).items() >= given.items()


@pytest.mark.parametrize("given", [{"top_p": 0}, {"top_p": 1.1}, {"top_p": "x"}, {"thinking_tokens": 0}])
def test_what_no_model_can_take_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match=next(iter(given))):
        Sampling(**given)


def test_only_a_model_that_says_so_gives_likelihoods() -> None:
    assert not gives_likelihoods(ScriptModel([]))
    saying_yes = ScriptModel([])
    saying_yes.gives_likelihoods = "yes"  # type: ignore[attr-defined]
    assert not gives_likelihoods(saying_yes)


HELLO = Request((user("hello"),), "answer")


class Slow:
    """A model that counts how many calls are under way."""

    name = "slow"

    def __init__(self) -> None:
        self.under_way = self.calls = 0

    async def complete(self, request: Request) -> Reply:
        self.under_way += 1
        self.calls += 1
        await asyncio.sleep(0.001)
        self.under_way -= 1
        return Reply("hi", Usage(1, 60, 40))

    async def aclose(self) -> None:
        """Nothing to release."""


async def test_a_limit_that_was_spent_before_allows_no_call() -> None:
    model = Slow()
    with pytest.raises(TokenLimitReached):
        await Gate(model, 1, tokens=10, token_limit=10).complete(HELLO)
    assert model.calls == 0 and not Gate(model, 1).spent


async def test_two_models_within_one_bound_share_connections_and_tokens() -> None:
    one, other = Slow(), Slow()
    gate = Gate(one, 2, tokens=150, token_limit=1150)
    beside = gate.beside(other)
    assert beside.name == "slow"
    pending = asyncio.gather(
        *(each.complete(HELLO) for _ in range(20) for each in (gate, beside)), return_exceptions=True
    )
    most = 0
    while not pending.done():
        most = max(most, one.under_way + other.under_way)
        await asyncio.sleep(0)
    refused = [result for result in pending.result() if isinstance(result, TokenLimitReached)]
    assert most == 2
    calls = one.calls + other.calls
    assert calls in (10, 11), "a call that was under way when the limit was reached is finished"
    assert (len(refused), gate.tokens, beside.tokens) == (40 - calls, 150 + 100 * calls, 150 + 100 * calls)
    assert gate.spent and all(isinstance(result, Reply | TokenLimitReached) for result in pending.result())
    assert min(one.calls, other.calls) > 0
