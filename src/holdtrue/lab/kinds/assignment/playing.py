"""A run plays each problem about assignments as a `Session`, and scores its turns against gold."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, get_args
from weakref import WeakValueDictionary

from holdtrue.conversation import Session
from holdtrue.errors import SettingsError
from holdtrue.kinds.assignment.method import PRESETS, Method
from holdtrue.lab.kinds.assignment.problem import Problem
from holdtrue.lab.kinds.assignment.scoring import Gold, Scorer
from holdtrue.lab.kinds.assignment.truthful_user import play_with_answers
from holdtrue.lab.kit.plan import Order, Plan, Prepared, deal
from holdtrue.lab.kit.playing import PlayedTurn, Player, Playing
from holdtrue.language.readers import EXTRACTORS as READERS
from holdtrue.language.readers import UNASKING, GoldExtractor, Protocol
from holdtrue.models.chat import ChatModel
from holdtrue.options import Option, one_of

PROTOCOLS: tuple[Protocol, ...] = get_args(Protocol)
_UNNAMED = (("reader", None), ("ask_back", "nobody"))
ASKED = ("nobody", "truthful")
EXTRACTORS = (*READERS, GoldExtractor.name)


@dataclass(frozen=True, slots=True)
class AssignmentSettings:
    """The protocol of the prompts, and who reads messages; raises `SettingsError` for names that do not fit."""

    protocol: Annotated[str, Option("stated (the setting in every turn) or upstream.")] = "stated"
    extractor: Annotated[str, Option("llm, templates, or gold (an oracle).")] = "llm"
    reader: Annotated[str | None, Option("The model that reads messages for llm (default: --model).")] = None
    ask_back: Annotated[
        str, Option("Who answers what is asked back: nobody (nothing is asked), or a truthful user.")
    ] = "nobody"

    def __post_init__(self) -> None:
        one_of("ask_back", self.ask_back, ASKED)
        if self.ask_back != "nobody" and self.protocol != "stated":
            raise SettingsError("--ask-back needs --protocol stated: the published one reads every attempt anew")
        one_of("protocol", self.protocol, PROTOCOLS)
        one_of("extractor", self.extractor, EXTRACTORS)
        if self.reader is not None and self.extractor in UNASKING:
            raise SettingsError(
                f"--reader names a model, and --extractor {self.extractor} asks none; leave one of the two out"
            )

    @property
    def who_reads(self) -> str:
        """Return in words who reads messages: `extractor`, and the `reader` if it is another model."""
        reads = self.extractor if self.reader is None else f"{self.extractor}+{self.reader}"
        return reads if self.ask_back == "nobody" else f"{reads} asking"


class AssignmentPlayer(Player[Problem, Method]):
    """Plays one problem under one method; its gold is prepared once for methods that play it at about the same time."""

    def __init__(self, plan: Plan, others: Sequence[ChatModel] = ()) -> None:
        super().__init__(plan, others)
        self._golds: WeakValueDictionary[str, Gold] = WeakValueDictionary()
        settings: AssignmentSettings = plan.play
        if len(self.others) != (settings.reader is not None):
            raise SettingsError(f"the run needs its reader: {settings.reader or 'none'}")

    async def play(self, problem: Problem, method: Method, model: ChatModel) -> AsyncIterator[PlayedTurn]:
        gold = self._golds.get(problem.id)
        if gold is None:
            gold = self._golds[problem.id] = Gold(problem)
        settings: AssignmentSettings = self.plan.play
        extractor = GoldExtractor(gold.by_turn) if settings.extractor == GoldExtractor.name else settings.extractor
        session = Session(
            gold.instance,
            model=model,
            method=method,
            extractor=extractor,
            reader=self.others[0] if self.others else None,
            protocol=one_of("protocol", settings.protocol, PROTOCOLS),
            sampling=self.plan.sampling,
            ask_back="alone" if settings.ask_back == "truthful" else False,
        )
        scorer = Scorer(gold)
        for asked in problem.turns:
            if settings.ask_back == "truthful":
                record = await play_with_answers(session, gold, asked.number, asked.message)
            else:
                record = await session.turn(asked.message)
            yield PlayedTurn(record, scorer.score(record), session.engine)


class AssignmentPlaying(Playing[Problem, Method]):
    """Settings, methods and order of a run over problems, which alternate between domains; see `Playing`."""

    settings = AssignmentSettings
    presets = PRESETS
    player = AssignmentPlayer

    def other_models(self, settings: AssignmentSettings) -> Sequence[str]:
        return () if settings.reader is None else (settings.reader,)

    def prepare(self, order: Order[Problem, Method]) -> Prepared:
        return Prepared(
            families=[(problem,) for problem in deal(order.problems)],
            methods=order.methods,
            # A run without a reader and without questions goes on in the folder that it had before there were these.
            play={name: value for name, value in asdict(order.settings).items() if (name, value) not in _UNNAMED},
            length=lambda problem: len(problem.turns),
            protocol=order.settings.protocol,
            extractor=order.settings.who_reads,
        )

    def describe_problem(self, problem: Problem) -> object:
        return [
            problem.id,
            problem.suite,
            problem.domain,
            problem.entities,
            dict(problem.context),
            [[turn.number, turn.message, [dict(item) for item in turn.gold]] for turn in problem.turns],
        ]
