"""Texts with their formulas, and claims with the verdicts of an independent script for z3, written by hand.

`lures` could lure a checker into false proofs: ranges, counts and groups that nobody stated, units, dates, rates, sums.
`everyday` are a contract, an invoice, a rota and the like. Whoever wrote them had seen no code. A claim may stay
undecided, but nothing is proved that does not follow.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from holdtrue.budget import Budget
from holdtrue_claims.claim_record import ClaimVerdict
from holdtrue_claims.fol.conventions import CONVENTIONS
from holdtrue_claims.fol.meaning import Stated, state
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.vocabulary import Entity, Function, Predicate, Vocabulary
from holdtrue_claims.kind.context import Context
from holdtrue_claims.kind.entailment import verify_claim

TEXTS = Path(__file__).parent / "texts"
PROVED = ("entailed", "contradictory")


def vocabulary(text: dict[str, Any]) -> Vocabulary:
    words = text["vocabulary"]
    formulas = [*text["formulas"], *(claim["formula"] for claim in text["claims"])]
    return Vocabulary(
        tuple(Entity(own["name"], own["sort"]) for own in words["things"]),
        tuple(Predicate(own["name"], tuple(own["of"])) for own in words["predicates"]),
        tuple(Function(own["name"], tuple(own["of"]), result=own["is"]) for own in words["functions"]),
        tuple(words.get("closed", ())),
        # A sort that only a quantifier names.
        tuple({sort for said in formulas if said for sort in re.findall(r"\b[a-z]\w* in (\w+)", said)}),
        stated=CONVENTIONS,  # as the scripts that judge the texts do
    )


def said(formula: str, words: Vocabulary) -> Stated:
    sentence = read_fol(formula).sentence
    assert sentence is not None, formula
    return state(sentence, words)


def verdicts(text: dict[str, Any]) -> list[tuple[str, str]]:
    """The verdict of the script and ours for each claim of a text."""
    words = vocabulary(text)
    premises = {f"P{at}": said(one, words) for at, one in enumerate(text["formulas"], 1) if one is not None}
    context = Context(premises, words, Budget(timeout_s=10))
    return [
        (claim["verdict"], str(verify_claim(context, said(claim["formula"], words)).verdict))
        for claim in text["claims"]
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["lures_1", "lures_2", "lures_3", "everyday_2"])
def test_nothing_is_proved_that_does_not_follow_and_nearly_all_that_does(name: str) -> None:
    texts = json.loads((TEXTS / f"{name}.json").read_text(encoding="utf-8"))
    found = Counter(pair for text in texts for pair in verdicts(text))
    print(name, dict(found))
    false = {pair: count for pair, count in found.items() if pair[1] in PROVED and pair[0] != pair[1]}
    assert false == {}
    proved = sum(count for (wanted, _), count in found.items() if wanted in PROVED)
    decided = sum(found[own, own] for own in PROVED)
    assert decided >= (0.8 if name.startswith("everyday") else 0.9) * proved


def test_claims_about_a_few_texts() -> None:
    texts = json.loads((TEXTS / "lures_3.json").read_text(encoding="utf-8"))
    for text in texts[:6]:
        for wanted, found in verdicts(text):
            assert found in (wanted, ClaimVerdict.UNKNOWN, ClaimVerdict.ASSUMED), text["id"]
