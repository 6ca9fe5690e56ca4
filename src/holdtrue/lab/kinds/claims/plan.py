"""What a run about claims is to do: which items, and how their claims are checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from holdtrue.errors import SettingsError
from holdtrue.kinds.claims.gold_logic import GoldLogic
from holdtrue.kinds.claims.method import ClaimMethod
from holdtrue.lab.kinds.claims.given import GivenAnswer
from holdtrue.lab.kinds.claims.item import Item
from holdtrue.lab.kinds.claims.settings import ClaimSettings
from holdtrue.lab.kit.plan import Prepared, deal_families, hash_contents
from holdtrue.logic.fol.notation import write_fol
from holdtrue.logic.fol.syntax import Sentence


def prepare(
    items: Sequence[Item],
    methods: Sequence[ClaimMethod],
    claims: ClaimSettings,
    model: str,
    answers: Mapping[str, GivenAnswer] | None,
) -> Prepared:
    """Originals in turn over the data sets, each with its changed forms right behind it.

    Only items that all methods can be played with are played, so that what is compared are answers to the same
    questions: with `answers`, by the items' ids, those that have one, and where an oracle formalizes, those that people
    formalized. Raises `SettingsError` where none are left, or methods and answers do not go together.
    """
    _check_methods(methods, answers)
    _check_formalizers(model, claims)
    families = deal_families(_playable(items, claims, answers), lambda item: item.perturbs, lambda item: item.domain)
    dealt = [item for family in families for item in family]
    return Prepared(
        families=families,
        methods=tuple(claims.over(method) for method in methods),
        length=lambda item: 1,
        protocol=claims.protocol,
        extractor=claims.extractor,
        play={**claims.to_json(), "answers_sha256": _digest_answers(dealt, answers)},
    )


def describe_item(item: Item) -> object:
    """All in the item that can change a result or its score."""
    return [
        [item.id, item.dataset, item.context, item.sentences],
        [item.question, item.statement, dict(item.options), item.answer],
        [item.perturbs, item.perturbation],
        None if item.gold is None else _describe_gold(item.gold),
    ]


def _describe_gold(gold: GoldLogic) -> list[Any]:
    return [asdict(gold.vocabulary), _written(gold.premises), _written(gold.statements)]


def _written(sentences: Mapping[str, Sentence]) -> dict[str, str]:
    return {name: write_fol(sentence) for name, sentence in sentences.items()}


def _digest_answers(items: Iterable[Item], answers: Mapping[str, GivenAnswer] | None) -> str | None:
    if answers is None:
        return None
    return hash_contents([item.id, answers[item.id].text, answers[item.id].option] for item in items)


def _playable(
    items: Sequence[Item], claims: ClaimSettings, answers: Mapping[str, GivenAnswer] | None
) -> Sequence[Item]:
    """The items that all methods can be played with; raises `SettingsError` where there are only others."""
    answered = [item for item in items if answers is None or item.id in answers]
    if items and not answered:
        raise SettingsError(f"none of the answers is to one of these items, the first of which is {items[0].id!r}")
    found = [item for item in answered if claims.formal == "llm" or item.gold is not None]
    if answered and not found:
        raise SettingsError(f"nobody wrote down in logic what these items mean, so {claims.formal} cannot be had")
    return found


def _check_methods(methods: Sequence[ClaimMethod], answers: Mapping[str, GivenAnswer] | None) -> None:
    takes = next((method.name for method in methods if method.answerer == "given"), None)
    if takes is not None and answers is None:
        raise SettingsError(f"method {takes!r} takes answers that were written before: give them")
    if takes is None and answers is not None:
        raise SettingsError("answers that were written before are for the method 'given'")


def _check_formalizers(model: str, claims: ClaimSettings) -> None:
    named = (model, *claims.formalizers)
    double = next((name for name in named if named.count(name) > 1), None)
    if double is not None:
        raise SettingsError(f"the model {double!r} is named twice: formalizers are other models")
