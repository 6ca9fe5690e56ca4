"""This module measures precision and recall of the claims that a model finds in answers, against gold claims.

The figures in table 10 of the paper come from an audit of 80 trajectories by people; its procedure is not published.
Here a claim matches a gold claim with the same words, apart from case, spaces and the final mark. An auditor may add
other wordings. Otherwise a model formalizes the claim in the gold vocabulary, and an equivalence with the gold formula
is a match. Each gold claim is matched once. Claims without a match are reported, so that people can judge them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from holdtrue.budget import Budget
from holdtrue.fields import expect, field, field_or, texts
from holdtrue.language.asking import Asking
from holdtrue.solving.result import Equivalent, Unknown
from holdtrue_claims.fol.meaning import Stated
from holdtrue_claims.kind.equivalence import same_meaning
from holdtrue_claims.kind.formula_gates import Reader
from holdtrue_claims.kind.gold_logic import GoldLogic
from holdtrue_claims.kind.premises import Premises, plain
from holdtrue_claims.kind.prompts.decomposition import decompose
from holdtrue_claims.kind.settings import FormalSettings
from holdtrue_lab.figures.statistics import Rate, clustered
from holdtrue_lab.kinds.claims.item import read_gold
from holdtrue_lab.kit.json_file import read_records

How = Literal["words", "formula", "other", "undecided"]


@dataclass(frozen=True, slots=True)
class GoldAnswer:
    """A `GoldAnswer` is an answer with its gold claims.

    `claims` maps the id of each claim to its wordings. `gold` has formulas of some claims, or is None.
    """

    id: str
    dataset: str
    answer: str
    context: str
    question: str
    claims: Mapping[str, tuple[str, ...]]
    gold: GoldLogic | None


@dataclass(frozen=True, slots=True)
class FoundClaim:
    """A claim that a model found; `matched` is the id of the matching gold claim, or None.

    `how` names the evidence for the match: the `words` or the `formula`. It is `other` if no gold claim matches. It is
    `undecided` if the claim got no sure formula, or the solver's time ran out.
    """

    text: str
    how: How
    matched: str | None = None


@dataclass(frozen=True, slots=True)
class ComparedAnswer:
    """A `ComparedAnswer` holds the claims that were found in an answer, and the ids of `missed` gold claims."""

    answer: GoldAnswer
    found: tuple[FoundClaim, ...]
    missed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DecompositionRow:
    """A `DecompositionRow` is about one data set, or about all if `dataset` is None.

    Intervals are over answers, and `how` counts the found claims by evidence. Undecided claims count as wrong, so the
    true precision and recall may be higher.
    """

    dataset: str | None
    answers: int
    claims: int
    precision: Rate
    recall: Rate
    how: Mapping[How, int]


def read_gold_answers(path: Path) -> list[GoldAnswer]:
    """Return the answers of a JSON list or of JSON lines. Each is an object with `id`, `answer` and `gold_claims`.

    `gold_claims` maps ids to lists of wordings. `dataset`, `context`, `question` and `gold` are optional. `gold` has
    the same form as in files of items; its `statements` are formulas of claims. Raises `RecordError` with the place.
    """
    return [_gold_answer(expect(value, dict, where), where) for where, value in read_records(path)]


def _gold_answer(record: dict[str, object], where: str) -> GoldAnswer:
    listed = field(record, "gold_claims", dict, where)
    claims = {id: texts(listed, id, f"{where}.gold_claims") for id in listed}
    gold = None if record.get("gold") is None else read_gold(record["gold"], (), tuple(claims), f"{where}.gold")
    context, question, dataset = (field_or(record, name, str, where, "") for name in ("context", "question", "dataset"))
    id, answer = field(record, "id", str, where), field(record, "answer", str, where)
    return GoldAnswer(id, dataset, answer, context, question, claims, gold)


async def compare_answer(asking: Asking, answer: GoldAnswer, settings: FormalSettings | None = None) -> ComparedAnswer:
    """Let the model split an answer into claims, and compare these with the gold claims. Raises `ModelError`."""
    split = await decompose(asking, answer.answer, answer.context, answer.question)
    wording = {plain(text): id for id, said in answer.claims.items() for text in said}
    left = dict(answer.claims)
    found: list[FoundClaim | None] = []
    for claim in split.claims:
        id = wording.get(plain(claim.text))
        is_new = id is not None and left.pop(id, None) is not None
        found.append(FoundClaim(claim.text, "words", id) if is_new else FoundClaim(claim.text, "other") if id else None)
    for place, claim in enumerate(split.claims):
        if found[place] is None:
            how, id = await _by_formula(asking, answer.gold, left, claim.text, settings or FormalSettings())
            found[place] = FoundClaim(claim.text, how, id)
            left.pop(id or "", None)
    return ComparedAnswer(answer, tuple(filter(None, found)), tuple(left))


async def _by_formula(
    asking: Asking, gold: GoldLogic | None, left: Iterable[str], text: str, settings: FormalSettings
) -> tuple[How, str | None]:
    """Return the evidence, and the gold claim whose formula is equivalent to the claim's; None if there is none."""
    formulas = {} if gold is None else {id: gold.statements[id] for id in left if id in gold.statements}
    if gold is None or not formulas:
        return "other", None
    made = await Reader((asking,), Premises(gold.vocabulary, (), Budget()), settings, text).pass_gates()
    if made.formula is None:
        return "undecided", None
    compared = {id: same_meaning(made.formula, Stated(own), gold.vocabulary) for id, own in formulas.items()}
    same = next((id for id, each in compared.items() if isinstance(each, Equivalent)), None)
    if same is not None:
        return "formula", same
    return ("undecided" if any(isinstance(each, Unknown) for each in compared.values()) else "other"), None


def decomposition_rows(compared: Sequence[ComparedAnswer]) -> list[DecompositionRow]:
    """Return a row for all answers, and one for each data set if there are several."""
    datasets = list(dict.fromkeys(each.answer.dataset for each in compared))
    parts = [(name, [each for each in compared if each.answer.dataset == name]) for name in datasets]
    return [_row(None, compared), *(_row(name, part) for name, part in parts if len(parts) > 1)]


def _row(dataset: str | None, part: Sequence[ComparedAnswer]) -> DecompositionRow:
    right = [sum(claim.matched is not None for claim in each.found) for each in part]
    precision, recall = clustered(
        [(right, [len(each.found) for each in part]), (right, [len(each.answer.claims) for each in part])]
    )
    kinds = [claim.how for each in part for claim in each.found]
    how: dict[How, int] = {kind: kinds.count(kind) for kind in ("words", "formula", "other", "undecided")}
    return DecompositionRow(dataset, len(part), len(kinds), precision, recall, how)
