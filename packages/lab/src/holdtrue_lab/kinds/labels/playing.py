"""Play cases. Ask the queries of a case one at a time or as a bundle, and score the answers by formulas."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Annotated, get_args

from holdtrue.conversation.query_session import QuerySession
from holdtrue.conversation.query_state import Question
from holdtrue.kinds.labels.case import Case, Query
from holdtrue.kinds.labels.formalizer import CaseReading, Formal
from holdtrue.kinds.labels.method import LABEL_PRESETS, LabelMethod, in_frame
from holdtrue.kinds.labels.turn import WayOfAsking
from holdtrue.models.chat import ChatModel
from holdtrue.options import Option, one_of
from holdtrue_lab.kinds.labels.scoring import BUDGET, LabelScorer
from holdtrue_lab.kinds.labels.setup import is_dialogue
from holdtrue_lab.kinds.labels.simulation import SimulatedAnswerer
from holdtrue_lab.kit.plan import Order, Prepared, deal
from holdtrue_lab.kit.playing import PlayedTurn, Player, Playing
from holdtrue_lab.kit.simulation.names import PREFIX

WAYS_OF_ASKING: tuple[WayOfAsking, ...] = get_args(WayOfAsking)
FORMAL: tuple[Formal, ...] = get_args(Formal)


@dataclass(frozen=True, slots=True)
class LabelSettings:
    """The settings of a run: the way of asking, and the source of formulas. Unknown values raise `SettingsError`."""

    ask: Annotated[str, Option("bundle (all queries of a case at once) or one (at a time).")] = "bundle"
    formal: Annotated[str, Option("Sentences as formulas: gold (the suite's own, an oracle) or llm.")] = "gold"
    frame: Annotated[
        str | None, Option("Ask so in every method that asks: direct, few_shot or cot (default: its own way).")
    ] = None

    def __post_init__(self) -> None:
        one_of("way of asking", self.ask, WAYS_OF_ASKING)
        one_of("kind of formulas", self.formal, FORMAL)


class LabelPlayer(Player[Case, LabelMethod]):
    """Plays one case as a conversation of a `QuerySession`, under one method and with one model."""

    async def play(self, case: Case, method: LabelMethod, model: ChatModel) -> AsyncIterator[PlayedTurn]:
        settings, formal = self.plan.settings, one_of("kind of formulas", self.plan.settings.extractor, FORMAL)
        written = await self._read(case, model) if formal == "llm" and case.instance is None else None
        case = case if written is None else written.case
        session = QuerySession(
            case,
            model=model,
            method=method,
            way_of_asking=one_of("way of asking", settings.protocol, WAYS_OF_ASKING),
            formal=formal,
            words="yes_no" if is_dialogue(case.suite) else "labels",
            sampling=self.plan.sampling,
            written=written,
        )
        scorer, turns = LabelScorer(case, written=written is not None), _turns(case, session.way_of_asking)
        for number, questions in enumerate(turns, start=1):
            record = await session.turn(questions)
            score = scorer.score(record, last=number == len(turns), differ=session.policies_differ)
            problem_lines = tuple(premise.text for premise in case.premises) if number == 1 else ()
            yield PlayedTurn(record, score, session.engine, problem_lines)

    async def _read(self, case: Case, model: ChatModel) -> CaseReading:
        """Have the model formalize a case that has no instance. All methods with the model share these calls."""
        # The import is here because only such runs need the pipeline of claims.
        from holdtrue_claims.conversation.case_reading import read_case

        return await read_case(case, model, sampling=self.plan.sampling, budget=BUDGET)


def _turns(case: Case, way_of_asking: str) -> Sequence[Sequence[Question]]:
    """Return the questions turn by turn, without their gold labels."""
    questions = [Question(query.id, query.text, query.formula, _statement(case, query)) for query in case.queries]
    return [questions] if way_of_asking == "bundle" else [[question] for question in questions]


def _statement(case: Case, query: Query) -> str | None:
    """Return the statement that a question of a dialogue is about, or None if the query is a statement itself."""
    if not is_dialogue(case.suite) or case.instance is None or query.constraint is None:
        return None
    return case.instance.sentence(query.constraint)


class LabelPlaying(Playing[Case, LabelMethod]):
    """A run over cases: its settings, methods and order of cases, as `Playing` describes them.

    Cases alternate between domains. The questions of a dialogue are asked one at a time.
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
        way_of_asking = "one" if is_dialogue(order.suite) else order.settings.ask
        return Prepared(
            families=[(case,) for case in deal(order.problems)],
            methods=order.methods,
            play={"ask": way_of_asking, "formal": formal},
            length=lambda case: 1 if way_of_asking == "bundle" else len(case.queries),
            protocol=way_of_asking,
            extractor=formal,
        )

    def notes(self, problems: Sequence[Case], settings: LabelSettings) -> Sequence[str]:
        """Return a note on the figures that will be missing if some cases have no formulas and no model writes them."""
        unread = [case for case in problems if LabelScorer(case).formulas == "none"]
        if settings.formal != "gold" or not unread:
            return ()
        return (
            f"{len(unread)} of {len(problems)} cases have no formulas: their formal part is a comment, or in no form "
            "that can be read. Without --formal llm, by which the model writes formulas of their sentences, set "
            "consistency, epistemic consistency, prefixes, revision cost and clashes of these cases will be missing, "
            "and methods that go by formulas change nothing in them.",
        )

    def describe_problem(self, case: Case) -> object:
        return [
            [case.id, case.suite, case.domain, case.subdomain, case.entities],
            [[premise.text, str(premise.formula)] for premise in case.premises],
            [str(law) for law in case.laws],
            [[query.id, query.text, query.label, str(query.formula)] for query in case.queries],
        ]
