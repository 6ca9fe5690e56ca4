"""This module writes a world and the questions about it in varied English words, which `phrasing.toml` holds.

All atoms of a world come from one theme. An atom is a clause with a subject and the verb "is" or "has", so that it can
be negated and asked. Common sense cannot infer one atom of a theme from others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import NamedTuple

from holdtrue.world.instance import Constraint
from holdtrue_lab.kit.words import capitalized, words_beside
from holdtrue_lab.suites.belief.horn_world import is_rule

_WORDS = words_beside(__file__)
THEMES: Mapping[str, Sequence[str]] = _WORDS["themes"]


def _premises(rule: list[str], short_rule: list[str], **others: list[str]) -> dict[str, list[str]]:
    """Return phrasings by constraint type; those in `short_rule` begin with the head, and are for one condition."""
    return {"if1": [*rule, *short_rule], "if2": rule, "if3": rule, "if4": rule, **others}


class Clause(NamedTuple):
    """A `Clause` is an atom in three parts, such as "the gate", "is", "locked"."""

    subject: str
    verb: str
    rest: str


def take_apart(atom: str) -> Clause:
    """Return the parts of a theme's clause."""
    words = atom.split()
    place = next(place for place, word in enumerate(words) if word in ("is", "has"))
    return Clause(" ".join(words[:place]), words[place], " ".join(words[place + 1 :]))


def deny(atom: str) -> str:
    """Return the negated clause, such as "the gate is not locked"."""
    subject, verb, rest = take_apart(atom)
    return f"{subject} {verb} not {rest}"


PREMISES: Mapping[str, Sequence[str]] = _premises(**_WORDS["premises"])
PLAIN_QUESTIONS: Sequence[str] = _WORDS["questions"]["plain"]
DOUBTING_QUESTIONS: Sequence[str] = _WORDS["questions"]["doubting"]
# Only questions that assert an atom begin with the verb, because a yes to "Is the gate not locked?" is ambiguous.
INVERTED_QUESTION = "{inverted}?"
DOUBTING_SHARE = 0.3


def tell(rng: Random, premise: Constraint) -> str:
    """Return a premise as a sentence."""
    return f"{capitalized(fill(rng.choice(PREMISES[premise.type]), premise))}."


def fill(phrasing: str, premise: Constraint) -> str:
    """Return the phrasing with the clauses of the premise filled in."""
    atoms = [str(atom) for atom in premise.args]
    words = dict(zip("abc", atoms, strict=False)) | {
        f"not_{letter}": deny(atom) for letter, atom in zip("abc", atoms, strict=False)
    }
    if is_rule(premise.type):
        *body, head = atoms
        words |= {"body": " and ".join(body), "head": head, "not_body": deny(body[0]), "not_head": deny(head)}
    return phrasing.format(**words)


def ask(rng: Random, literal: Constraint, asked: Sequence[str] = ()) -> str:
    """Return a literal (an atom or its denial) as a yes/no question, if possible with other words than in `asked`."""
    doubting = rng.random() < DOUBTING_SHARE
    frames = list(DOUBTING_QUESTIONS if doubting else PLAIN_QUESTIONS)
    if not doubting and literal.type == "holds":
        frames.append(INVERTED_QUESTION)
    texts = [question(frame, literal) for frame in frames]
    fresh = [text for text in texts if text not in asked]
    return rng.choice(fresh or texts)


def question(frame: str, literal: Constraint) -> str:
    """Return the question about the literal in the frame, a pattern for the clause."""
    atom = str(literal.args[0])
    subject, verb, rest = take_apart(atom)
    clause = atom if literal.type == "holds" else deny(atom)
    return capitalized(frame.format(clause=clause, inverted=f"{verb} {subject} {rest}"))
