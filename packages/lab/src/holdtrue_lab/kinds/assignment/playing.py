"""Play problems about assignments: each is a `Session` with a truthful user, and its turns are scored against gold."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Annotated
from weakref import WeakValueDictionary

from holdtrue.conversation import Session
from holdtrue.errors import SettingsError
from holdtrue.kinds.assignment.method import PRESETS, Method
from holdtrue.kinds.assignment.record import AssignmentRecord
from holdtrue.language.grounding import mentions
from holdtrue.language.readers import EXTRACTORS as READERS
from holdtrue.language.readers import PROTOCOLS, UNASKING, GoldExtractor
from holdtrue.models.chat import ChatModel
from holdtrue.options import Option, one_of
from holdtrue.record import QuestionRecord
from holdtrue.world.instance import Constraint
from holdtrue_lab.kinds.assignment.problem import Problem
from holdtrue_lab.kinds.assignment.scoring import Gold, Scorer
from holdtrue_lab.kit.plan import Order, Plan, Prepared, deal
from holdtrue_lab.kit.playing import PlayedTurn, Player, Playing

_ORDINALS = ("first", "second", "third")  # further questions are answered by a method call
_MOST_ROUNDS = 3


async def play_with_answers(session: Session, gold: Gold, turn: int, message: str) -> AssignmentRecord:
    """Play one turn of a problem, answer the session's questions, and return one record of the whole exchange.

    The user says yes to a question about a constraint that the turns so far state, and no to any other question. With a
    no, the user also repeats statements of this turn in the domain's wording (see `_meant`) that the ledger lacks.
    """
    record = await session.turn(message)
    exchange = [record]
    # The user answers only the questions of the latest message; older ones stay open.
    while (asked := [one for one in record.questions if one.turn == record.turn]) and len(exchange) <= _MOST_ROUNDS:
        record = await session.turn(_answer(session, gold, turn, asked))
        exchange.append(record)
    return _as_one(exchange, turn, message)


def _answer(session: Session, gold: Gold, turn: int, questions: Sequence[QuestionRecord]) -> str:
    """Return the user's message that answers the first three questions; give all other answers by `session.answer`."""
    asked = [one for one in questions if one.type is not None]
    right = [_is_true(gold, turn, one) for one in questions]
    for question, yes in list(zip(questions, right, strict=True))[len(_ORDINALS) :]:
        session.answer(question.id, yes)
    if len(questions) == 1:
        said = "Yes" if right[0] else "No" if asked else ""
    else:
        each = zip(_ORDINALS, right, strict=False)
        said = ", ".join(f"the {place} {'yes' if yes else 'no'}" for place, yes in each).capitalize()
    held = {entry.constraint for entry in session.ledger.active.values()}
    true = {_constraint(gold, one) for one, yes in zip(questions, right, strict=True) if yes}
    meant = [made for one, yes in zip(questions, right, strict=True) if not yes for made in _meant(gold, turn, one)]
    missing = [made for made in dict.fromkeys(meant) if made not in held | true]
    return " ".join(f"{sentence}." for sentence in (said, *map(gold.instance.sentence, missing)) if sentence) or "No."


def _constraint(gold: Gold, question: QuestionRecord) -> Constraint | None:
    return None if question.type is None else gold.instance.canonical(Constraint(question.type, question.args))


def _is_true(gold: Gold, turn: int, question: QuestionRecord) -> bool:
    return _constraint(gold, question) in gold.canonical(turn)


def _meant(gold: Gold, turn: int, question: QuestionRecord) -> list[Constraint]:
    """Return the constraints that the user repeats after a no to the question.

    These are the turn's constraints about the entities in the question's quoted words. If there are none, they are the
    constraints about the question's entities. If the quoted words name nobody, they are all constraints of the turn.
    """
    instance, asked = gold.instance, _constraint(gold, question)
    stated = [instance.canonical(one) for one in gold.by_turn[turn]]
    named = set(mentions(instance, question.sentence).entities)
    found = [one for one in stated if named and set(instance.entities_in(one)) <= named]
    if not named:
        return stated  # in 'its start is in slot 4', only the user knows which task is meant
    if found or asked is None:
        return found
    return [one for one in stated if set(instance.entities_in(one)) == set(instance.entities_in(asked))]


def _as_one(exchange: Sequence[AssignmentRecord], turn: int, message: str) -> AssignmentRecord:
    """Return the last record of an exchange, with the readings, questions, calls and times of all its records."""
    paid = [call for one in exchange for call in one.extraction]
    asked = [call for one in exchange[:-1] for attempt in one.attempts for call in attempt.calls]
    return replace(
        exchange[-1],
        turn=turn,
        user_message=message,
        readings=tuple(reading for one in exchange for reading in one.readings),
        questions=tuple(dict.fromkeys(question for one in exchange for question in one.questions)),
        events=tuple(event for one in exchange for event in one.events),
        extraction=(*paid, *asked),
        elapsed_s=sum(one.elapsed_s for one in exchange),
        solver_calls=sum(one.solver_calls for one in exchange),
        solver_s=sum(one.solver_s for one in exchange),
    )


_UNNAMED = (("reader", None), ("ask_back", "nobody"))
ASKED = ("nobody", "truthful")
EXTRACTORS = (*READERS, GoldExtractor.name)


@dataclass(frozen=True, slots=True)
class AssignmentSettings:
    """The settings of a run: the protocol of prompts, and who reads messages. Unfit values raise `SettingsError`."""

    protocol: Annotated[
        str, Option("stated (the setting in every turn), upstream (as the published code), or appendix (as the paper).")
    ] = "stated"
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
        """The extractor in words, with the name of the `reader` if that is another model."""
        reads = self.extractor if self.reader is None else f"{self.extractor}+{self.reader}"
        return reads if self.ask_back == "nobody" else f"{reads} asking"


class AssignmentPlayer(Player[Problem, Method]):
    """Plays one problem under one method. Methods that play one problem at the same time share its prepared gold."""

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
    """Prepare and play runs about assignments: their settings, methods, and order, in which domains alternate."""

    settings = AssignmentSettings
    presets = PRESETS
    player = AssignmentPlayer

    def other_models(self, settings: AssignmentSettings, methods: Sequence[Method] = ()) -> Sequence[str]:
        return () if settings.reader is None else (settings.reader,)

    def prepare(self, order: Order[Problem, Method]) -> Prepared:
        return Prepared(
            families=[(problem,) for problem in deal(order.problems)],
            methods=order.methods,
            # The two newer settings are left out if they have the usual values, so that older runs can be resumed.
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
