"""Playing cases: their queries one at a time or as a bundle, scored with the suite's own formulas."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from holdtrue.conversation.query_session import QuerySession, Question
from holdtrue.kinds.labels.case import Case, Query
from holdtrue.kinds.labels.method import LabelMethod
from holdtrue.lab.kinds.labels.entry import LabelEntry
from holdtrue.lab.kinds.labels.scoring import LabelScorer
from holdtrue.lab.kinds.labels.settings import ASKED, FORMAL
from holdtrue.lab.kinds.labels.setup import is_dialogue
from holdtrue.lab.kit.plan import Job, Plan
from holdtrue.lab.kit.players import PlayedTurn
from holdtrue.lab.kit.settings import one_of
from holdtrue.models.chat import ChatModel


class LabelPlayer:
    """A `Player` of cases."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    async def play(self, job: Job, model: ChatModel) -> AsyncIterator[PlayedTurn]:
        case, method = job.problem, job.method
        if not isinstance(case, Case) or not isinstance(method, LabelMethod):
            raise TypeError(f"{case.id} under {method.name}: not a case under a label method")
        session, scorer = self._open(case, method, model), LabelScorer(case)
        told = tuple(premise.text for premise in case.premises)
        for number, questions in enumerate(_turns(case, session.asked), start=1):
            record = await session.turn(questions)
            score = scorer.score(record, last=number == job.turns, differ=session.policies_differ)
            entry = LabelEntry(
                case.suite,
                case.id,
                case.domain,
                method.name,
                number,
                job.turns,
                record,
                score,
                told=told if number == 1 else (),
            )
            yield PlayedTurn(entry, session.engine)

    def _open(self, case: Case, method: LabelMethod, model: ChatModel) -> QuerySession:
        settings = self._plan.settings
        return QuerySession(
            case,
            model=model,
            method=method,
            asked=one_of("way of asking", settings.protocol, ASKED),
            formal=one_of("kind of formulas", settings.extractor, FORMAL),
            words="yes_no" if is_dialogue(case.suite) else "labels",
            sampling=self._plan.sampling,
        )


def _turns(case: Case, asked: str) -> Sequence[Sequence[Question]]:
    """The questions turn by turn: without their labels, which nobody is told."""
    questions = [Question(query.id, query.text, query.formula, _statement(case, query)) for query in case.queries]
    return [questions] if asked == "bundle" else [[question] for question in questions]


def _statement(case: Case, query: Query) -> str | None:
    """What a question of a dialogue asks about; the queries of a case are statements themselves."""
    if not is_dialogue(case.suite) or case.instance is None or query.constraint is None:
        return None
    return case.instance.sentence(query.constraint)
