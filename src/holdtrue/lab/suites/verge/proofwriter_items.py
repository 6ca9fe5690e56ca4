"""ProofWriter as items: facts and rules one by one, and their classical reading as gold logic.

The labels are of an open world without contraposition and without reasoning by cases (`proofwriter`), classical logic
finds more: on 15 of the 600 shared records it proves another option, or finds the context inconsistent.
"""

from __future__ import annotations

from dataclasses import replace

from holdtrue.kinds.claims.gold_logic import STATEMENT, GoldLogic
from holdtrue.lab.kinds.claims.item import Item
from holdtrue.lab.suites.verge.gold_vocabulary import vocabulary_of
from holdtrue.lab.suites.verge.proofwriter import read_proofwriter

DATASET = "proofwriter"


def proofwriter_item(item: Item) -> Item:
    """The item with its sentences, its statement and its gold logic; raises `RecordError`."""
    record = read_proofwriter(item)
    premises = {f"P{number}": rule.sentence for number, rule in enumerate(record.rules, start=1)}
    claim = record.statement.sentence
    gold = GoldLogic(vocabulary_of([*premises.values(), claim], _meaning), premises, {STATEMENT: claim})
    statement = item.question.rpartition("? ")[2].strip()
    return replace(item, sentences=record.sentences, statement=statement, dataset=item.dataset or DATASET, gold=gold)


def _meaning(name: str, arity: int) -> str:
    return f"x is {name}" if arity == 1 else f"x {name}s y"
