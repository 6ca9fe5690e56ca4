from __future__ import annotations

from pathlib import Path

from holdtrue.budget import Budget
from holdtrue.ledger.ledger import Ledger
from holdtrue.logic.smtlib.script import read_script
from holdtrue.solving.certificate import Certificate, NoCertificate, WitnessCertificate, write_certificate
from holdtrue.solving.recheck import Confirmed
from holdtrue.solving.result import Unknown
from holdtrue.solving.route import make_engine
from holdtrue.verification.certification import certify, ledger_text, recheck_theory
from holdtrue.verification.ledger_theory import Theory
from holdtrue.world.domain import Attribute, Domain
from holdtrue.world.seating import SEATING
from tests.solving.brute import AMPLE
from tests.solving.drat import check
from tests.verification.test_verifier import ledger_of

TABLE = SEATING.instance(["Ann", "Bob", "Cid", "Dee"])


def certified(ledger: Ledger, budget: Budget = AMPLE) -> Certificate | WitnessCertificate | NoCertificate:
    instance = ledger.instance
    return certify(Theory.of(ledger), make_engine(list(instance.variables.values()), instance.background), budget)


def rechecked(ledger: Ledger, budget: Budget = AMPLE) -> Confirmed | Unknown:
    instance = ledger.instance
    return recheck_theory(
        Theory.of(ledger), make_engine(list(instance.variables.values()), instance.background), budget
    )


def test_a_conflict_is_proved_in_the_words_of_the_domain(tmp_path: Path) -> None:
    made = certified(ledger_of(TABLE, ("at_position", "Dee", 4), ("at_position", "Ann", 1), ("at_position", "Ann", 2)))
    assert isinstance(made, Certificate)
    assert made.ids == ("C002", "C003")
    assert [part.words for part in made.cnf.parts if part.kind != "sort"] == [
        "no two share the same seat",
        "Ann must sit at position 1",
        "Ann must sit at position 2",
    ]
    formula, proof, _ = write_certificate(made, tmp_path)
    assert check(formula.read_text(encoding="utf-8"), proof.read_text(encoding="utf-8")) >= 1


def test_a_ledger_that_can_hold_has_a_witness() -> None:
    made = certified(ledger_of(TABLE, ("at_position", "Ann", 1), ("adjacent", "Bob", "Ann")))
    assert isinstance(made, WitnessCertificate)
    assert [own.id for own in made.holds] == ["1", "C001", "C002"]
    assert made.holds[1].values == {"Ann.seat": "1"}


def test_a_setting_that_is_impossible_is_proved_by_itself() -> None:
    crowd = Domain(name="crowd", attributes=(Attribute("seat", 1, 3, distinct=True),), constraint_types=())
    made = certified(Ledger(crowd.instance(["Ann", "Bob", "Cid", "Dee"])))
    assert isinstance(made, Certificate)
    assert made.ids == ()
    assert made.cnf.parts[-1].counted == ("4 terms share 3 values",)
    assert check(made.cnf.dimacs(), made.proof) == 1


def test_without_time_there_is_no_certificate() -> None:
    made = certified(ledger_of(TABLE, ("at_position", "Ann", 1)), Budget(0.0))
    assert isinstance(made, NoCertificate)
    assert "ran out" in made.reason


def test_another_engine_says_the_same_of_what_can_be_kept_and_of_what_cannot() -> None:
    assert rechecked(ledger_of(TABLE, ("at_position", "Ann", 1))) == Confirmed("z3")
    clash = ledger_of(TABLE, ("at_position", "Ann", 1), ("at_position", "Ann", 2), ("adjacent", "Bob", "Ann"))
    assert rechecked(clash) == Confirmed("z3")
    assert isinstance(rechecked(clash, Budget(0.0)), Unknown)


def test_laws_and_commitments_are_there_with_their_sentences() -> None:
    table = SEATING.instance(["Ann", "Bob; (exit)\n(exit)"])
    text = ledger_text(ledger_of(table, ("at_position", "Ann", 1)), {"C001": "a"})
    assert "; no two share the same seat\n(assert (distinct Ann.seat" in text
    assert text.endswith('; a: "Ann must sit at position 1" (turn 1)\n(assert (= Ann.seat 1))\n')
    assert not any(line.startswith("(exit") for line in text.splitlines())
    assert len(read_script(text).assertions) == 4
