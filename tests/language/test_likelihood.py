"""Test readings by the likelihood of the sentence under each constraint. The tests set the model's probabilities."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest

from holdtrue.language.channel_reading import MOST_SCORED, score_sentence
from holdtrue.language.extract import LlmExtractor, ReadingSettings
from holdtrue.language.reading import MessageContext
from holdtrue.language.reading_weights import shipped_reading_weights
from holdtrue.models.chat import Reply, Request
from holdtrue.record import CallRecord, Usage
from holdtrue.world.instance import Constraint
from holdtrue.world.seating import SEATING

TABLE = SEATING.instance(["Nora", "Omar", "Tara"])
BESIDE, APART = Constraint("adjacent", ("Nora", "Omar")), Constraint("not_adjacent", ("Nora", "Omar"))


WITHOUT_PHRASINGS = replace(shipped_reading_weights(), phrasings={})


@dataclass
class Channel:
    """A model with the likelihoods of `likely` by rule, and the readings of `view`."""

    likely: Callable[[str], float]
    view: str = '{"constraints":[]}'
    gives_likelihoods: bool = True
    asked: list[Request] = field(default_factory=list)
    name: str = "sim/channel"

    async def complete(self, request: Request) -> Reply:
        self.asked.append(request)
        usage = Usage(1, 10, 5, 0.01)
        if not request.likelihood:
            return Reply(self.view, usage)
        assert request.schema is not None
        rule = request.messages[-1].content
        return Reply(json.dumps(request.schema["const"]), usage, logprob=self.likely(rule))

    async def aclose(self) -> None:
        pass


def prefers(words: str, by: float) -> Callable[[str], float]:
    return lambda rule: -20.0 if words in rule else -20.0 - by


async def test_every_constraint_is_scored_by_the_same_sentence_and_every_call_is_counted() -> None:
    model, calls = Channel(prefers("must sit next to", 9.0)), list[CallRecord]()
    scores = await score_sentence(model, TABLE, "Nora hugs Omar's chair", [BESIDE, APART], calls)
    assert scores == [-20.0, -29.0]
    assert [call.purpose for call in calls] == ["extract", "extract"]
    assert {json.dumps(dict(request.schema or {})) for request in model.asked} == {
        '{"const": "Nora hugs Omar\'s chair"}'
    }
    assert model.asked[0].messages[:-1] == model.asked[1].messages[:-1]  # the first part is computed once
    assert "Nora hugs" not in " ".join(message.content for message in model.asked[0].messages)


async def test_what_is_likeliest_by_far_is_accepted_without_a_further_view() -> None:
    model = Channel(prefers("cannot sit next to", 15.0))
    read = await LlmExtractor(model).read(TABLE, "Nora must steer clear of Omar", MessageContext())
    assert [(one.status, one.constraint) for one in read.readings] == [("accepted", APART)]
    assert all(request.likelihood for request in model.asked) and len(read.calls) == len(model.asked)


async def test_what_is_as_likely_as_another_is_doubtful_and_gets_a_second_view() -> None:
    model = Channel(lambda rule: -20.0)
    read = await LlmExtractor(model, weights=WITHOUT_PHRASINGS).read(
        TABLE, "Nora and Omar on the left", MessageContext()
    )
    assert [one.status for one in read.readings] == ["doubtful"]
    assert sum(not request.likelihood for request in model.asked) == 1
    assert read.readings[0].confidence < 0.75


async def test_what_words_settle_costs_no_call() -> None:
    model = Channel(prefers("sit next to", 9.0))
    read = await LlmExtractor(model).read(TABLE, "Nora takes the seat right beside Omar", MessageContext())
    assert [(one.status, one.constraint) for one in read.readings] == [("accepted", BESIDE)] and not model.asked
    plain = await LlmExtractor(model, weights=WITHOUT_PHRASINGS).read(
        TABLE, "Nora takes the seat right beside Omar", MessageContext()
    )
    assert [one.constraint for one in plain.readings] == [BESIDE] and model.asked


async def test_words_that_leave_a_statement_open_are_weighed_without_the_model() -> None:
    async def status(sentence: str) -> str:
        model = Channel(prefers("must sit next to", 15.0))
        read = await LlmExtractor(model).read(TABLE, sentence, MessageContext())
        assert len(read.calls) == len(model.asked)
        return read.readings[0].status

    assert await status("Maybe Nora should sit by Omar, unless it rains") == "rejected"
    assert await status("Nora has the chair by Omar's") == "accepted"  # no word of it leaves anything open


@pytest.mark.parametrize(
    "sentence",
    [
        "Nora cannot have seat 2",
        "Nora refuses seat 2",
        "Tara has seat 1, but Nora doesn't",
        "Back in the old office, Nora always had seat 2",
        "Omar overheard that Nora has seat 2",
        "Can we put Nora in seat 2 yet?",
        "Nora owes me 2 pounds",
        "Nora loves Omar's cooking",
    ],
)
async def test_what_is_denied_reported_asked_or_remarked_is_not_accepted_of_her(sentence: str) -> None:
    read = await LlmExtractor(Channel(lambda rule: -20.0)).read(TABLE, sentence, MessageContext(1, []))
    assert read.readings
    assert not any(
        one.status == "accepted" and one.constraint is not None and "Nora" in one.constraint.args
        for one in read.readings
    )


async def test_a_model_without_probabilities_is_asked_for_views_alone() -> None:
    said = json.dumps({"constraints": [{"type": "adjacent", "args": ["Nora", "Omar"]}]})
    model = Channel(prefers("", 0.0), view=said, gives_likelihoods=False)
    await LlmExtractor(model).read(TABLE, "Nora and Omar want to be neighbours", MessageContext())
    assert not any(request.likelihood for request in model.asked)
    by_setting = Channel(prefers("", 0.0), view=said)
    settings = ReadingSettings(likelihood=False)
    await LlmExtractor(by_setting, settings).read(TABLE, "Nora and Omar want to be neighbours", MessageContext())
    assert not any(request.likelihood for request in by_setting.asked)


async def test_a_backend_that_breaks_its_word_scores_nothing_and_what_it_cost_is_told() -> None:
    class Broken(Channel):
        async def complete(self, request: Request) -> Reply:
            return Reply('"x"', Usage(1, 10, 5, 0.01))

    calls = list[CallRecord]()
    assert await score_sentence(Broken(prefers("", 0.0)), TABLE, "Nora by Omar", [BESIDE, APART], calls) is None
    assert [call.note for call in calls] == ["it gave no probabilities"]


async def test_too_many_constraints_and_too_long_sentences_are_not_scored() -> None:
    model = Channel(prefers("", 0.0))
    many = [Constraint("separated_by", ("Nora", "Omar", seats)) for seats in range(MOST_SCORED + 1)]
    assert await score_sentence(model, TABLE, "Nora by Omar", many, []) is None
    assert await score_sentence(model, TABLE, "Nora by Omar " * 40, [BESIDE, APART], []) is None
    assert model.asked == []
