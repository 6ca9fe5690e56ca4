"""A pair of items that differ in one sentence, which changes what follows: drawn first, then proved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from holdtrue.kinds.claims.gold_logic import STATEMENT, GoldLogic
from holdtrue.lab.kinds.claims.dialogue import Statement
from holdtrue.lab.kinds.claims.item import TRUTH_OPTIONS, TRUTH_QUESTION, Item
from holdtrue.lab.kit.words import capitalized
from holdtrue.lab.suites.verge.gold_logic import proved_option
from holdtrue.logic.fol.syntax import Bound, Constant, Holds, Not, Quantified, Sentence
from holdtrue.logic.fol.vocabulary import Predicate, Vocabulary

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
        """That it holds of somebody, or does not."""
        of_them = Holds(self.name, (Constant(who),))
        text = f"{capitalized(who)} {self.says if holds else self.denies}."
        return Statement(text, of_them if holds else Not(of_them))

    def predicate(self, sort: str) -> Predicate:
        """The predicate of things of that sort."""
        return Predicate(self.name, (sort,), f"x {self.says}")


def for_all(body: Sentence, sort: str | None = None) -> Sentence:
    """What holds of every x."""
    return Quantified("forall", "x", body) if sort is None else Quantified("forall", "x", body, sort)


@dataclass(frozen=True, slots=True)
class Draft:
    """A pair before its proof: `common` is told in both, in that order, `original` or `changed` at `place` (from 0).

    `asked` is a statement that is true, false or uncertain, or options by their letters, each something told.
    """

    vocabulary: Vocabulary
    common: tuple[Statement, ...]
    place: int
    original: Statement
    changed: Statement
    asked: Statement | Mapping[str, Statement]
    question: str = TRUTH_QUESTION


def make_pair(draft: Draft, id: str, perturbation: str) -> tuple[Item, Item] | None:
    """The original and the changed item; None where not both have an answer by proof, or both have the same."""
    original = _item(draft, id, draft.original)
    changed = _item(draft, f"{id}_changed", draft.changed)
    if original is None or changed is None or original.answer == changed.answer:
        return None
    return original, replace(changed, perturbs=original.id, perturbation=perturbation)


def arrange(told: Sequence[Statement], rng: Random, *, after: int = 0) -> tuple[tuple[Statement, ...], int]:
    """The sentences in a drawn order, but for the first `after`, and a drawn place for one more behind those."""
    first, others = told[:after], list(told[after:])
    rng.shuffle(others)
    return (*first, *others), after + rng.randint(0, len(others))


def _item(draft: Draft, id: str, own: Statement) -> Item | None:
    told = (*draft.common[: draft.place], own, *draft.common[draft.place :])
    if isinstance(draft.asked, Statement):
        asked, options, statement = {STATEMENT: draft.asked}, TRUTH_OPTIONS, draft.asked.text
        question = f"{draft.question} {statement}"
    else:
        asked, statement, question = dict(draft.asked), None, draft.question
        options = {letter: option.text for letter, option in asked.items()}
    gold = GoldLogic(
        draft.vocabulary,
        {f"P{number}": one.sentence for number, one in enumerate(told, start=1)},
        {name: one.sentence for name, one in asked.items()},
    )
    item = Item(
        id=id,
        context=" ".join(one.text for one in told),
        question=question,
        options=options,
        answer="",
        sentences=tuple(one.text for one in told),
        statement=statement,
        dataset=DATASET,
        gold=gold,
    )
    answer = proved_option(item)
    return None if answer is None else replace(item, answer=answer)
