"""ProofWriter (open world): facts and rules in a controlled English, and a statement that is true, false or unknown.

Tafjord, Dalvi and Clark, "ProofWriter: Generating implications, proofs, and abductive statements over natural
language", Findings of ACL 2021. The labels follow forward chaining (`rules.chain`), which finds less than classical
logic does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from holdtrue.errors import RecordError
from holdtrue.lab.kinds.claims.item import Item, load_items
from holdtrue.lab.suites.verge.rules import ANYTHING, Literal, Rule, chain

LETTERS = {True: "A", False: "B", None: "C"}
"""The option of a statement that is true, false, or unknown."""

_SENTENCE = re.compile(r"[^.]+\.")
_ASKED = re.compile(r".*\btrue, false, or unknown\? (.*)", re.DOTALL)
_RULE = re.compile(r"If (.+) then (.+)")
_KINDS = re.compile(r"(?:All )?(\w+(?:, \w+)*) (?:things|people) are (not )?(\w+)", re.IGNORECASE)
_CLAUSE = re.compile(r"(.+?) (?:(?:is|are) (not )?(\w+)|(does not |do not )?(\w+) (the .+))", re.IGNORECASE)
_VARIABLE = ("something", "someone", "it", "they")


@dataclass(frozen=True, slots=True)
class ProofWriterRecord:
    """One item with its logic. `rules` and their `sentences` are in order; `statement` is what is asked about."""

    item: Item
    sentences: tuple[str, ...]
    rules: tuple[Rule, ...]
    statement: Literal

    @property
    def things(self) -> tuple[str, ...]:
        """Whatever is named, in order."""
        literals = [literal for rule in self.rules for literal in (*rule.conditions, rule.conclusion)]
        named = (arg for literal in (*literals, self.statement) for arg in literal.args)
        return tuple(dict.fromkeys(arg for arg in named if arg != ANYTHING))

    def chained(self) -> str:
        """The option by forward chaining: A where the statement is derived, B where its denial is, C for neither.

        Raises `RecordError` where both are: then the rules clash.
        """
        derived = chain(self.rules, self.things)
        if self.statement in derived and ~self.statement in derived:
            raise RecordError(f"{self.item.id}: both {self.statement} and its denial are derived")
        return LETTERS[True if self.statement in derived else False if ~self.statement in derived else None]


def load_proofwriter(path: Path) -> list[ProofWriterRecord]:
    """The records of a file; raises `RecordError`, naming the item, for a sentence that is not controlled English."""
    return [read_proofwriter(item) for item in load_items(path)]


def read_proofwriter(item: Item) -> ProofWriterRecord:
    """The item with its logic; raises `RecordError`."""
    asked = _ASKED.fullmatch(item.question)
    if asked is None:
        raise RecordError(f"{item.id}: the question does not ask whether a statement is true, false, or unknown")
    sentences = tuple(sentence.strip() for sentence in _SENTENCE.findall(item.context))
    if "".join(sentences).replace(" ", "") != "".join(item.context.split()):
        raise RecordError(f"{item.id}: the context does not end with a sentence")
    statement = read_sentence(asked[1].strip(), item.id)
    if statement.conditions or statement.general:
        raise RecordError(f"{item.id}: {asked[1]!r:.60} states no fact")
    rules = tuple(read_sentence(sentence, item.id) for sentence in sentences)
    return ProofWriterRecord(item, sentences, rules, statement.conclusion)


def read_sentence(text: str, where: str) -> Rule:
    """The fact or rule of one sentence; raises `RecordError`."""
    body = text.removesuffix(".")
    if kinds := _KINDS.fullmatch(body):
        conditions = tuple(_holds(kind, ANYTHING) for kind in kinds[1].split(", "))
        return Rule(conditions, _holds(kinds[3], ANYTHING, not kinds[2]))
    if rule := _RULE.fullmatch(body):
        return Rule(_clauses(rule[1], where), _clause(rule[2], where))
    return Rule((), _clause(body, where))


def _clauses(text: str, where: str) -> tuple[Literal, ...]:
    """Conditions joined by 'and'; a bare adjective is said of the last subject: 'it is kind and rough'."""
    found: list[Literal] = []
    for part in text.split(" and "):
        bare = re.fullmatch(r"(not )?(\w+)", part)
        if bare and found and len(found[-1].args) == 1:
            found.append(_holds(bare[2], found[-1].args[0], not bare[1]))
        else:
            found.append(_clause(part, where))
    return tuple(found)


def _clause(text: str, where: str) -> Literal:
    match = _CLAUSE.fullmatch(text)
    if match is None:
        raise RecordError(f"{where}: {text!r:.80} is no sentence of this kind")
    subject = _thing(match[1])
    if match[3]:
        return _holds(match[3], subject, not match[2])
    # 'chases' and 'does not chase' are one predicate.
    return Literal(match[5].lower().removesuffix("s"), (subject, _thing(match[6])), not match[4])


def _holds(kind: str, thing: str, positive: bool = True) -> Literal:
    return Literal(kind.lower(), (thing,), positive)


def _thing(text: str) -> str:
    name = re.sub(r"^the ", "", text, flags=re.IGNORECASE)
    return ANYTHING if name.lower() in _VARIABLE else name
