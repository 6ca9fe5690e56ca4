"""The texts that a simulated model of the claims suites writes: vocabularies, right or wrong formulas, sentences."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from holdtrue.logic.value_sorts import read_sort
from holdtrue_claims.fol.canonical import renamed, tree_key
from holdtrue_claims.fol.english import say
from holdtrue_claims.fol.laws import stated_laws
from holdtrue_claims.fol.meaning import settled
from holdtrue_claims.fol.naming import function_identifier, thing_identifier
from holdtrue_claims.fol.notation import read_fol, write_fol
from holdtrue_claims.fol.syntax import Binder, Implies, Not, Or, Quantified, Sentence, rebuilt
from holdtrue_claims.fol.vocabulary import Predicate, Vocabulary
from holdtrue_claims.kind.prompts.options import denial
from holdtrue_claims.kind.prompts.vocabulary_proposal import words_json
from holdtrue_lab.kinds.claims.baselines.prompts.program_prompt import ProgramForm, program_json
from holdtrue_lab.kinds.claims.simulation.scripts import write_script
from holdtrue_lab.kinds.claims.simulation.world import ClaimWorld
from holdtrue_lab.kinds.claims.simulation.world import names as names_of
from holdtrue_lab.kit.simulation.chance import draw, pick

_VARIABLE = re.compile(r"\b[xyzw]\b")
_SIGN = re.compile(r"[^\w\s]")


def write_formula(world: ClaimWorld, sentence: Sentence, vocabulary_text: str) -> str:
    """Return a sentence as a formula in text, with its names spelled as `vocabulary_text` shows them.

    A prompt shows the names of the world as they are, or as identifiers made of them. It may lack sorts of the world.
    """
    return write_fol(unsorted(renamed(sentence, _spelling(world, vocabulary_text)), vocabulary_text))


def things_reply(world: ClaimWorld) -> str:
    """Return the JSON reply to a prompt that asks for the things of the context: all of them, with sorts."""
    return _json({"things": [{"name": entity.name, "sort": entity.sort} for entity in world.vocabulary.entities]})


def words_reply(world: ClaimWorld) -> str:
    """Return the JSON reply to a prompt that asks for predicates and functions."""
    vocabulary = world.vocabulary
    said = tuple(replace(each, meaning=_meaning(each)) for each in vocabulary.predicates)
    return _json(words_json(replace(vocabulary, predicates=said)))


def unsorted(sentence: Sentence, shown: str | None = None) -> Sentence:
    """Return a sentence whose quantifiers and counts range over things of every sort.

    If `shown` is given, sorts of values and the sorts in this text are kept.
    """

    def freed(node: Any) -> Any:
        if isinstance(node, Binder) and node.sort is not None and not _is_shown(node.sort, shown):
            node = replace(node, sort=None)
        return rebuilt(node, freed)

    found: Sentence = freed(sentence)
    return found


def _is_shown(sort: str, shown: str | None) -> bool:
    return shown is not None and (sort.casefold() in shown.casefold() or read_sort(sort) is not None)


def with_laws(world: ClaimWorld, premises: Sequence[str]) -> list[str]:
    """Return the premises, with the laws of the vocabulary appended to the first one.

    The laws state ranges of functions, and that no two things share a value, neither of which a program can declare.
    The laws have no sorts, because not every form of a program has sorts.
    """
    laws = [
        write_fol(replace(law, sort=None) if isinstance(law, Quantified) else law)
        for law in stated_laws(world.vocabulary)
    ]
    if not premises or not laws:
        return list(premises)
    return [" and ".join(f"({text})" for text in (premises[0], *laws)), *premises[1:]]


def program_reply(world: ClaimWorld, form: ProgramForm, premises: Sequence[str], statements: Mapping[str, str]) -> str:
    """Return the JSON text of a program of these formulas, with the declarations of its form."""
    if form == "script":
        script, terms = write_script(world.vocabulary, premises, statements)
        return _json({"script": script, "statements": terms})
    found = program_json(world.vocabulary, form, premises, statements)
    if form == "typed":
        found["sorts"] = sorted(world.vocabulary.thing_sorts)  # also those that no named thing has
    return _json(found)


def misread(world: ClaimWorld, sentence: Sentence, *key: object) -> Sentence:
    """Return a wrong formula for a sentence: its negation, its converse, or the formula of another sentence.

    The same `key` always gives the same choice.
    """
    others = [known.sentence for known in world.known.values() if known.sentence is not None]
    options = [_denied(sentence), *_converse(sentence), *others]
    wrong = [option for option in options if tree_key(option) != tree_key(sentence)]
    # Negation and converse are the likely errors, so every second choice is between these two.
    likely = wrong[: len(options) - len(others)]
    pool = likely if draw(*key, "likely") < 0.5 and likely else wrong
    return pick(pool, *key, "which")


def weaken(world: ClaimWorld, sentence: Sentence, *key: object) -> Sentence:
    """Return the disjunction of a sentence with another sentence of the world.

    The same `key` always gives the same choice. If the world has no other sentence, the sentence stays unchanged.
    """
    others = [known.sentence for known in world.known.values() if known.sentence is not None]
    beside = [other for other in others if tree_key(other) not in (tree_key(sentence), tree_key(_denied(sentence)))]
    return Or((sentence, pick(beside, *key, "beside"))) if beside else sentence


def say_formula(world: ClaimWorld, formula: str, vocabulary_text: str) -> str | None:
    """Return a formula in words: the world's sentence that has this formula, or a denial of the sentence that it
    negates.

    The result is None if the world has no such sentence, or if the formula cannot be read.
    """
    back = {new: old for old, new in _spelling(world, vocabulary_text).items()}
    read = read_fol(formula).sentence
    if read is None:
        return None
    meant = renamed(read, back)
    known = [(each.text, each.sentence) for each in world.known.values() if each.sentence is not None]
    for key_of in (tree_key, lambda own: tree_key(unsorted(own))):
        found = next((text for text, sentence in known if key_of(sentence) == key_of(meant)), None)
        denied = next((text for text, sentence in known if key_of(_denied(sentence)) == key_of(meant)), None)
        if found or denied:
            return found or denial(denied or "")
    return None


def find_saying(world: ClaimWorld, sentence: Sentence, statements: Sequence[str]) -> str | None:
    """Return the statement that expresses a sentence of the world, in any spelling of its names, or None."""
    spelled = {_letters(text): text for text in statements}
    for vocabulary in (world.vocabulary, _identified(world.vocabulary)):
        names = dict(zip(names_of(world.vocabulary), names_of(vocabulary), strict=True))
        own = settled(renamed(sentence, names), vocabulary)
        for each in (own, unsorted(own, " ".join(statements))):
            found = spelled.get(_letters(say(each, vocabulary)))
            if found is not None:
                return found
    return None


_NAME = re.compile(r"\w+")
_TELLING = re.compile(r"[^\W_]|[()%]|(?<=\d)\.(?=\d)")


def _letters(text: str) -> str:
    # Spellings of a name differ in signs. Brackets, percent signs and decimal points change the meaning.
    return "".join(_TELLING.findall(text.casefold()))


def _identified(vocabulary: Vocabulary) -> Vocabulary:
    """Return the vocabulary that a reader gets from this model's replies, with identifiers as names and complete
    meanings.
    """
    return Vocabulary(
        tuple(replace(own, name=thing_identifier(own.name)) for own in vocabulary.entities),
        tuple(replace(own, name=thing_identifier(own.name), meaning=_meaning(own)) for own in vocabulary.predicates),
        tuple(replace(own, name=function_identifier(own.name)) for own in vocabulary.functions),
    )


def spell_formula(formula: str) -> str:
    """Return the bare names of a formula in their order, if the formula belongs to no known sentence."""
    return " ".join(_SIGN.sub(" ", formula.replace("¬", " not ")).split())


def _spelling(world: ClaimWorld, vocabulary_text: str) -> dict[str, str]:
    """Return the spelling in the prompt of each name that the prompt shows only as an identifier."""
    vocabulary = world.vocabulary
    named = {*_NAME.findall(vocabulary_text)}
    spelled = {entity.name: thing_identifier(entity.name) for entity in vocabulary.entities}
    spelled |= {predicate.name: thing_identifier(predicate.name) for predicate in vocabulary.predicates}
    # A predicate with the name of a function gets the prefix Is.
    spelled |= {name: f"Is{own}" for name, own in spelled.items() if f"Is{own}" in named and own not in named}
    spelled |= {function.name: function_identifier(function.name) for function in vocabulary.functions}
    return {name: own for name, own in spelled.items() if name not in named and own in named}


def _meaning(predicate: Predicate) -> str:
    """Return the meaning of a predicate with one variable for each argument, because readers count arguments by
    variables.
    """
    count = len(predicate.sorts)
    if len(set(_VARIABLE.findall(predicate.meaning))) == count:
        return predicate.meaning
    variables = list("xyzw"[:count]) or ["it"]
    return " ".join([variables[0], predicate.name, *variables[1:]])


def _denied(sentence: Sentence) -> Sentence:
    return sentence.operand if isinstance(sentence, Not) else Not(sentence)


def _converse(sentence: Sentence) -> list[Sentence]:
    """Return 'all B are A' for 'all A are B', or nothing for any other sentence."""
    match sentence:
        case Implies(left, right):
            return [Implies(right, left)]
        case Quantified(quantifier, variable, body, sort):
            return [Quantified(quantifier, variable, turned, sort) for turned in _converse(body)]
    return []


def _json(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)
