"""What a run about claims is to do: which items under which methods, and how their claims are checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from holdtrue.errors import SettingsError
from holdtrue.kinds.claims.gold import GoldLogic
from holdtrue.kinds.claims.method import CLAIM_PRESETS, ClaimMethod
from holdtrue.lab.kinds.claims.given import GivenAnswer
from holdtrue.lab.kinds.claims.item import Item
from holdtrue.lab.kinds.claims.settings import ClaimSettings
from holdtrue.lab.kit.plan import Plan, check_choice, deal_families, hash_contents, version
from holdtrue.lab.kit.settings import RunSettings
from holdtrue.logic.fol.notation import write_fol
from holdtrue.logic.fol.sentence import Sentence
from holdtrue.models.sampling import Sampling

MAX_TOKENS = 1024


def make_claim_plan(
    items: Sequence[Item],
    methods: Sequence[ClaimMethod],
    *,
    suite: str,
    source: str,
    model: str,
    base_url: str | None = None,
    claims: ClaimSettings | None = None,
    answers: Mapping[str, GivenAnswer] | None = None,
    sampling: Sampling | None = None,
    limit: int | None = None,
    max_connections: int = 8,
    token_limit: int | None = None,
) -> Plan:
    """The plan to answer `items` under each of `methods`, and to check the claims of the answers as `claims` says.

    Only items that all methods can be played with are played, so that what is compared are answers to the same
    questions: with `answers`, by the items' ids, those that have one, and where an oracle formalizes, those that people
    formalized. `limit` counts originals: changed forms come right behind theirs. Originals are dealt out over the data
    sets in turn. Raises `SettingsError` where nothing is left to do, or something is named twice or does not fit.
    """
    claims = claims or ClaimSettings()
    _check_methods(methods, answers)
    _check_formalizers(model, claims)
    items = _playable(items, claims, answers)
    names = tuple(method.name for method in methods)
    check_choice("item", [item.id for item in items], names, limit, max_connections)
    families = deal_families(items, lambda item: item.perturbs, lambda item: item.domain)
    dealt = [item for family in families for item in family]
    sampling = sampling or Sampling(max_tokens=MAX_TOKENS)
    settings = RunSettings(
        suite=suite,
        source=source,
        problems=len(dealt),
        problems_sha256=digest_items(dealt),
        model=model,
        base_url=base_url,
        protocol=claims.protocol,
        extractor=claims.extractor,
        **asdict(sampling),
        methods=names,
        own_methods={method.name: asdict(method) for method in methods if method.name not in CLAIM_PRESETS},
        limit=limit,
        max_connections=max_connections,
        token_limit=token_limit,
        holdtrue=version(),
        claims={**claims.to_json(), "answers_sha256": _digest_answers(dealt, answers)},
    )
    chosen = tuple(item for family in families[:limit] for item in family)
    played = tuple(claims.over(method) for method in methods)
    return Plan(chosen, played, sampling, settings, (1,) * len(chosen), besides=answers or {})


def digest_items(items: Iterable[Item]) -> str:
    """A hash of all in the items that can change a result or its score."""
    return hash_contents(
        [
            [item.id, item.dataset, item.context, item.sentences],
            [item.question, item.statement, dict(item.options), item.answer],
            [item.perturbs, item.perturbation],
            None if item.gold is None else _describe_gold(item.gold),
        ]
        for item in items
    )


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
    """Raises `SettingsError` for another method under a preset's name, by which reports would take it for that."""
    for method in methods:
        if CLAIM_PRESETS.get(method.name, method) != method:
            raise SettingsError(f"method {method.name!r} is not the preset of that name; give it one of its own")
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
