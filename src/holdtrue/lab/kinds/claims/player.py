"""Playing items: one question each, whose answer's claims are tested."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

from holdtrue.conversation.claim_session import ClaimSession
from holdtrue.errors import SettingsError
from holdtrue.kinds.claims.method import ClaimMethod
from holdtrue.kinds.claims.record import ClaimsRecord
from holdtrue.lab.kinds.claims.entry import ClaimEntry
from holdtrue.lab.kinds.claims.item import Item
from holdtrue.lab.kinds.claims.scoring import score_claims
from holdtrue.lab.kinds.claims.settings import ClaimSettings
from holdtrue.lab.kit.plan import Job, Plan
from holdtrue.lab.kit.players import PlayedTurn
from holdtrue.ledger.entries import Source
from holdtrue.models.chat import ChatModel


class ClaimPlayer:
    """A `Player` of items. `formalizers` are the models that the plan names beside the one that answers."""

    def __init__(self, plan: Plan, formalizers: Sequence[ChatModel] = ()) -> None:
        self._plan = plan
        self._claims: ClaimSettings = plan.play
        self._formalizers = tuple(formalizers)
        if len(self._formalizers) != len(self._claims.formalizers):
            raise SettingsError(f"the run needs its formalizers: {', '.join(self._claims.formalizers) or 'none'}")

    async def play(self, job: Job, model: ChatModel) -> AsyncIterator[PlayedTurn]:
        item, method = job.problem, job.method
        if not isinstance(item, Item) or not isinstance(method, ClaimMethod):
            raise TypeError(f"{item.id} under {method.name}: not an item under a claim method")
        session = self._open(item, method, model)
        context = (f"{id}: {sentence}" for id, sentence in session.ledger.sentences(Source.CONTEXT).items())
        told = (*context, item.question, *(f"{letter}) {text}" for letter, text in item.options.items()))
        record = await self._turn(item, method, session)
        # Runs with other settings are other rows in reports, and this is what these are told apart by.
        record = replace(record, variant=self._plan.settings.protocol)
        score = score_claims(item, record)
        entry = ClaimEntry(
            self._plan.settings.suite, item.id, item.domain, method.name, 1, job.turns, record, score, told
        )
        yield PlayedTurn(entry, session.engine)

    async def _turn(self, item: Item, method: ClaimMethod, session: ClaimSession) -> ClaimsRecord:
        if method.answerer != "given":
            return await session.turn(item.question, item.options, statement=item.statement)
        given = self._plan.given[item.id]
        return await session.acheck(
            given.text, item.question, item.options, statement=item.statement, option=given.option
        )

    def _open(self, item: Item, method: ClaimMethod, model: ChatModel) -> ClaimSession:
        formal, gold = self._claims.formal, item.gold
        return ClaimSession(
            item.sentences or item.context,
            model=model,
            method=method,
            sampling=self._plan.sampling,
            budget=self._claims.budget,
            formalizers=self._formalizers,
            gold=gold if formal == "gold" else None,
            entities=gold.vocabulary.entities if gold is not None and formal == "gold_entities" else None,
            measure=self._claims.measure,
        )
