"""Playing search problems: trials that know nothing of each other, each within the same limits."""

from __future__ import annotations

from collections.abc import AsyncIterator

from holdtrue.conversation.search_session import SearchSession
from holdtrue.kinds.search.method import SearchMethod
from holdtrue.kinds.search.problem import SearchProblem
from holdtrue.lab.kinds.search.entry import SearchEntry
from holdtrue.lab.kinds.search.scoring import score_search
from holdtrue.lab.kit.plan import Job, Plan
from holdtrue.lab.kit.players import PlayedTurn
from holdtrue.models.chat import ChatModel


class SearchPlayer:
    """A `Player` of search problems."""

    def __init__(self, plan: Plan) -> None:
        self._sampling = plan.sampling
        self._limits, self._budget = plan.play.limits, plan.play.budget

    async def play(self, job: Job, model: ChatModel) -> AsyncIterator[PlayedTurn]:
        problem, method = job.problem, job.method
        if not isinstance(problem, SearchProblem) or not isinstance(method, SearchMethod):
            raise TypeError(f"{problem.id} under {method.name}: not a search problem under a search method")
        session = SearchSession(
            problem, model=model, method=method, limits=self._limits, sampling=self._sampling, budget=self._budget
        )
        for trial in range(1, job.turns + 1):
            record = await session.turn()
            entry = SearchEntry(
                problem.suite,
                problem.id,
                problem.domain,
                method.name,
                trial,
                job.turns,
                record,
                score_search(problem, record),
                told=tuple(record.user_message.split("\n")) if trial == 1 else (),
            )
            yield PlayedTurn(entry, session.engine)
