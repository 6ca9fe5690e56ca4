"""Bridging axioms: rules that connect claims without a formula with claims that have one (VERGE, section 3.5)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from holdtrue.language.asking import Asking, one_line
from holdtrue.language.replies import reply_object
from holdtrue.models.chat import user
from holdtrue.world.answer_shape import object_schema
from holdtrue.world.lenient_json import objects, strip_thinking
from holdtrue_claims.fol.vocabulary import Entity, Predicate, Vocabulary
from holdtrue_claims.kind.prompts.formalization import Formalization, formula_schema, read_formalization
from holdtrue_claims.kind.prompts.logic_text import list_schema, taught, vocabulary_text
from holdtrue_claims.kind.prompts.offered import Offer

MOST_BRIDGES = 3
BRIDGE = "bridge"
"""The purpose of the call."""

# These lines separate the parts of the prompt; simulated models read them too.
JUDGED = "Claims with a name:"
FORMAL = "Other claims:"
WORDS = "Vocabulary:"

BRIDGE_SYSTEM = (
    "Some claims of an answer have a name and no formula, others can be said in a vocabulary. You find rules that tie "
    "the named claims to the vocabulary: what must be true in formulas if a named claim is true, or the other way "
    "round. Only rules that nobody would doubt. If there is none, the list is empty.\n"
    "Each rule: in words, and as a formula with not, and, or, -> , in which a named claim stands by its name. "
    "Return only JSON."
)
_EXAMPLE_SOFT = {"C2": "The garden party was a pleasure for Ines.", "C5": "The weather was fine."}
_EXAMPLE_HARD = {"C1": "Ines was at the party.", "C4": "It rained on Sunday."}
_EXAMPLE_WORDS = Vocabulary(
    (Entity("Ines", "person"), Entity("Sunday", "day")),
    (Predicate("AtParty", ("person",), "x was at the party"), Predicate("Rained", ("day",), "it rained on x")),
)
_EXAMPLE_BRIDGES = (
    ("Whoever has pleasure at a party is there.", "C2 -> AtParty(Ines)"),
    ("Where it rains, the weather is not fine.", "Rained(Sunday) -> not C5"),
)
_TOKENS = 240
_NAME = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Bridge:
    """A `Bridge` is a rule in words and as a formula, in which ids stand for claims. Its `id` is B1, B2, ..."""

    id: str
    text: str
    formalization: Formalization


async def propose_bridges(
    asking: Asking, vocabulary: Vocabulary, soft: Mapping[str, str], hard: Mapping[str, str]
) -> tuple[Bridge, ...]:
    """Ask for rules that connect `soft` claims, which have no formula, with the vocabulary; both mappings are texts by
    id.

    A rule without a soft claim is dropped, and a rule with a faulty formula has alerts.
    """
    if not soft:
        return ()
    extended = with_claims(vocabulary, soft)
    formula = formula_schema(Offer(extended, counts=False, sums=False))["properties"]["formula"]
    rule = object_schema({"text": {"type": "string", "maxLength": 160}, "formula": formula})
    shown = {"bridges": [{"text": text, "formula": formula} for text, formula in _EXAMPLE_BRIDGES]}
    trial = (_task(_EXAMPLE_WORDS, _EXAMPLE_SOFT, _EXAMPLE_HARD), json.dumps(shown))
    messages = [*taught(BRIDGE_SYSTEM, [trial]), user(_task(vocabulary, soft, hard))]
    schema = object_schema({"bridges": list_schema(rule, MOST_BRIDGES)})
    reply = await asking.ask(BRIDGE, messages, schema, max_tokens=_TOKENS)
    return read_bridges(reply, extended, soft)


def with_claims(vocabulary: Vocabulary, soft: Mapping[str, str]) -> Vocabulary:
    """Return the vocabulary with the ids of the claims as predicates without arguments."""
    return replace(vocabulary, predicates=(*vocabulary.predicates, *(Predicate(id, (), soft[id]) for id in soft)))


def read_bridges(reply: str, extended: Vocabulary, soft: Mapping[str, str]) -> tuple[Bridge, ...]:
    """Return the rules of a reply, each formula once. `extended` is a vocabulary made by `with_claims`."""
    listed = reply_object(reply, "bridges").get("bridges")
    # The list may be cut off or lack its object.
    items = listed if isinstance(listed, list) else objects(strip_thinking(reply))
    found: dict[str, Bridge] = {}
    for item in items:
        text, formula = (item.get("text"), item.get("formula")) if isinstance(item, Mapping) else (None, None)
        if not isinstance(text, str) or not isinstance(formula, str):
            continue
        text, formula = one_line(text), one_line(formula)
        if soft.keys().isdisjoint(_NAME.findall(formula)) or len(found) == MOST_BRIDGES:
            continue
        found.setdefault(formula, Bridge(f"B{len(found) + 1}", text, read_formalization(formula, extended)))
    return tuple(found.values())


def _task(vocabulary: Vocabulary, soft: Mapping[str, str], hard: Mapping[str, str]) -> str:
    return f"{JUDGED}\n{_lines(soft)}\n{FORMAL}\n{_lines(hard)}\n{WORDS}\n{vocabulary_text(vocabulary)}"


def _lines(claims: Mapping[str, str]) -> str:
    return "\n".join(f"{id}: {one_line(text)}" for id, text in claims.items())
