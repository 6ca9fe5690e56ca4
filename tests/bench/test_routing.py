from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from bench.routing.__main__ import main
from bench.routing.by_model import classify
from bench.routing.score import StressClaim, measure_router, stress_claims
from holdtrue.language.asking import Asking
from holdtrue.models.scripted import ScriptModel
from holdtrue_claims.claim_record import ClaimType, Route
from holdtrue_claims.kind.checking import ROUTES


def test_the_set_has_three_groups_both_routes_and_all_types() -> None:
    claims = stress_claims()
    assert len({claim.text for claim in claims}) == len({claim.id for claim in claims}) == len(claims) >= 66
    assert min(Counter(claim.group for claim in claims).values()) >= 22
    assert {claim.type for claim in claims} == set(ClaimType)
    assert all(claim.route is ROUTES[claim.type] for claim in claims)
    assert min(Counter(claim.route for claim in claims).values()) >= 30


@pytest.mark.parametrize(
    ("reply", "type"),
    [('{"type": "vague"}', ClaimType.VAGUE), ('{"type": "odd"}', ClaimType.LOGICAL), ("", ClaimType.LOGICAL)],
)
async def test_one_statement_is_classified_by_one_short_call(reply: str, type: ClaimType) -> None:
    asking = Asking(ScriptModel([reply]))
    assert await classify(asking, "The lake\nis calm.") is type
    assert [call.purpose for call in asking.take_calls()] == ["decompose"]


def test_a_model_is_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = tmp_path / "replies.json"
    script.write_text(json.dumps(['{"type": "logical"}'] * 10), encoding="utf-8")
    main([f"script/{script}", "--every", "8"])
    assert "n=10 accuracy 0." in capsys.readouterr().out.splitlines()[0]


def test_scores_by_hand() -> None:
    def claim(id: str, type: ClaimType) -> StressClaim:
        return StressClaim(id, id, "standard", type)

    given: dict[str, Route | None] = {"a": Route.HARD, "b": Route.SOFT, "c": Route.HARD, "d": None, "e": Route.SOFT}
    types = dict(zip("abcde", (ClaimType.LOGICAL,) * 2 + (ClaimType.VAGUE,) * 3, strict=True))
    found = measure_router(lambda each: given[each.id], [claim(id, type) for id, type in types.items()])
    assert found.claims == 5
    assert (found.accuracy, found.decided) == pytest.approx((0.4, 0.8))
    hard, soft = found.routes[Route.HARD], found.routes[Route.SOFT]
    assert (hard.precision, hard.recall, hard.f1) == (0.5, 0.5, 0.5)
    assert (soft.precision, soft.recall, soft.f1) == pytest.approx((0.5, 1 / 3, 0.4))
    assert [each.id for each in found.misrouted] == ["b", "c"]
    assert [each.id for each in found.undecided] == ["d"]


def test_a_router_that_says_nothing_has_no_precision() -> None:
    found = measure_router(lambda _: None, stress_claims())
    assert (found.accuracy, found.decided) == (0, 0)
    assert found.routes[Route.HARD].precision is None
    assert found.routes[Route.HARD].f1 == 0


def test_no_claims_no_score() -> None:
    with pytest.raises(ValueError, match="no claims"):
        measure_router(lambda _: None, [])
