"""Formulas as a simulated reasoner writes them, reads them wrongly on purpose, and says them in words."""

from __future__ import annotations

import json
import re
from typing import Any

from holdtrue.kinds.claims.prompts.options import denial
from holdtrue.kinds.claims.prompts.vocabulary_proposal import words_json
from holdtrue.lab.kinds.claims.simulation.world import ClaimWorld
from holdtrue.lab.kit.simulation.chance import draw, pick
from holdtrue.logic.fol.canonical import renamed, tree_key
from holdtrue.logic.fol.naming import function_identifier, thing_identifier
from holdtrue.logic.fol.notation import read_fol, write_fol
from holdtrue.logic.fol.syntax import Implies, Not, Quantified, Sentence
from holdtrue.logic.fol.vocabulary import Predicate

_VARIABLE = re.compile(r"\b[xyz]\b")
_SIGN = re.compile(r"[^\w\s]")


def write_formula(world: ClaimWorld, sentence: Sentence, told: str) -> str:
    """The sentence as text, in the names that the prompt's vocabulary shows: its own ones, or these as a step that
    asks for names would spell them."""
    return write_fol(renamed(sentence, _spelling(world, told)))


def things_reply(world: ClaimWorld) -> str:
    """All things, with their sorts."""
    return _json({"things": [{"name": entity.name, "sort": entity.sort} for entity in world.vocabulary.entities]})


def words_reply(world: ClaimWorld) -> str:
    """All predicates and functions."""
    vocabulary = world.vocabulary
    functions = [function for function in vocabulary.functions if len(function.sorts) == 1]  # no reply can say more
    return _json(words_json(functions, {each.name: _meaning(each) for each in vocabulary.predicates}))


def misread(world: ClaimWorld, sentence: Sentence, *key: object) -> Sentence:
    """Another sentence of the same words: a denial, a converse, or what another sentence says. The key chooses."""
    others = [known.sentence for known in world.known.values() if known.sentence is not None]
    options = [_denied(sentence), *_converse(sentence), *others]
    wrong = [option for option in options if tree_key(option) != tree_key(sentence)]
    # The first ones are the likely slips: they get as much as all others together.
    likely = wrong[: len(options) - len(others)]
    pool = likely if draw(*key, "likely") < 0.5 and likely else wrong
    return pick(pool, *key, "which")


def say_formula(world: ClaimWorld, formula: str, told: str) -> str | None:
    """The sentence of the world that says just what a formula says, or denies it; None where there is none."""
    back = {new: old for old, new in _spelling(world, told).items()}
    read = read_fol(formula).sentence
    if read is None:
        return None
    key = tree_key(renamed(read, back))
    known = [(each.text, each.sentence) for each in world.known.values() if each.sentence is not None]
    meant = next((text for text, sentence in known if tree_key(sentence) == key), None)
    if meant is not None:
        return meant
    return next((denial(text) for text, sentence in known if tree_key(_denied(sentence)) == key), None)


def spell_formula(formula: str) -> str:
    """A formula in its own names, one after the other: what is left to say of one that nobody wrote."""
    return " ".join(_SIGN.sub(" ", formula.replace("¬", " not ")).split())


def _spelling(world: ClaimWorld, told: str) -> dict[str, str]:
    """Names of the world that the prompt shows in another spelling only."""
    vocabulary = world.vocabulary
    spelled = {entity.name: thing_identifier(entity.name) for entity in vocabulary.entities}
    spelled |= {predicate.name: thing_identifier(predicate.name) for predicate in vocabulary.predicates}
    spelled |= {function.name: function_identifier(function.name) for function in vocabulary.functions}
    return {name: own for name, own in spelled.items() if name not in told and own in told}


def _meaning(predicate: Predicate) -> str:
    """What it means, with a variable for each argument: from these they are counted."""
    count = len(predicate.sorts)
    if len(set(_VARIABLE.findall(predicate.meaning))) == count:
        return predicate.meaning
    variables = list("xyz"[:count]) or ["it"]
    return " ".join([variables[0], predicate.name, *variables[1:]])


def _denied(sentence: Sentence) -> Sentence:
    return sentence.operand if isinstance(sentence, Not) else Not(sentence)


def _converse(sentence: Sentence) -> list[Sentence]:
    """'All B are A' for 'all A are B': none where the sentence is no such thing."""
    match sentence:
        case Implies(left, right):
            return [Implies(right, left)]
        case Quantified(quantifier, variable, body, sort):
            return [Quantified(quantifier, variable, turned, sort) for turned in _converse(body)]
    return []


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)
