"""Playing DRIFT problems: a session about assignments, scored against what the user truly said."""

from __future__ import annotations

from collections.abc import AsyncIterator
from weakref import WeakValueDictionary

from holdtrue.conversation import Session
from holdtrue.kinds.assignment.method import Method
from holdtrue.lab.kinds.assignment.entry import AssignmentEntry
from holdtrue.lab.kinds.assignment.problem import Problem
from holdtrue.lab.kinds.assignment.scoring import Gold, Scorer
from holdtrue.lab.kinds.assignment.settings import PROTOCOLS
from holdtrue.lab.kit.plan import Job, Plan
from holdtrue.lab.kit.players import PlayedTurn
from holdtrue.lab.kit.settings import one_of
from holdtrue.language.readers import GoldExtractor
from holdtrue.models.chat import ChatModel


class DriftPlayer:
    """A `Player` of problems."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._golds: WeakValueDictionary[str, Gold] = WeakValueDictionary()

    async def play(self, job: Job, model: ChatModel) -> AsyncIterator[PlayedTurn]:
        problem, method = job.problem, job.method
        if not isinstance(problem, Problem) or not isinstance(method, Method):
            raise TypeError(f"{problem.id} under {method.name}: not a problem under a method")
        gold = self._gold(problem)
        session, scorer = self._open(method, gold, model), Scorer(gold)
        for asked in problem.turns:
            record = await session.turn(asked.message)
            yield PlayedTurn(
                AssignmentEntry(
                    problem.suite,
                    problem.id,
                    problem.domain,
                    method.name,
                    record.turn,
                    job.turns,
                    record,
                    scorer.score(record),
                ),
                session.engine,
            )

    def _gold(self, problem: Problem) -> Gold:
        """The problem's gold, made once for all methods that play it at about the same time."""
        gold = self._golds.get(problem.id)
        if gold is None:
            gold = self._golds[problem.id] = Gold(problem)
        return gold

    def _open(self, method: Method, gold: Gold, model: ChatModel) -> Session:
        settings = self._plan.play
        extractor = GoldExtractor(gold.by_turn) if settings.extractor == GoldExtractor.name else settings.extractor
        return Session(
            gold.instance,
            model=model,
            method=method,
            extractor=extractor,
            protocol=one_of("protocol", settings.protocol, PROTOCOLS),
            sampling=self._plan.sampling,
        )
