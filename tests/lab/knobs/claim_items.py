"""Items about claims in forms in which other verdicts are reached than in the usual one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from holdtrue_claims.kind.gold_logic import STATEMENT
from holdtrue_lab.kinds.claims.item import Item
from tests.lab.kinds.claims.items import said


def _all(item: Item) -> Item:
    """The statement holds of the one person who is named, and of nobody else."""
    assert item.gold is not None
    told = (f"{item.id} is a baker.", f"{item.id} rises early.")
    premises = {"P1": said(f"Baker({item.id})"), "P2": said(f"Early({item.id})")}
    gold = replace(item.gold, premises=premises, statements={STATEMENT: said("forall x (Baker(x) -> Early(x))")})
    return replace(item, sentences=told, context=" ".join(told), statement="All bakers rise early.", gold=gold)


def _twice(item: Item) -> Item:
    """The context says also what follows from it, so that a misread sentence may clash with the others."""
    assert item.gold is not None
    told = (*item.sentences, f"{item.id} rises early every day.")
    gold = replace(item.gold, premises={**item.gold.premises, "P3": said(f"Early({item.id})")})
    return replace(item, sentences=told, context=" ".join(told), gold=gold)


FORMS: Mapping[str, Callable[[Item], Item]] = {"usual": lambda item: item, "all": _all, "twice": _twice}
