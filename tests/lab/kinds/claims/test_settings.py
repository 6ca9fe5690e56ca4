from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from holdtrue.budget import Budget
from holdtrue.errors import SettingsError
from holdtrue_claims.fol.conventions import CONVENTIONS
from holdtrue_claims.kind.settings import CheckSettings, Weights
from holdtrue_lab.kinds.claims.method import METHODS
from holdtrue_lab.kinds.claims.settings import ClaimSettings, read_claims

VERGE, OWN = METHODS["verge"], METHODS["verge_proved"]


def test_the_preset_verge_accepts_as_published_and_the_default_of_users_does_not() -> None:
    published, users = VERGE.check, OWN.check
    assert (published.accept, published.least_score, published.judges_trusted) == ("judged", 0.75, True)
    assert (published.formal.choice_rounds, published.weights) == (0, Weights(1.0, 0.9, 0.7, 0.0))
    assert users == CheckSettings() and (users.accept, users.formal.assume) == ("proved", ())


def test_where_nothing_is_said_every_method_is_played_as_it_is_with_the_conventions_of_data_sets() -> None:
    claims = ClaimSettings()
    played = {name: claims.over(method) for name, method in METHODS.items()}
    assert all(method.check.formal.assume == CONVENTIONS for method in played.values())
    assert {name for name, method in played.items() if method != METHODS[name]} == {"verge_proved"}
    assert ClaimSettings(assume=("names",)).over(OWN).check.formal.assume == ("names",)
    assert (claims.protocol, claims.extractor, claims.budget) == ("fol", "llm", Budget(timeout_s=5.0))


def test_what_is_said_is_laid_over_all_methods() -> None:
    claims = ClaimSettings(formulas=5, round_trip=0.4, routing="soft", judges=7, least_score=0.5, rounds=2)
    check = claims.over(VERGE).check
    assert (check.formal.samples, check.formal.round_trip) == (5, 0.4)
    assert (check.routing, check.judges, check.least_score) == ("soft", 7, 0.5)
    assert claims.over(VERGE).rounds == 2
    for method in METHODS.values():
        played = claims.over(method)
        assert (played.name, played.strategy, played.frame) == (method.name, method.strategy, method.frame)
        own, trip = method.check.formal, method.check.formal.round_trip and 0.4
        formal = replace(check.formal, choice_rounds=own.choice_rounds, round_trip=trip)
        assert (played.check.judges, played.check.formal) == (7, formal)


def test_a_method_keeps_what_it_is_there_for() -> None:
    claims = ClaimSettings(routing="soft", rounds=2)
    assert claims.over(METHODS["verge_no_routing"]).check.routing == "hard"
    assert claims.over(METHODS["all_soft"]).check.routing == "soft"
    assert claims.over(METHODS["verge_t10"]).rounds == 10


@pytest.mark.parametrize(
    ("name", "samples", "rounds"),
    [
        ("self_consistency", 9, 3),
        ("linc", 9, 3),
        ("logic_lm", 3, 8),  # the last call answers without a program
        ("proof_of_thought", 3, 9),
        ("dsb", 3, 1),
        ("self_refine", 3, 5),  # a critique between each two answers
        ("cot", 3, 3),
        ("verge", 3, 3),
    ],
)
def test_baselines_are_matched_in_calls(name: str, samples: int, rounds: int) -> None:
    method = ClaimSettings(calls=9).over(METHODS[name])
    assert (method.samples, method.rounds) == (samples, rounds)


def test_methods_of_one_s_own_keep_their_calls() -> None:
    own = replace(METHODS["linc"], name="linc_5", samples=5)
    assert ClaimSettings(calls=9).over(own).samples == 5
    assert ClaimSettings(calls=9).protocol == "fol calls=9"


def test_rounds_are_no_limit_of_the_baselines() -> None:
    assert ClaimSettings(rounds=1).over(METHODS["self_refine"]).rounds == 3


def test_a_round_trip_of_nothing_is_not_asked_for() -> None:
    assert ClaimSettings(round_trip=0.0).over(VERGE).check.formal.round_trip is None
    assert VERGE.check.formal.round_trip == 0.7


def test_reports_tell_runs_apart_by_what_is_laid_over_their_methods() -> None:
    assert ClaimSettings(formulas=1, round_trip=0.0, rounds=2).protocol == "fol formulas=1 round_trip=0.0 rounds=2"
    assert ClaimSettings(formal="gold_entities").extractor == "gold_entities"
    assert ClaimSettings(formalizers=("local/a", "local/b")).extractor == "llm+local/a+local/b"


@pytest.mark.parametrize(
    "claims",
    [
        ClaimSettings(),
        ClaimSettings(formal="gold", measure=False, timeout_s=0.5),
        ClaimSettings(formalizers=("local/a",), formulas=2, round_trip=0.0, judges=1, least_score=0.0),
    ],
)
def test_settings_come_back_as_they_were_given(claims: ClaimSettings) -> None:
    written = json.loads(json.dumps(claims.to_json()))
    assert read_claims({**written, "answers_sha256": None}) == claims


def test_a_run_that_says_nothing_of_claims_has_the_published_settings() -> None:
    assert read_claims(None) == ClaimSettings()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"formal": "maybe"}, "unknown kind of formulas 'maybe'; there are llm, gold_entities, gold"),
        ({"routing": "luck"}, "unknown routing 'luck'"),
        ({"timeout_s": 0.0}, "timeout_s must be more than 0"),
        ({"timeout_s": float("nan")}, "timeout_s must be more than 0"),
        ({"formulas": 0}, "formulas must be at least 1, got 0"),
        ({"judges": 0}, "judges must be at least 1"),
        ({"rounds": 0}, "rounds must be at least 1"),
        ({"calls": 0}, "calls must be at least 1"),
        ({"least_score": 1.5}, "least_score must be between 0 and 1"),
        ({"round_trip": -0.1}, "round_trip must be between 0 and 1"),
    ],
)
def test_what_does_not_fit_is_refused_in_words(given: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        ClaimSettings(**given)
