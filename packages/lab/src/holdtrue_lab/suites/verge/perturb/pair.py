"""Make a pair of items that differ in one sentence: a draft is drawn first, and then both answers are proved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from holdtrue_claims.fol.conventions import CONVENTIONS
from holdtrue_claims.fol.syntax import Bound, Constant, Holds, Not, Quantified, Sentence
from holdtrue_claims.fol.vocabulary import Predicate, Vocabulary
from holdtrue_claims.kind.gold_logic import STATEMENT, GoldLogic
from holdtrue_lab.kinds.claims.dialogue import Statement
from holdtrue_lab.kinds.claims.item import TRUTH_OPTIONS, TRUTH_QUESTION, Item
from holdtrue_lab.kit.words import capitalized
from holdtrue_lab.suites.verge.gold_logic import proved_option

DATASET = "perturbed"
PEOPLE = ("Alma", "Boris", "Chidi", "Dana", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Keiko", "Luca")


@dataclass(frozen=True, slots=True)
class Trait:
    """A predicate, and how it is said and denied of somebody: "carries a badge", "does not carry a badge"."""

    name: str
    says: str
    denies: str

    @property
    def of_x(self) -> Holds:
        return Holds(self.name, (Bound("x"),))

    def tell(self, who: str, *, holds: bool) -> Statement:
        """Return the statement that the trait holds of somebody, or does not."""
        of_them = Holds(self.name, (Constant(who),))
        text = f"{capitalized(who)} {self.says if holds else self.denies}."
        return Statement(text, of_them if holds else Not(of_them))

    def predicate(self, sort: str) -> Predicate:
        """The predicate of things of that sort."""
        return Predicate(self.name, (sort,), f"x {self.says}")


def for_all(body: Sentence, sort: str | None = None) -> Sentence:
    """Return the sentence that `body` holds of every x, or of every x of the sort."""
    return Quantified("forall", "x", body) if sort is None else Quantified("forall", "x", body, sort)


@dataclass(frozen=True, slots=True)
class Draft:
    """A pair whose answers are not proved yet.

    Both items have the sentences `common` in order; at the index `place` one has `original` and the other `changed`.
    `asked` is a statement that is true, false or uncertain, or a mapping of letters to options.
    """

    vocabulary: Vocabulary
    common: tuple[Statement, ...]
    place: int
    original: Statement
    changed: Statement
    asked: Statement | Mapping[str, Statement]
    question: str = TRUTH_QUESTION


def make_pair(draft: Draft, id: str, perturbation: str) -> tuple[Item, Item] | None:
    """Return the original and the changed item, or None if an answer cannot be proved or both have the same one."""
    original = _item(draft, id, draft.original)
    changed = _item(draft, f"{id}_changed", draft.changed)
    if original is None or changed is None or original.answer == changed.answer:
        return None
    return original, replace(changed, perturbs=original.id, perturbation=perturbation)


def arrange(statements: Sequence[Statement], rng: Random, *, after: int = 0) -> tuple[tuple[Statement, ...], int]:
    """Shuffle the sentences behind the first `after`, and draw an index behind these for one more sentence."""
    first, others = statements[:after], list(statements[after:])
    rng.shuffle(others)
    return (*first, *others), after + rng.randint(0, len(others))


def _item(draft: Draft, id: str, own: Statement) -> Item | None:
    statements = (*draft.common[: draft.place], own, *draft.common[draft.place :])
    if isinstance(draft.asked, Statement):
        asked, options, statement = {STATEMENT: draft.asked}, TRUTH_OPTIONS, draft.asked.text
        question = f"{draft.question} {statement}"
    else:
        asked, statement, question = dict(draft.asked), None, draft.question
        options = {letter: option.text for letter, option in asked.items()}
    gold = GoldLogic(
        replace(draft.vocabulary, stated=CONVENTIONS),
        {f"P{number}": one.sentence for number, one in enumerate(statements, start=1)},
        {name: one.sentence for name, one in asked.items()},
    )
    item = Item(
        id=id,
        context=" ".join(one.text for one in statements),
        question=question,
        options=options,
        answer="",
        sentences=tuple(one.text for one in statements),
        statement=statement,
        dataset=DATASET,
        gold=gold,
    )
    answer = proved_option(item)
    return None if answer is None else replace(item, answer=answer)
