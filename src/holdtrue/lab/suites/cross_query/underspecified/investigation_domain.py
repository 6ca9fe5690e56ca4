"""The `Domain` of investigations: exactly one of the suspects is guilty, and each may have some things or lack them.

The suspects are the entities. Each has the attribute `guilty`, and one for each thing in the context's `traits`; all
have the values "no" and "yes".
"""

from __future__ import annotations

from collections.abc import Sequence

from holdtrue.lab.suites.cross_query.drawing import lists_of_names
from holdtrue.lab.suites.cross_query.subdomain import Kind
from holdtrue.logic.formula import And, Formula, Not, Or, exactly
from holdtrue.world.domain import (
    Attribute,
    AttributeName,
    Axiom,
    Context,
    Domain,
    Entity,
    Example,
)
from holdtrue.world.instance import EntityTerms, Instance


def _guilty(suspect: EntityTerms) -> Formula:
    return suspect["guilty"].eq(1)


def _has(suspect: EntityTerms, trait: str) -> Formula:
    return suspect[trait].eq(1)


def _suspects(instance: Instance) -> list[EntityTerms]:
    return [instance[name] for name in instance.entities]


def _attributes(context: Context) -> Sequence[Attribute]:
    return [Attribute(name, values=("no", "yes")) for name in ("guilty", *context["traits"])]


def _axioms(instance: Instance) -> Sequence[Axiom]:
    return [
        Axiom("one_guilty", "exactly one of them is guilty", exactly(1, [_guilty(who) for who in _suspects(instance)]))
    ]


INVESTIGATION_DOMAIN = Domain(
    name="investigation",
    context=lambda entities, given: lists_of_names("investigation", given, "traits"),
    attributes=_attributes,
    axioms=_axioms,
    constraint_types=(
        Kind(
            "culprit_has",
            (AttributeName(),),
            lambda w, trait: And(tuple(_guilty(who).implies(_has(who, trait)) for who in _suspects(w))),
            definition="Whoever is guilty has X; others may have it too.",
            examples=(
                Example("Without a bicycle nobody could have done it", ("a bicycle",)),
                Example("The traces show that the thief had a parrot", ("a parrot",)),
            ),
            phrasings=(
                "the guilty one has {0}",
                "whoever is guilty has {0}",
                "the culprit has {0}",
                "anybody without {0} is innocent",
                "a suspect is guilty only if that suspect has {0}",
            ),
        ),
        Kind(
            "culprit_lacks",
            (AttributeName(),),
            lambda w, trait: And(tuple(_guilty(who).implies(Not(_has(who, trait))) for who in _suspects(w))),
            definition="Whoever is guilty does not have X; others may or may not.",
            examples=(
                Example("A bicycle proves that one is innocent", ("a bicycle",)),
                Example("Somebody with a parrot cannot have done it", ("a parrot",)),
            ),
            query="culprit_has",
            phrasings=(
                "the guilty one does not have {0}",
                "whoever is guilty lacks {0}",
                "the culprit does not have {0}",
                "anybody with {0} is innocent",
                "a suspect is guilty only if that suspect does not have {0}",
            ),
        ),
        Kind(
            "only_culprit_has",
            (AttributeName(),),
            lambda w, trait: And(tuple(_has(who, trait).implies(_guilty(who)) for who in _suspects(w))),
            sentence="whoever has {0} is guilty",
            definition="Whoever has X is guilty; perhaps nobody has it.",
            examples=(
                Example("A bicycle gives its owner away as the thief", ("a bicycle",)),
                Example("None of the innocent has a parrot", ("a parrot",)),
            ),
            query=None,
            phrasings=(
                "to have {0} is to be guilty",
                "whoever has {0} is guilty",
                "anybody with {0} is the culprit",
                "no innocent suspect has {0}",
                "a suspect has {0} only if that suspect is guilty",
            ),
        ),
        Kind(
            "is_guilty",
            (Entity(),),
            lambda w, who: _guilty(who),
            definition="Suspect E did it.",
            examples=(
                Example("It was Ida, nobody else", ("Ida",)),
                Example("Jonas did the deed", ("Jonas",)),
            ),
            phrasings=(
                "{0} is guilty",
                "{0} is the culprit",
                "the culprit is {0}",
                "the guilty one is {0}",
                "it is {0} who is guilty",
                "the one who did it is {0}",
                "{0} is the one who did it",
            ),
        ),
        Kind(
            "is_innocent",
            (Entity(),),
            lambda w, who: Not(_guilty(who)),
            definition="Suspect E did not do it.",
            examples=(
                Example("Ida has been cleared", ("Ida",)),
                Example("It was somebody else than Jonas", ("Jonas",)),
            ),
            query="is_guilty",
            phrasings=(
                "{0} is not guilty",
                "{0} is innocent",
                "{0} is not the culprit",
                "the culprit is not {0}",
                "the guilty one is not {0}",
                "it is not {0} who is guilty",
                "the one who did it is not {0}",
            ),
        ),
        Kind(
            "one_of",
            (Entity(), Entity()),
            lambda w, a, b: Or((_guilty(a), _guilty(b))),
            symmetric=True,
            definition="E did it, or F did; all others are innocent.",
            examples=(
                Example("Besides Ida and Jonas, nobody comes into question", ("Ida", "Jonas")),
                Example("If it was not Lena, then it was Mats", ("Lena", "Mats")),
            ),
            phrasings=(
                "{0} or {1} is guilty",
                "either {0} or {1} is the culprit",
                "the culprit is {0} or {1}",
                "one of {0} and {1} is guilty",
                "the guilty one is either {0} or {1}",
            ),
        ),
        Kind(
            "neither_of",
            (Entity(), Entity()),
            lambda w, a, b: And((Not(_guilty(a)), Not(_guilty(b)))),
            symmetric=True,
            definition="Both E and F are innocent.",
            examples=(
                Example("Ida has been cleared, and so has Jonas", ("Ida", "Jonas")),
                Example("It was somebody else than Lena or Mats", ("Lena", "Mats")),
            ),
            query="one_of",
            phrasings=(
                "neither {0} nor {1} is guilty",
                "{0} and {1} are both innocent",
                "the culprit is neither {0} nor {1}",
                "{0} is innocent and so is {1}",
            ),
        ),
        Kind(
            "has_trait",
            (Entity(), AttributeName()),
            lambda w, who, trait: _has(who, trait),
            definition="Suspect E has X; nothing is said about guilt.",
            examples=(
                Example("A bicycle was found at Ida's", ("Ida", "a bicycle")),
                Example("Jonas is the owner of a parrot", ("Jonas", "a parrot")),
            ),
            phrasings=(
                "{0} has {1}",
                "{0} is a suspect with {1}",
                "one of the suspects with {1} is {0}",
                "it is true of {0} to have {1}",
                "{0} is among those who have {1}",
            ),
        ),
        Kind(
            "lacks_trait",
            (Entity(), AttributeName()),
            lambda w, who, trait: Not(_has(who, trait)),
            definition="Suspect E does not have X; nothing is said about guilt.",
            examples=(
                Example("Ida goes without a bicycle", ("Ida", "a bicycle")),
                Example("A parrot Jonas has not", ("Jonas", "a parrot")),
            ),
            query="has_trait",
            phrasings=(
                "{0} does not have {1}",
                "{0} lacks {1}",
                "{0} is a suspect without {1}",
                "none of the suspects with {1} is {0}",
                "{0} is not among those who have {1}",
            ),
        ),
        Kind(
            "same_trait",
            (Entity(), Entity(), AttributeName()),
            lambda w, a, b, trait: _has(a, trait).iff(_has(b, trait)),
            sentence="either both {0} and {1} have {2}, or neither has it",
            symmetric=True,
            definition="E has X just if F has X.",
            examples=(
                Example("Ida has a bicycle just like Jonas, or they both lack it", ("Ida", "Jonas", "a bicycle")),
                Example("As to a parrot, Lena and Mats are alike", ("Lena", "Mats", "a parrot")),
            ),
            query=None,
            phrasings=(
                "either both {0} and {1} have {2}, or neither of them does",
                "{0} has {2} if and only if {1} does",
                "{0} has {2} exactly if {1} has",
                "if one of {0} and {1} has {2}, then so does the other",
            ),
        ),
    ),
)
