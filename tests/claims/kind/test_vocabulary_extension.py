"""Later sentences add their new names to the vocabulary, and sentences without new names take no call."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from holdtrue.budget import Budget
from holdtrue.language.asking import Asking
from holdtrue_claims.claim_record import ClaimType
from holdtrue_claims.kind.checking import Checked, check_answer
from holdtrue_claims.kind.formula_gates import Reader
from holdtrue_claims.kind.premise_preparation import extend, prepare
from holdtrue_claims.kind.premises import Premises
from holdtrue_claims.kind.prompts.decomposition import Claim
from holdtrue_claims.kind.settings import CheckSettings, FormalSettings
from tests.claims.kind.reader import ReaderModel
from tests.recorder import Recorder

SENTENCES = ("Whatever is quiet allows dogs.", "They stay at Solbakken.", "Nobody stays at a town.")
MODEL = ReaderModel(
    entities=[("Solbakken", "campsite"), ("Geilo", "town"), ("Seaview", "campsite"), ("Pool", "thing")],
    predicates=[
        ("Quiet", "x is quiet"),
        ("Dogs", "x allows dogs"),
        ("Stay", "they stay at x"),
        ("Far", "x is far"),
    ],
    formulas={
        "Whatever is quiet allows dogs": "forall x (Quiet(x) -> Dogs(x))",
        "They stay at Solbakken": "Stay(Solbakken)",
        "Nobody stays at a town": "forall x ∈ town (not Stay(x))",
        "Geilo is far": "Far(Geilo)",
        "Seaview is quiet": "Quiet(Seaview)",
        "Seaview allows dogs": "Dogs(Seaview)",
        "Solbakken is far": "Far(Solbakken)",
        "They stay at Geilo": "Stay(Geilo)",
        "The pool is far": "Far(Pool)",
        "Haugesund is far": "Far(Haugesund)",
    },
    verdicts={"far": ("uncertain", 10)},
)
SETTINGS = CheckSettings(judges=1, formal=FormalSettings(samples=1))


def fresh() -> ReaderModel:
    return replace(MODEL, asked=Counter())


def recording() -> Recorder:
    model = fresh()
    return Recorder(model.reply)


def checked(
    *claims: str, stated: Sequence[str] = (), settings: CheckSettings = SETTINGS
) -> tuple[Premises, Checked, Counter[str]]:
    """Return the premises with the user's statements, the check of the claims, and its calls by purpose."""
    model = fresh()
    numbered = [Claim(f"C{place}", text, ClaimType.LOGICAL) for place, text in enumerate(claims, start=1)]

    async def go() -> tuple[Premises, Checked]:
        asking = Asking(model)
        premises = await prepare(asking, settings.formal, SENTENCES, budget=Budget())
        new = {f"U1.{place}": text for place, text in enumerate(stated, start=1)}
        premises = await extend(asking, settings.formal, premises, new, "user")
        model.asked.clear()
        return premises, await check_answer(asking, premises, settings, " ".join(claims), claims=numbered)

    premises, found = asyncio.run(go())
    return premises, found, model.asked


def things(premises: Premises) -> list[str]:
    return [thing.name for thing in premises.vocabulary.entities]


def test_what_the_user_states_brings_its_names() -> None:
    premises, _, _ = checked(stated=["Geilo is far."])
    assert things(premises) == ["Solbakken", "Geilo"]
    assert premises.formulas.keys() == {"P1", "P2", "P3", "U1.1"}
    assert premises.alerts == (), "known names are not proposed again"


def test_a_premise_that_could_not_be_said_is_read_again_in_the_new_names() -> None:
    before, _, _ = checked()
    assert before.formulas.keys() == {"P1", "P2"}, "there is no town yet"
    # P3 speaks of towns, and the new name is a town.
    after, found, _ = checked("They stay at Geilo.", stated=["Geilo is far."])
    assert after.entries[2].formula is not None
    assert found.record.claims[0].verdict == "contradictory"
    assert found.record.claims[0].premises == ("P3",)


def test_claims_bring_their_names_once_for_all_of_them() -> None:
    _, found, asked = checked("Seaview is quiet.", "Seaview allows dogs.", "They stay at Solbakken.")
    assert things(found.premises) == ["Solbakken", "Seaview"]
    assert (asked["entities"], asked["vocabulary"]) == (1, 1)
    assert [claim.route for claim in found.record.claims] == ["hard"] * 3
    assert [claim.verdict for claim in found.record.claims] == ["possible", "possible", "entailed"]


def test_premises_say_of_new_things_what_they_say_of_all() -> None:
    _, found, _ = checked("Seaview allows dogs.", stated=["Seaview is quiet."])
    assert found.record.claims[0].premises == ("P1", "U1.1")
    _, found, _ = checked("The pool is far.", "They stay at Solbakken.")
    assert things(found.premises) == ["Solbakken", "Pool"]


def test_known_names_ask_for_nothing_and_leave_the_requests_as_they_are() -> None:
    """The requests equal those that formalize the claims in the vocabulary of the premises."""
    claims = [
        Claim("C1", "Solbakken is far.", ClaimType.LOGICAL),
        Claim("C2", "They stay at Solbakken.", ClaimType.LOGICAL),
    ]

    async def go() -> tuple[Recorder, Recorder]:
        premises = await prepare(Asking(fresh()), SETTINGS.formal, SENTENCES, budget=Budget())
        one, other = recording(), recording()
        found = await check_answer(Asking(one), premises, SETTINGS, "Solbakken is far; they stay there.", claims=claims)
        assert found.premises is premises
        await Reader([Asking(other)], premises, SETTINGS.formal, claims[0].text).pass_gates()
        return one, other

    one, other = asyncio.run(go())
    assert [request.purpose for request in one.requests] == ["formalize", "retell"]
    assert one.requests == other.requests


def test_a_name_that_the_model_does_not_know_of_changes_nothing() -> None:
    premises, found, asked = checked(
        "Solbakken is far.", "Haugesund is far.", settings=replace(SETTINGS, routing="hard")
    )
    assert found.premises is premises
    # There is a second request, since no formula could be written without the name.
    assert (asked["entities"], asked["vocabulary"]) == (2, 1)


def test_claims_for_judges_bring_no_names() -> None:
    premises, found, asked = checked("Haugesund is far.", settings=replace(SETTINGS, routing="soft", accept="judged"))
    assert found.premises is premises
    assert asked == {"judge": 1}
