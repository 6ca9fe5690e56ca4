"""This module reads ProofWriter (open world). An item has facts and rules in controlled English, and a statement.

Tafjord, Dalvi and Clark, "ProofWriter: Generating implications, proofs, and abductive statements over natural
language", Findings of ACL 2021.

The labels follow from forward chaining, which is weaker than classical logic. On 15 of the 600 shared records,
classical logic proves another option or finds the context inconsistent. An item's gold logic is the classical reading.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from holdtrue.errors import RecordError
from holdtrue_claims.fol.syntax import And, Bound, Constant, Holds, Implies, Not, Quantified, Sentence, Term
from holdtrue_claims.kind.gold_logic import STATEMENT, GoldLogic
from holdtrue_lab.kinds.claims.item import Item
from holdtrue_lab.suites.verge.gold_logic import vocabulary_of

ANYTHING = "?"
"""The single variable of a rule about all things."""
_SENTENCE = re.compile(r"[^.]+\.")
_ASKED = re.compile(r".*\btrue, false, or unknown\? (.*)", re.DOTALL)
_RULE = re.compile(r"If (.+) then (.+)")
_KINDS = re.compile(r"(?:All )?(\w+(?:, \w+)*) (?:things|people) are (not )?(\w+)", re.IGNORECASE)
_CLAUSE = re.compile(r"(.+?) (?:(?:is|are) (not )?(\w+)|(does not |do not )?(\w+) (the .+))", re.IGNORECASE)
_VARIABLE = ("something", "someone", "it", "they")
DATASET = "proofwriter"


@dataclass(frozen=True, slots=True)
class Literal:
    """A `Literal` says that a predicate holds for these things, or if `positive` is false, that it does not hold."""

    predicate: str
    args: tuple[str, ...]
    positive: bool = True

    @property
    def sentence(self) -> Sentence:
        args: tuple[Term, ...] = tuple(Bound("x") if arg == ANYTHING else Constant(arg) for arg in self.args)
        holds = Holds(self.predicate, args)
        return holds if self.positive else Not(holds)


@dataclass(frozen=True, slots=True)
class Rule:
    """A `Rule` says that its conclusion holds if all its conditions hold; a fact has no conditions."""

    conditions: tuple[Literal, ...]
    conclusion: Literal

    @property
    def general(self) -> bool:
        """True if the rule is about all things."""
        return any(ANYTHING in literal.args for literal in (*self.conditions, self.conclusion))

    @property
    def sentence(self) -> Sentence:
        """The rule as a classical implication; if it is general, it is quantified over all things."""
        parts = tuple(literal.sentence for literal in self.conditions)
        body = self.conclusion.sentence
        if parts:
            body = Implies(parts[0] if len(parts) == 1 else And(parts), body)
        return Quantified("forall", "x", body) if self.general else body


@dataclass(frozen=True, slots=True)
class ProofWriterRecord:
    """A `ProofWriterRecord` is an item with its logic.

    `rules` and their `sentences` are in the same order, and `statement` is the statement to judge.
    """

    item: Item
    sentences: tuple[str, ...]
    rules: tuple[Rule, ...]
    statement: Literal


def read_proofwriter(item: Item) -> ProofWriterRecord:
    """Return an item with its facts and rules; raises `RecordError` for a sentence of another form."""
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
    """Return the fact or rule of one sentence; raises `RecordError` for a sentence of another form."""
    body = text.removesuffix(".")
    if kinds := _KINDS.fullmatch(body):
        conditions = tuple(_holds(kind, ANYTHING) for kind in kinds[1].split(", "))
        return Rule(conditions, _holds(kinds[3], ANYTHING, not kinds[2]))
    if rule := _RULE.fullmatch(body):
        return Rule(_clauses(rule[1], where), _clause(rule[2], where))
    return Rule((), _clause(body, where))


def _clauses(text: str, where: str) -> tuple[Literal, ...]:
    """Return the conditions in a text, which 'and' joins. In 'it is kind and rough', 'rough' has the same subject."""
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
    # 'chases' and 'does not chase' have the same predicate.
    return Literal(match[5].lower().removesuffix("s"), (subject, _thing(match[6])), not match[4])


def _holds(kind: str, thing: str, positive: bool = True) -> Literal:
    return Literal(kind.lower(), (thing,), positive)


def _thing(text: str) -> str:
    name = re.sub(r"^the ", "", text, flags=re.IGNORECASE)
    return ANYTHING if name.lower() in _VARIABLE else name


def proofwriter_item(item: Item) -> Item:
    """Return the item with its sentences, its statement and its gold logic; raises `RecordError`."""
    record = read_proofwriter(item)
    premises = {f"P{number}": rule.sentence for number, rule in enumerate(record.rules, start=1)}
    claim = record.statement.sentence
    gold = GoldLogic(vocabulary_of([*premises.values(), claim], _meaning), premises, {STATEMENT: claim})
    statement = item.question.rpartition("? ")[2].strip()
    return replace(item, sentences=record.sentences, statement=statement, dataset=item.dataset or DATASET, gold=gold)


def _meaning(name: str, arity: int) -> str:
    return f"x is {name}" if arity == 1 else f"x {name}s y"
