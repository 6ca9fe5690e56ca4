from __future__ import annotations

from holdtrue.logic.smtlib.script import read_script
from holdtrue.verification.ledger_text import ledger_text
from holdtrue.world.seating import SEATING
from tests.verification.test_verify import ledger_of


def test_laws_and_commitments_are_there_with_their_sentences() -> None:
    table = SEATING.instance(["Ann", "Bob; (exit)\n(exit)"])
    text = ledger_text(ledger_of(table, ("at_position", "Ann", 1)), {"C001": "a"})
    assert "; no two share the same seat\n(assert (distinct Ann.seat" in text
    assert text.endswith('; a: "Ann must sit at position 1" (turn 1)\n(assert (= Ann.seat 1))\n')
    assert not any(line.startswith("(exit") for line in text.splitlines())
    assert len(read_script(text).assertions) == 4
