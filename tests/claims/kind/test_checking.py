"""An answer's claims from text to verdicts, with a scripted reader."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from holdtrue.budget import Budget
from holdtrue.language.asking import Asking
from holdtrue_claims.claim_record import CheckRecord
from holdtrue_claims.kind.checking import check_answer
from holdtrue_claims.kind.premise_preparation import extend, prepare
from holdtrue_claims.kind.premises import Premises
from holdtrue_claims.kind.settings import PUBLISHED, CheckSettings, FormalSettings
from tests.claims.kind.reader import ReaderModel

SENTENCES = (
    "Every baker rises early.",
    "Nobody who rises early likes night clubs.",
    "Ines is a baker.",
    "Omar lives next to Ines.",
)
FORMULAS: Mapping[str, str | Sequence[str]] = {
    "Every baker rises early": "forall x (Baker(x) -> Early(x))",
    "Nobody who rises early likes night clubs": "forall x (Early(x) -> not Clubs(x))",
    "Ines is a baker": "Baker(Ines)",
    "Omar lives next to Ines": "NextTo(Omar, Ines)",
    "Ines rises early": "Early(Ines)",
    "Ines likes night clubs": "Clubs(Ines)",
    "Omar is a baker": "Baker(Omar)",
    "Omar likes night clubs": "Clubs(Omar)",
}
MODEL = ReaderModel(
    entities=[("Ines", "person"), ("Omar", "person")],
    predicates=[
        ("Baker", "x is a baker"),
        ("Early", "x rises early"),
        ("Clubs", "x likes night clubs"),
        ("NextTo", "x lives next to y"),
    ],
    formulas=FORMULAS,
)
SETTINGS = replace(PUBLISHED, judges=3)


def answer_of(model: ReaderModel) -> str:
    return " ".join(text for text, _ in model.claims)


def check(model: ReaderModel, settings: CheckSettings = SETTINGS) -> tuple[Premises, CheckRecord]:
    async def go() -> tuple[Premises, CheckRecord]:
        asking = Asking(model)
        premises = await prepare(asking, settings.formal, SENTENCES, budget=Budget())
        return premises, (await check_answer(asking, premises, settings, answer_of(model))).record

    return asyncio.run(go())


def saying(*claims: str, type: str = "logical", **more: object) -> ReaderModel:
    return replace(MODEL, claims=[(claim, type) for claim in claims], asked=Counter(), **more)  # type: ignore[arg-type]


def test_claims_are_entailed_contradictory_or_possible_and_say_by_what() -> None:
    premises, found = check(saying("Ines rises early.", "Ines likes night clubs.", "Omar is a baker."))
    assert premises.record.status == "consistent"
    early, clubs, omar = found.claims
    assert (early.verdict, early.premises, early.restated) == ("entailed", ("P1", "P3"), False)
    assert (clubs.verdict, clubs.premises) == ("contradictory", ("P1", "P2", "P3"))
    assert omar.verdict == "possible"
    assert omar.holds["Baker(Omar)"] == 1
    assert omar.fails["Baker(Omar)"] == 0
    assert found.change == ("C2",)
    assert not found.accepted
    assert [claim.route for claim in found.claims] == ["hard"] * 3
    assert early.formalization is not None
    assert early.formalization.same_tree == 1.0


def test_a_claim_in_the_words_of_a_premise_is_not_asked_about_again() -> None:
    model = saying("Ines is a baker")
    _, found = check(model)
    assert (found.claims[0].verdict, found.claims[0].premises, found.claims[0].restated) == ("entailed", ("P3",), True)
    assert model.asked["formalize"] == len(SENTENCES)
    assert model.asked["retell"] == 0


def test_samples_that_differ_go_to_judges_and_the_reason_is_told() -> None:
    model = saying(
        "Ines rises early.",
        formulas={**FORMULAS, "Ines rises early": ("Early(Ines)", "Baker(Ines)", "Clubs(Ines)")},
        better={"Ines rises early": "Clubs(Ines)"},
        verdicts={"Ines rises early": ("supported", 90)},
    )
    _, found = check(model)
    claim = found.claims[0]
    assert (claim.route, claim.verdict) == ("hybrid", "supported")
    assert claim.routed.startswith("consensus")
    assert claim.votes == {"supported": 2}  # a third one could change nothing
    assert found.saved == {"judge": 1}
    assert claim.formalization is not None
    assert claim.formalization.formula is None
    assert claim.formalization.refused == "consensus"
    assert (model.asked["judge"], model.asked["correct"]) == (2, 1)


def test_a_correction_counts_only_where_it_entails_what_it_corrects() -> None:
    weaker, stronger = "Early(Ines) or Baker(Ines)", "Early(Ines) and Baker(Ines)"
    draws = ("Early(Ines)", "Baker(Omar)", "Clubs(Omar)")
    for better, route in ((weaker, "hybrid"), (stronger, "hard")):
        model = saying(
            "Ines rises early.",
            formulas={**FORMULAS, "Ines rises early": draws},
            better={"Ines rises early": better},
            retold={stronger: "Ines rises early."},
            verdicts={"Ines rises early": ("plausible", 50)},
        )
        _, found = check(model)
        assert found.claims[0].route == route
        made = found.claims[0].formalization
        assert made is not None
        assert made.corrected == (route == "hard")


def test_the_gate_and_the_reason_are_of_one_formula() -> None:
    stronger = "Early(Ines) and Baker(Ines)"
    model = saying(
        "Ines rises early.",
        formulas={**FORMULAS, "Ines rises early": ("Early(Ines)", "Baker(Omar)", "Clubs(Omar)")},
        better={"Ines rises early": stronger},
        retold={stronger: "Omar has clubs."},
        verdicts={"Ines rises early": ("plausible", 50)},
    )
    _, found = check(model)
    made = found.claims[0].formalization
    assert made is not None and (made.refused, made.reason) == ("consensus", "several readings of it differ")
    assert model.asked["retell"] == 1


def test_a_formula_that_says_something_else_fails_the_round_trip() -> None:
    model = saying(
        "Ines rises early.",
        formulas={**FORMULAS, "Ines rises early": "Clubs(Ines)"},
        retold={"Clubs(Ines)": "Ines likes night clubs."},
        better={"Ines rises early": "Clubs(Ines)"},
        verdicts={"Ines rises early": ("unsupported", 80)},
    )
    _, found = check(model, replace(PUBLISHED, formal=replace(PUBLISHED.formal, corrections=0)))
    made = found.claims[0].formalization
    assert made is not None
    assert made.refused == "round_trip"
    assert made.similarity is not None
    assert made.similarity < 0.7
    assert found.claims[0].verdict == "unsupported"


def test_a_formula_that_is_always_true_is_refused_and_proves_nothing() -> None:
    model = saying(
        "Ines rises early.",
        formulas={**FORMULAS, "Ines rises early": "Early(Ines) or not Early(Ines)"},
        better={"Ines rises early": "Early(Ines) or not Early(Ines)"},
        verdicts={"Ines rises early": ("supported", 80)},
    )
    _, found = check(model)
    made = found.claims[0].formalization
    assert made is not None
    assert made.refused == "meaning"
    assert found.claims[0].verdict == "supported"


def test_claims_that_cannot_hold_together_are_told_with_what_to_change() -> None:
    model = saying("Omar is a baker.", "Omar likes night clubs.", "Ines rises early.")
    _, found = check(model)
    assert [claim.verdict for claim in found.claims] == ["possible", "possible", "entailed"]
    assert found.joint.verdict == "conflict"
    assert set(found.joint.conflict) == {"P1", "P2", "C1", "C2"}
    assert found.joint.smallest is not None
    assert len(found.joint.smallest) == 1
    assert found.change == found.joint.smallest
    assert not found.accepted


def test_bridging_axioms_count_in_the_joint_check_alone() -> None:
    model = replace(
        saying("Ines rises early."),
        claims=[("Ines rises early.", "logical"), ("Ines is a night owl.", "commonsense")],
        verdicts={"Ines is a night owl": ("plausible", 60)},
        bridges=[("No night owl rises early.", "C2 -> not Early(Ines)")],
    )
    _, found = check(model)
    assert [claim.verdict for claim in found.claims] == ["entailed", "plausible"]
    assert found.joint.verdict == "conflict"
    assert found.joint.without_bridges == "consistent"
    assert "B1" in found.joint.conflict
    assert found.joint.set_aside == ("C2",)  # the less confident one
    _, without = check(replace(model, asked=Counter()), settings=replace(SETTINGS, bridges=False))
    assert without.joint.verdict == "consistent"


def test_nothing_is_said_of_claims_where_the_premises_cannot_all_hold() -> None:
    model = saying(
        "Ines rises early.",
        formulas={**FORMULAS, "Nobody who rises early likes night clubs": "not Early(Ines)"},
        better=dict.fromkeys((text.rstrip(".") for text in SENTENCES), "not Early(Ines)")
        | {"Every baker rises early": "forall x (Baker(x) -> Early(x))", "Ines is a baker": "Baker(Ines)"},
    )
    premises, found = check(model)
    assert premises.record.status == "inconsistent"
    assert set(premises.record.conflict) == {"P1", "P2", "P3"}
    assert len(premises.record.set_aside) == 1
    assert found.claims[0].verdict == "inconsistent_context"
    assert set(found.claims[0].premises) == {"P1", "P2", "P3"}
    assert found.joint.verdict == "inconsistent_context"
    assert (found.score, found.accepted) == (0.0, False)
    soft = replace(model, claims=[("Ines rises early.", "vague")], asked=Counter())
    _, judged = check(soft)
    assert (judged.claims[0].verdict, judged.claims[0].route) == ("inconsistent_context", "soft")
    assert soft.asked["judge"] == 0


def test_premises_that_cannot_all_hold_are_read_again() -> None:
    model = saying(
        "Ines rises early.",
        formulas={**FORMULAS, "Nobody who rises early likes night clubs": "not Early(Ines)"},
        better={text.rstrip("."): str(FORMULAS[text.rstrip(".")]) for text in SENTENCES},
    )
    premises, found = check(model)
    assert premises.record.status == "consistent"
    assert [premise.refined for premise in premises.record.premises] == [0, 1, 0, 0]
    assert found.claims[0].verdict == "entailed"


@pytest.mark.parametrize(("routing", "route"), [("soft", "soft"), ("hard", "hard")])
def test_ablations_send_everything_one_way(routing: str, route: str) -> None:
    model = saying(
        "Ines rises early.", type="vague" if routing == "hard" else "logical", verdicts={"Ines": ("supported", 100)}
    )
    _, found = check(model, settings=replace(SETTINGS, routing=routing))  # type: ignore[arg-type]
    assert found.claims[0].route == route


def test_without_claims_nothing_is_accepted() -> None:
    _, found = check(saying())
    assert (found.claims, found.score, found.accepted) == ((), 0.0, False)


def test_what_is_said_later_is_tested_against_what_was_said_before() -> None:
    async def go() -> CheckRecord:
        model = saying("Omar likes night clubs.")
        asking = Asking(model)
        premises = await prepare(asking, SETTINGS.formal, SENTENCES, budget=Budget())
        wider = await extend(asking, SETTINGS.formal, premises, {"U2.1": "Omar is a baker."}, "user")
        assert [premise.source for premise in wider.record.premises] == ["context"] * 4 + ["user"]
        return (await check_answer(asking, wider, SETTINGS, answer_of(model))).record

    found = asyncio.run(go())
    assert found.claims[0].verdict == "contradictory"
    assert found.claims[0].premises == ("P1", "P2", "U2.1")


def test_several_formalizers_draw_in_turn_and_each_pays_for_its_own() -> None:
    one, two = saying("Ines rises early."), saying("Ines rises early.")

    async def go() -> CheckRecord:
        first, second = Asking(one), Asking(two)
        premises = await prepare(first, FormalSettings(), SENTENCES, budget=Budget())
        return (await check_answer(first, premises, SETTINGS, answer_of(one), formalizers=(first, second))).record

    found = asyncio.run(go())
    assert found.claims[0].verdict == "entailed"
    assert (one.asked["formalize"], two.asked["formalize"]) == (len(SENTENCES) + 1, 1)
    assert two.asked["retell"] == 0
