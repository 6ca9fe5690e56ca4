"""The example on the data-set card, in the card's form, and a model that formalizes its sentences."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import combinations, permutations
from typing import Any

from holdtrue.models.chat import Request
from holdtrue_claims.fol.vocabulary import Function, Vocabulary
from holdtrue_claims.kind.prompts.vocabulary_proposal import words_json
from tests.recorder import Recorder

PEOPLE = ("Alice", "Bob", "Charlie", "Diana", "Eve")
PREMISES = (
    "There are 5 people seated at a circular table: Alice, Bob, Charlie, Diana, and Eve.",
    "Each person occupies exactly one seat and all seats are distinct.",
    "Alice must sit directly next to Bob.",
    "Charlie must not sit directly next to Diana.",
)
PAIRS = tuple(combinations(PEOPLE, 2))


def beside(a: str, b: str) -> str:
    """Return the formula that two people sit next to each other."""
    return f"(abs(seat({a}) - seat({b})) = 1 or abs(seat({a}) - seat({b})) = 4)"


FORMULAS: Mapping[str, str] = {
    PREMISES[0]: " and ".join(f"seat({each}) >= 0 and seat({each}) <= 4" for each in PEOPLE),
    PREMISES[1]: " and ".join(f"seat({a}) != seat({b})" for a, b in PAIRS),
    PREMISES[2]: beside("Alice", "Bob"),
    PREMISES[3]: f"not {beside('Charlie', 'Diana')}",
    **{f"{a} sits next to {b}.": beside(a, b) for a, b in PAIRS},
    **{f"Charlie sits at position {seat}.": f"seat(Charlie) = {seat}" for seat in range(5)},
}


def seatings() -> list[dict[str, int]]:
    """Return every seating that the premises allow, by brute force."""

    def near(seats: Mapping[str, int], a: str, b: str) -> bool:
        return abs(seats[a] - seats[b]) in (1, 4)

    every = [dict(zip(PEOPLE, order, strict=True)) for order in permutations(range(5))]
    return [seats for seats in every if near(seats, "Alice", "Bob") and not near(seats, "Charlie", "Diana")]


def truths() -> dict[str, list[bool]]:
    """Return whether each statement is true, by seating."""
    every = seatings()
    return {
        **{f"{a} sits next to {b}.": [abs(seats[a] - seats[b]) in (1, 4) for seats in every] for a, b in PAIRS},
        **{f"Charlie sits at position {at}.": [seats["Charlie"] == at for seats in every] for at in range(5)},
    }


def labels() -> dict[str, str]:
    """Return the label of every statement, by brute force."""
    return {
        text: "UNKNOWN" if len(set(held)) > 1 else "ENTAILED" if held[0] else "CONTRADICTED"
        for text, held in truths().items()
    }


def record(*texts: str, id: str = "rel_seating_0042") -> dict[str, Any]:
    """Return the case in the card's form, with a bundle of these statements; its formal part is a comment."""
    truth = labels()
    queries: list[dict[str, Any]] = [
        {
            "query_id": f"q{place}",
            "query": text,
            "label": truth[text],
            "reasoning": "",
            "query_type": "pos" if "position" in text else "adj",
            "depends_on": [],
        }
        for place, text in enumerate(texts)
    ]
    return {
        "id": id,
        "domain": "relational",
        "subdomain": "seating_arrangement",
        "logic_type": "propositional",
        "premises": list(PREMISES),
        "formal_representation": "; Seating: 5 people, circular\n; Variables: pos_X in [0, 4]",
        "entities": list(PEOPLE),
        "bundles": [{"bundle_id": "bundle_0", "num_queries": len(queries), "queries": queries}],
    }


def reading_model(answers: Mapping[str, str], formulas: Mapping[str, str] = FORMULAS) -> Recorder:
    """Return a model that reads sentences by `formulas`, and gives these labels by query."""
    seat = Function("seat", ("person",), meaning="seat of x at the table, from 0")
    given = {
        "entities": {"things": [{"name": name, "sort": "person"} for name in PEOPLE]},
        "vocabulary": words_json(Vocabulary(functions=(seat,))),
    }

    def reply(request: Request) -> str:
        if request.purpose in given:
            return json.dumps(given[request.purpose])
        if request.purpose in ("formalize", "statement", "refine"):
            asked = request.messages[-1].content.split("Sentence: ")[-1].splitlines()[0]
            return json.dumps({"formula": formulas.get(asked, "?")})
        return json.dumps({"answers": {id: {"label": label, "confidence": 0.9} for id, label in answers.items()}})

    return Recorder(reply)
