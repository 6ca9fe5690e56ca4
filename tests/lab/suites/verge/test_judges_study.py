"""The measurement of judges: claims with known verdicts, and figures that follow from planted faults."""

from __future__ import annotations

from math import comb

import pytest

from holdtrue_claims.claim_record import ClaimType, SoftVerdict
from holdtrue_claims.kind.calibration import Calibration
from holdtrue_lab.kinds.claims.simulation.model import SimulatedReasoner
from holdtrue_lab.suites.verge.gold_logic import proved_option
from holdtrue_lab.suites.verge.judges_study import KnownClaim, known_claims, measure_judges
from holdtrue_lab.suites.verge.perturb.generate import generate_pairs

ITEMS = generate_pairs(3, 16)
CLAIMS = list(known_claims(ITEMS))


def test_the_verdicts_are_those_of_gold_logic_and_half_of_the_claims_follow() -> None:
    by_id = {item.id: item for item in ITEMS}
    assert {claim.item for claim in CLAIMS} == set(by_id)
    for claim in CLAIMS:
        item = by_id[claim.item]
        right = proved_option(item)
        assert claim.follows == (right == "A" if item.statement is not None else item.options[str(right)] == claim.text)
    for type in (ClaimType.LOGICAL, ClaimType.MATHEMATICAL, ClaimType.TEMPORAL):
        own = [claim.follows for claim in CLAIMS if claim.type is type]
        assert own and 0.3 <= sum(own) / len(own) <= 0.7


async def measured(name: str, judges: int = 1, seen: list[KnownClaim] | None = None) -> list[Calibration]:
    def watch(claim: KnownClaim, verdict: SoftVerdict) -> None:
        if seen is not None:
            seen.append(claim)

    model = SimulatedReasoner(name, ITEMS)
    return await measure_judges(CLAIMS, model, judges=judges, source="a test", date="2026-11-23", watch=watch)


async def test_judges_without_faults_support_just_what_follows() -> None:
    seen: list[KnownClaim] = []
    rows = await measured("sim/claims", seen=seen)
    assert seen == CLAIMS
    assert {row.type for row in rows} == {claim.type for claim in CLAIMS}
    for row in rows:
        if row.type is ClaimType.MATHEMATICAL:
            continue  # of two contexts that differ in one of these sentences, the simulated model may know the other
        own = [claim for claim in CLAIMS if claim.type is row.type]
        assert (row.claims, row.supported, row.right) == (len(own), *[sum(each.follows for each in own)] * 2)
        assert (row.model, row.judges, row.source, row.date) == ("sim/claims", 1, "a test", "2026-11-23")


async def test_confused_judges_support_what_is_wrong_at_the_planted_rate() -> None:
    """A confused judge picks one of three other verdicts, so false claims are supported at a third of the rate."""
    rows = await measured("sim/claims:confuse=0.9@5")
    wrong = sum(row.supported - row.right for row in rows)
    not_following = sum(not claim.follows for claim in CLAIMS)
    tail = sum(comb(not_following, n) * 0.3**n * 0.7 ** (not_following - n) for n in range(wrong + 1))
    assert 1e-4 < tail < 1 - 1e-4
    assert sum(row.right for row in rows) < sum(claim.follows for claim in CLAIMS) / 2


async def test_more_judges_are_right_more_often() -> None:
    one, many = [sum(row.right for row in await measured("sim/claims:confuse=0.4@5", n)) for n in (1, 9)]
    assert many > one


@pytest.mark.parametrize("kind", ["logic_inversion", "mutual_exclusion"])
def test_other_kinds_are_logical(kind: str) -> None:
    assert {claim.type for claim in CLAIMS if claim.item.startswith(kind)} == {ClaimType.LOGICAL}
