"""A prompt for a candidate may hold the frame, the problem, the model's candidates, and verdicts about these.

It never holds gold or facts about the problem's structure. It holds values of a solver's solution only if a run reveals
them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from holdtrue.budget import SearchBudget
from holdtrue.kinds.search.problem import SearchProblem
from holdtrue.kinds.search.prompts import ASKED, FAILED, FAULTS, SHAPE, WITNESS
from holdtrue.kinds.search.record import CandidateOutcome, candidate_outcome
from holdtrue.models.chat import Request
from tests.kinds.search.searches import CLAIM, IMPOSSIBLE, METHODS, SECRETS, SOLVABLE, WRONG, Search, said, search

LIMITS = SearchBudget(k=3, rounds=4)
Replies = Callable[[Request], str]


def _near(request: Request) -> str:
    return said(WRONG, a=100 + request.sample % 5, c=180 + request.sample)


def _all_kinds(request: Request) -> str:
    kinds = [said(WRONG), CLAIM, "I would rather not say.", said(WRONG, b=900), said({"a": 1}), CLAIM, _near(request)]
    return kinds[request.sample % len(kinds)]


MODELS: dict[str, Replies] = {
    "near": _near,
    "claims": lambda request: CLAIM,
    "prose": lambda request: "I would rather not say.",
    "outside": lambda request: said(WRONG, a=1000 + request.sample, b=-7),
    "incomplete": lambda request: said({"a": request.sample}),
    "all kinds": _all_kinds,
}
WITHHELD = [name for name, method in METHODS.items() if not method.reveal_witness]
REVEALED = [name for name, method in METHODS.items() if method.reveal_witness]


def play(name: str, model: str, about: SearchProblem = SOLVABLE) -> Search:
    return search(name, MODELS[model], about=about, limits=LIMITS)


def feedback(text: str) -> str:
    """Return the part of a prompt after the problem, without the shape of an answer."""
    parts = text.split("\n\n")
    assert parts[-1].startswith(SHAPE)
    return "\n\n".join(parts[3:-1])


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", WITHHELD)
def test_no_value_of_a_witness(name: str, model: str) -> None:
    played = play(name, model)
    assert not [prompt for prompt in played.model.prompts if SECRETS.search(prompt)]
    assert not [request for request in played.model.requests if SECRETS.search(str(request.schema))]
    assert not [prompt for prompt in played.model.prompts if WITNESS in prompt]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", REVEALED)
def test_a_revealed_witness_follows_false_claims_alone(name: str, model: str) -> None:
    played = play(name, model)
    attempts = {attempt.attempt: attempt for attempt in played.record.attempts}
    shown = [bool(SECRETS.search(prompt)) for prompt in played.model.prompts]
    for attempt, leak in zip(played.record.attempts, shown, strict=True):
        mended = attempts.get(attempt.step.mends or 0) if attempt.step else None
        claimed = mended is not None and candidate_outcome(mended) is CandidateOutcome.FALSE_UNSAT_CLAIM
        assert leak == claimed
    if model == "claims":
        assert shown == [False] * LIMITS.k + [True] * (LIMITS.calls - LIMITS.k)


@pytest.mark.parametrize("name", [name for name, method in METHODS.items() if method.answerer == "model"])
def test_gold_changes_no_prompt(name: str) -> None:
    other = replace(
        SOLVABLE, gold="unsat", difficulty="hard", id="other", metadata={"planted": {"a": 137, "b": 151}}, variant="x"
    )
    for model in MODELS:
        assert play(name, model).model.prompts == play(name, model, other).model.prompts


@pytest.mark.parametrize("about", [SOLVABLE, IMPOSSIBLE], ids=["solvable", "impossible"])
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", METHODS)
def test_whether_there_is_a_solution_is_told_after_false_claims_alone(
    name: str, model: str, about: SearchProblem
) -> None:
    played = play(name, model, about)
    attempts = {attempt.attempt: attempt for attempt in played.record.attempts}
    for attempt, seen in zip(played.record.attempts, played.prompts, strict=False):
        said_of_it = feedback(seen)
        mended = attempts.get(attempt.step.mends or 0) if attempt.step else None
        claimed = mended is not None and candidate_outcome(mended) is CandidateOutcome.FALSE_UNSAT_CLAIM
        assert (FAULTS["false_unsat_claim"] in said_of_it) == claimed
        if not claimed:
            assert not re.search(r"(?i)solution|possible|solvable|satisfiable|claim|exist|\bsat\b", said_of_it), seen
        if about is IMPOSSIBLE:
            assert not claimed and ASKED not in seen, "nothing can be kept of what has no solution"


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", WITHHELD)
def test_all_values_told_are_the_models_own(name: str, model: str) -> None:
    played = play(name, model)
    texts = {f"- {constraint.id}: {constraint.text}" for constraint in SOLVABLE.constraints}
    for place, seen in enumerate(played.prompts):
        before = [attempt.answer for attempt in played.record.attempts[:place] if attempt.answer]
        lines = feedback(seen).splitlines()
        for values in re.findall(r"\{.*?\}", feedback(seen)):
            assert json.loads(values) in before
        quoted = {line for line in lines if re.match(r"- c\d", line)}
        assert quoted <= texts
        own = "\n".join(line for line in lines if line not in quoted)
        pairs = {(name, int(value)) for name, value in re.findall(r"\b([a-d]) = (-?\d+)", own)}
        assert pairs <= {pair for values in before for pair in values.items() if isinstance(pair[1], int)}
        assert (FAILED in lines) == bool(lines)


def test_all_methods_ask_the_first_time_in_the_same_way() -> None:
    first = [play(name, "near").model.requests[0] for name in WITHHELD if METHODS[name].answerer == "model"]
    assert len(first) == 7
    for request in first:
        assert (request.messages, request.schema) == (first[0].messages, first[0].schema)
        assert (request.temperature, request.max_tokens) == (0.2, 256)


@pytest.mark.parametrize("name", METHODS)
def test_every_call_is_sampled_alike(name: str) -> None:
    requests = play(name, "all kinds").model.requests
    assert {(request.temperature, request.max_tokens, request.purpose) for request in requests} <= {
        (0.2, 256, "candidate")
    }
