"""What help says of the options of checking is what holds."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from holdtrue.cli import claim_options
from holdtrue.kinds.claims.method import find_claim_method

VERGE = find_claim_method("verge")
CHECK, FORMAL = VERGE.check, VERGE.check.formal


@pytest.mark.parametrize(
    ("option", "value"),
    [
        (claim_options.Notation, FORMAL.notation),
        (claim_options.Samples, FORMAL.samples),
        (claim_options.DrawTemperature, FORMAL.temperature),
        (claim_options.RoundTrip, FORMAL.round_trip),
        (claim_options.Routing, CHECK.routing),
        (claim_options.Judges, CHECK.judges),
        (claim_options.Accept, CHECK.accept),
        (claim_options.Rounds, VERGE.rounds),
    ],
)
def test_the_defaults_that_are_told_are_those_of_the_published_pipeline(option: Any, value: object) -> None:
    _, declared = get_args(option)
    assert declared.show_default == str(value)
