"""A run asks the queries of a case one at a time or as a bundle, and scores answers by the suite's own formulas."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Annotated, get_args

from holdtrue.conversation.query_session import QuerySession
from holdtrue.conversation.question import Question
from holdtrue.errors import SettingsError
from holdtrue.kinds.labels.case import Case, Query
from holdtrue.kinds.labels.formalizer import Formal
from holdtrue.kinds.labels.method import LABEL_PRESETS, LabelMethod, in_frame
from holdtrue.kinds.labels.record import LabelsRecord
from holdtrue.kinds.labels.turn import AskedAs
from holdtrue.lab.kinds.labels.entry import LabelScore
from holdtrue.lab.kinds.labels.scoring import LabelScorer
from holdtrue.lab.kinds.labels.setup import is_dialogue
from holdtrue.lab.kinds.labels.simulation.model import SimulatedAnswerer
from holdtrue.lab.kit.plan import Order, Prepared, deal
from holdtrue.lab.kit.playing import PlayedTurn, Player, Playing
from holdtrue.lab.kit.simulation.names import PREFIX
from holdtrue.models.chat import ChatModel
from holdtrue.options import Option, one_of

ASKED: tuple[AskedAs, ...] = get_args(AskedAs)
FORMAL: tuple[Formal, ...] = get_args(Formal)


@dataclass(frozen=True, slots=True)
class LabelSettings:
    """These settings say how a run asks queries and whose formulas it uses; unknown values raise `SettingsError`."""

    ask: Annotated[str, Option("bundle (all queries of a case at once) or one (at a time).")] = "bundle"
    formal: Annotated[str, Option("Sentences as formulas: gold (the suite's own, an oracle) or llm.")] = "gold"
    frame: Annotated[
        str | None, Option("Ask so in every method that asks: direct, few_shot or cot (default: its own way).")
    ] = None

    def __post_init__(self) -> None:
        one_of("way of asking", self.ask, ASKED)
        one_of("kind of formulas", self.formal, FORMAL)


class LabelPlayer(Player[Case, LabelMethod]):
    """Plays one case as a conversation of a `QuerySession`, under one method and with one model."""

    async def play(self, case: Case, method: LabelMethod, model: ChatModel) -> AsyncIterator[PlayedTurn]:
        settings = self.plan.settings
        session = QuerySession(
            case,
            model=model,
            method=method,
            asked=one_of("way of asking", settings.protocol, ASKED),
            formal=one_of("kind of formulas", settings.extractor, FORMAL),
            words="yes_no" if is_dialogue(case.suite) else "labels",
            sampling=self.plan.sampling,
        )
        scorer, turns = LabelScorer(case), _turns(case, session.asked)
        for number, questions in enumerate(turns, start=1):
            record = await session.turn(questions)
            score = scorer.score(record, last=number == len(turns), differ=session.policies_differ)
            problem_lines = tuple(premise.text for premise in case.premises) if number == 1 else ()
            yield PlayedTurn(record, score, session.engine, problem_lines)


def _turns(case: Case, asked: str) -> Sequence[Sequence[Question]]:
    """Return the questions turn by turn, without their gold labels."""
    questions = [Question(query.id, query.text, query.formula, _statement(case, query)) for query in case.queries]
    return [questions] if asked == "bundle" else [[question] for question in questions]


def _statement(case: Case, query: Query) -> str | None:
    """Return the statement that a question of a dialogue asks about, or None where the query is a statement itself."""
    if not is_dialogue(case.suite) or case.instance is None or query.constraint is None:
        return None
    return case.instance.sentence(query.constraint)


class LabelPlaying(Playing[Case, LabelMethod]):
    """Settings, methods and order of a run over cases; see `Playing` for what each part does.

    Cases alternate between the domains. The questions of a dialogue are asked one at a time.
    """

    problem = "case"
    settings = LabelSettings
    presets = LABEL_PRESETS
    player = LabelPlayer

    def choose_methods(self, methods: Sequence[LabelMethod], settings: LabelSettings) -> Sequence[LabelMethod]:
        return methods if settings.frame is None else [in_frame(method, settings.frame) for method in methods]

    def simulated(self, name: str, problems: Sequence[Case]) -> ChatModel | None:
        return SimulatedAnswerer(name, problems) if name.startswith(PREFIX) else None

    def prepare(self, order: Order[Case, LabelMethod]) -> Prepared:
        formal = order.settings.formal
        if formal == "llm" and any(case.instance is None for case in order.problems):
            raise SettingsError(
                "these cases cannot be formalized by a model: nothing says what their worlds are made of"
            )
        asked = "one" if is_dialogue(order.suite) else order.settings.ask
        return Prepared(
            families=[(case,) for case in deal(order.problems)],
            methods=order.methods,
            play={"ask": asked, "formal": formal},
            length=lambda case: 1 if asked == "bundle" else len(case.queries),
            protocol=asked,
            extractor=formal,
        )

    def describe_problem(self, case: Case) -> object:
        return [
            [case.id, case.suite, case.domain, case.subdomain, case.entities],
            [[premise.text, str(premise.formula)] for premise in case.premises],
            [str(law) for law in case.laws],
            [[query.id, query.text, query.label, str(query.formula)] for query in case.queries],
        ]

    def tally(self, score: LabelScore, record: LabelsRecord) -> tuple[int, int]:
        given = record.detail.labels
        return sum(given.get(id) == label for id, label in score.gold.items()), len(score.gold)
