"""Items for tests, made by hand, with the formulas that people would write for them."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.syntax import Sentence
from holdtrue_claims.fol.vocabulary import Entity, Predicate, Vocabulary
from holdtrue_claims.kind.gold_logic import STATEMENT, GoldLogic
from holdtrue_lab.kinds.claims.item import Item
from holdtrue_lab.kinds.claims.method import METHODS
from holdtrue_lab.kit.plan import Plan
from tests.lab.kit.plans import plan_for

VOCABULARY = Vocabulary(
    (Entity("ada"), Entity("bob")),
    tuple(Predicate(name, ("thing",), f"x is a {name.lower()}") for name in ("Baker", "Dancer", "Early")),
)
TRUTH = MappingProxyType({"A": "True", "B": "False", "C": "Uncertain"})
CONTEXT = ("All bakers rise early.", "Ada is a baker.", "Bob does not rise early.")
LOGIC = ("∀x (Baker(x) → Early(x))", "Baker(ada)", "¬Early(bob)")
STATEMENTS = {
    "Ada rises early.": ("Early(ada)", "A"),
    "Bob is a baker.": ("Baker(bob)", "B"),
    "Ada is a dancer.": ("Dancer(ada)", "C"),
}


def said(text: str) -> Sentence:
    sentence = read_fol(text).sentence
    assert sentence is not None
    return sentence


def item(id: str, statement: str, *, dataset: str = "bakery", **more: Any) -> Item:
    """Return an item about the bakers whose statement is true, false or uncertain."""
    written, answer = STATEMENTS[statement]
    gold = GoldLogic(
        VOCABULARY,
        {f"P{place}": said(text) for place, text in enumerate(LOGIC, start=1)},
        {STATEMENT: said(written)},
    )
    given = {"gold": gold, **more}
    question = f"Is the following statement true, false, or uncertain? {statement}"
    return Item(id, " ".join(CONTEXT), question, TRUTH, answer, CONTEXT, statement, dataset, **given)


TRUE, FALSE, OPEN = (item(f"i{place}", statement) for place, statement in enumerate(STATEMENTS, start=1))
ITEMS = (TRUE, FALSE, OPEN)


def plan_claims(items: Sequence[Item], methods: Sequence[str], model: str = "test", **more: Any) -> Plan:
    chosen = [METHODS[name] for name in methods]
    return plan_for("verge", items, chosen, model=model, **more)
