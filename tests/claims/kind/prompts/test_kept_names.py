"""Words of contracts, invoices and rotas that look like kinds, verbs or months survive as a model has them."""

from __future__ import annotations

import json

import pytest

from holdtrue_claims.fol.naming import LONGEST, thing_identifier
from holdtrue_claims.fol.vocabulary import Entity, Vocabulary
from holdtrue_claims.kind.prompts.entities import read_entities
from holdtrue_claims.kind.prompts.vocabulary_proposal import read_words

KEPT = (
    ("Notice must be given in writing.", "Notice", "document"),
    ("The notice was sent on 1 March 2026.", "Notice", "document"),
    ("Termination takes effect after 30 days.", "Termination", "event"),
    ("The contract ends with the termination.", "Termination", "event"),
    ("Signing takes place in Bern.", "Signing", "event"),
    ("The signing is on 3 May 2026.", "Signing", "event"),
    ("Order 4711 was delivered 12 days ago.", "Order4711", "order"),
    ("The order cost 240 euros.", "Order", "order"),
    ("The chair opens the meeting.", "Chair", "person"),
    ("The Chair may vote.", "Chair", "person"),
    ("The vase is on the table.", "Table", "furniture"),
    ("The table seats eight.", "Table", "furniture"),
    ("May works on Mondays.", "May", "nurse"),
    ("Will is on the late shift.", "Will", "nurse"),
    ("We hope that Will comes.", "Will", "person"),
    ("June and May share a shift.", "June", "nurse"),
    ("The tenant pays the rent on the first.", "Tenant", "party"),
    ("The tenant pays the rent on the first.", "Rent", "amount"),
    ("The landlord may enter.", "Landlord", "party"),
    ("Delivery is free.", "Delivery", "service"),
    ("The invoice is due on 31.03.2026.", "Invoice", "document"),
    ("Invoice 2026-117 has three lines.", "Invoice2026117", "invoice"),
    ("The deposit is 500 euros.", "Deposit", "amount"),
    ("The night shift has four nurses.", "NightShift", "shift"),
    ("The late shift begins at 14:30.", "LateShift", "shift"),
    ("The supplier bears the cost.", "Supplier", "party"),
    ("The warranty lasts 24 months.", "Warranty", "clause"),
    ("Insurance covers theft.", "Insurance", "contract"),
    ("The buyer inspects the goods.", "Buyer", "party"),
    ("Clause 7 does not apply.", "Clause7", "clause"),
    ("The board elects the secretary.", "Secretary", "person"),
    ("The minister signs the treaty.", "Treaty", "document"),
    ("Payment follows within ten days.", "Payment", "event"),
    ("The lessee returns the car.", "Car", "thing"),
    ("Reception closes at noon.", "Reception", "place"),
    ("The pool opens at 8 am.", "Pool", "place"),
    ("The parcel weighs 800 g.", "Parcel", "parcel"),
    ("Vitamin A is stored in the dark.", "VitaminA", "substance"),
    ("The account holder signs.", "AccountHolder", "person"),
    ("Bus 12 leaves at half past two.", "Bus12", "bus"),
    ("The premises are closed.", "Premises", "place"),
    ("Rest is due after six hours.", "Rest", "event"),
    ("It is shut on Sundays.", "Sunday", "day"),
    ("May my dog come in?", "User", "guest"),
    ("We met the Bergs.", "Berg", "family"),
    ("This is Mabel's, not Dorothy's.", "Dorothys", "quilt"),
)


@pytest.mark.parametrize("text, name, sort", KEPT)
def test_a_single_thing_is_kept(text: str, name: str, sort: str) -> None:
    entities, alerts = read_entities(json.dumps({"things": [{"name": name, "sort": sort}]}), text)
    assert entities == (Entity(name, sort),)
    assert alerts == ()


@pytest.mark.parametrize("name, meaning", [("Nurse", "x is a nurse"), ("Shift", "x is a shift"), ("On", "x is on y")])
def test_predicates_named_like_sorts_are_kept(name: str, meaning: str) -> None:
    rota = Vocabulary((Entity("May", "nurse"), Entity("NightShift", "shift")))
    words, alerts = read_words(
        json.dumps({"predicates": [{"name": name, "meaning": meaning}]}), rota, "May is a nurse."
    )
    assert [own.name for own in words.predicates] == [name]
    assert alerts == ()


def test_two_long_names_are_two() -> None:
    one, other = (thing_identifier("very " * 20 + last) for last in ("long", "short"))
    assert one != other
    assert len(one) == len(other) == LONGEST
