"""Tests of the options of claim checks: help texts agree with the defaults, and methods keep their fixed settings."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args, get_type_hints

import pytest

from holdtrue.errors import SettingsError
from holdtrue.options import Option
from holdtrue_claims.kind.check_options import CheckOptions, ReadingOptions
from holdtrue_claims.kind.method import find_claim_method
from holdtrue_claims.kind.settings import FormalSettings

VERGE = find_claim_method("verge")
CHECK, FORMAL = VERGE.check, VERGE.check.formal


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("formulas", FORMAL.samples),
        ("draw_temperature", FORMAL.temperature),
        ("routing", CHECK.routing),
        ("judges", CHECK.judges),
        ("least_score", CHECK.least_score),
    ],
)
def test_the_defaults_that_are_told_are_those_of_the_published_pipeline(name: str, value: object) -> None:
    option = get_args(get_type_hints(CheckOptions, include_extras=True)[name])[-1]
    assert isinstance(option, Option)
    assert option.default == str(value)


def test_conventions_are_laid_over_formal_settings_and_the_others_over_methods() -> None:
    assert ReadingOptions(assume=("names",)).formal_settings(FormalSettings()) == FormalSettings(assume=("names",))
    laid = CheckOptions(judges=1, routing="hard").over(VERGE)
    assert (laid.check.judges, laid.check.routing) == (1, "hard")
    unrouted = replace(VERGE, check=replace(VERGE.check, routing="hard"))
    assert CheckOptions(routing="soft").over(unrouted).check.routing == "hard"


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(SettingsError, match="unknown convention 'luck'"):
        ReadingOptions(assume=("luck",))
    with pytest.raises(SettingsError, match="timeout_s must be more than 0"):
        CheckOptions(timeout_s=0)
    with pytest.raises(SettingsError, match="judges must be at least 1"):
        CheckOptions(judges=0)
