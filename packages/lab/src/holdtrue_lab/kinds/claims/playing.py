"""Play the items of a claims suite: each is one question, and every claim of the answer is checked."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from holdtrue.errors import SettingsError
from holdtrue.ledger.entries import Source
from holdtrue.models.chat import ChatModel
from holdtrue.models.sampling import Sampling
from holdtrue_claims.conversation.claim_session import ClaimSession
from holdtrue_claims.kind.calibration import calibrations_json
from holdtrue_claims.kind.method import ClaimMethod
from holdtrue_claims.kind.prompts.questions import Answer
from holdtrue_claims.kind.record import ClaimsRecord
from holdtrue_lab.kinds.claims.entry import ClaimScore
from holdtrue_lab.kinds.claims.item import Item, gold_json
from holdtrue_lab.kinds.claims.method import METHODS, BaselineMethod
from holdtrue_lab.kinds.claims.settings import ClaimSettings
from holdtrue_lab.kinds.claims.simulation.model import SimulatedReasoner
from holdtrue_lab.kit.plan import Order, Plan, Prepared, deal_families, hash_contents
from holdtrue_lab.kit.playing import PlayedTurn, Player, Playing
from holdtrue_lab.kit.simulation.names import PREFIX


class ClaimPlayer(Player[Item, BaselineMethod]):
    """A `ClaimPlayer` plays one item as one turn of a `ClaimSession`, under one method and with one model.

    `others` are the models for the names in `ClaimPlaying.other_models`: additional formalizers, and judges. A
    different number of models raises `SettingsError`.
    """

    def __init__(self, plan: Plan, others: Sequence[ChatModel] = ()) -> None:
        super().__init__(plan, others)
        self._claims: ClaimSettings = plan.play
        self._calibrations = self._claims.calibrations
        names = _other_models(self._claims, plan.methods)
        if len(self.others) != len(names):
            raise SettingsError(f"the run needs its other models: {', '.join(names) or 'none'}")
        self._by_name = dict(zip(names, self.others, strict=True))

    async def play(self, item: Item, method: BaselineMethod, model: ChatModel) -> AsyncIterator[PlayedTurn]:
        session = self._open(item, method, model)
        context = (f"{id}: {sentence}" for id, sentence in session.ledger.sentences(Source.CONTEXT).items())
        problem_lines = (*context, item.question, *(f"{letter}) {text}" for letter, text in item.options.items()))
        record = await self._turn(item, method, session)
        # Reports tell runs with different settings apart by this text.
        record = replace(record, variant=self.plan.settings.protocol)
        yield PlayedTurn(record, score_claims(item, record), session.engine, problem_lines)

    async def _turn(self, item: Item, method: BaselineMethod, session: ClaimSession) -> ClaimsRecord:
        if method.answerer != "given":
            return await session.turn(item.question, item.options, statement=item.statement)
        given = self.plan.written_answers[item.id]
        return await session.acheck(
            given.text, item.question, item.options, statement=item.statement, option=given.option
        )

    def _open(self, item: Item, method: BaselineMethod, model: ChatModel) -> ClaimSession:
        formal, gold = self._claims.formal, item.gold
        return ClaimSession(
            item.sentences or item.context,
            model=model,
            method=method,
            sampling=self.plan.sampling,
            budget=self._claims.budget,
            formalizers=[self._by_name[name] for name in self._claims.formalizers],
            judge=self._by_name.get(method.check.judge or ""),
            gold=gold if formal == "gold" else None,
            entities=gold.vocabulary.entities if gold is not None and formal == "gold_entities" else None,
            measure=self._claims.measure,
            calibrations=self._calibrations,
        )


def score_claims(item: Item, record: ClaimsRecord) -> ClaimScore:
    """Return the score of the delivered answer of one turn.

    `given` is None if nothing was delivered, or if the answer gives an option that the question does not have.
    """
    final = record.final
    given = (final.answer or {}).get("option") if record.delivered is not None else None
    check = final.check
    return ClaimScore(
        gold=item.answer,
        given=given if isinstance(given, str) and given in item.options else None,
        options=dict(item.options),
        supported=None if check is None else check.supported,
        proved=None if check is None else check.proved,
        dataset=item.dataset,
        perturbs=item.perturbs,
        perturbation=item.perturbation,
    )


class ClaimPlaying(Playing[Item, BaselineMethod]):
    """A run over items: settings, methods and order; `Playing` describes the parts.

    Original items alternate between data sets, and each is followed by the changed items made from it. All methods
    answer the same questions, so an item that one of them cannot play is left out for all. Examples are items without a
    written answer, if written answers are checked, and items without gold logic, if an oracle needs it.
    """

    problem = "item"
    settings = ClaimSettings
    sampling = Sampling(max_tokens=1024)
    presets = METHODS
    player = ClaimPlayer

    def choose_methods(self, methods: Sequence[ClaimMethod], settings: ClaimSettings) -> Sequence[BaselineMethod]:
        return [BaselineMethod.of(method) for method in methods]

    def draws_samples(self, method: ClaimMethod) -> bool:
        return method.strategy in ("self_consistency", "program_vote")

    def other_models(self, settings: ClaimSettings, methods: Sequence[BaselineMethod] = ()) -> Sequence[str]:
        return _other_models(settings, list(map(settings.over, methods)))

    def simulated(self, name: str, problems: Sequence[Item]) -> ChatModel | None:
        return SimulatedReasoner(name, problems) if name.startswith(PREFIX) else None

    def prepare(self, order: Order[Item, BaselineMethod]) -> Prepared:
        claims: ClaimSettings = order.settings
        _check_methods(order.methods, order.written_answers)
        _check_models(order.model, claims, list(map(claims.over, order.methods)))
        items = _playable(order.problems, claims, order.written_answers)
        families = deal_families(items, lambda item: item.perturbs, lambda item: item.domain)
        dealt = [item for family in families for item in family]
        return Prepared(
            families=families,
            methods=tuple(map(claims.over, order.methods)),
            play={
                **claims.to_json(),
                "answers_sha256": _digest_answers(dealt, order.written_answers),
                # The settings hold the contents of the file, not its path.
                "calibrations": calibrations_json(claims.calibrations.entries),
            },
            protocol=claims.protocol,
            extractor=claims.extractor,
        )

    def describe_problem(self, item: Item) -> object:
        return [
            [item.id, item.dataset, item.context, item.sentences],
            [item.question, item.statement, dict(item.options), item.answer],
            [item.perturbs, item.perturbation],
            None if item.gold is None else list(gold_json(item.gold).values()),
        ]


def _digest_answers(items: Iterable[Item], answers: Mapping[str, Answer] | None) -> str | None:
    if answers is None:
        return None
    return hash_contents([item.id, answers[item.id].text, answers[item.id].option] for item in items)


def _playable(items: Sequence[Item], claims: ClaimSettings, answers: Mapping[str, Answer] | None) -> Sequence[Item]:
    """Return the items that every method can play; raise `SettingsError` if there is none."""
    answered = [item for item in items if answers is None or item.id in answers]
    if items and not answered:
        raise SettingsError(f"none of the answers is to one of these items, the first of which is {items[0].id!r}")
    found = [item for item in answered if claims.formal == "llm" or item.gold is not None]
    if answered and not found:
        raise SettingsError(f"nobody wrote down in logic what these items mean, so {claims.formal} cannot be had")
    return found


def _check_methods(methods: Sequence[BaselineMethod], answers: Mapping[str, Answer] | None) -> None:
    takes = next((method.name for method in methods if method.answerer == "given"), None)
    if takes is not None and answers is None:
        raise SettingsError(f"method {takes!r} takes answers that were written before: give them")
    if takes is None and answers is not None:
        raise SettingsError("answers that were written before are for the method 'given'")


def _other_models(settings: ClaimSettings, methods: Iterable[Any]) -> Sequence[str]:
    """Return every formalizer, and every judge of the methods as they are played, each once."""
    return tuple(dict.fromkeys((*settings.formalizers, *filter(None, (each.check.judge for each in methods)))))


def _check_models(model: str, claims: ClaimSettings, methods: Sequence[BaselineMethod]) -> None:
    named = (model, *claims.formalizers)
    double = next((name for name in named if named.count(name) > 1), None)
    if double is not None:
        raise SettingsError(f"the model {double!r} is named twice: formalizers are other models")
    if any(each.check.judge == model for each in methods):
        raise SettingsError(f"the model {model!r} judges its own answers anyway: leave the judge out")
