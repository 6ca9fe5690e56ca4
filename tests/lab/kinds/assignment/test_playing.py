"""The truthful user says yes to what the turn states, corrects what it does not, and one record holds the exchange."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from holdtrue.conversation import Session
from holdtrue.kinds.assignment.record import AssignmentRecord
from holdtrue.language.readers import TemplateExtractor
from holdtrue.language.reading import Extraction, MessageContext, Reading
from holdtrue.models.scripted import ScriptModel
from holdtrue.world.instance import Constraint, Instance
from holdtrue_lab.kinds.assignment.playing import play_with_answers
from holdtrue_lab.kinds.assignment.problem import Problem, ProblemTurn
from holdtrue_lab.kinds.assignment.scoring import Gold, Scorer

SAID = "the two of them near each other, and Nora up front"
BESIDE, FIRST, THIRD = (
    Constraint("adjacent", ("Nora", "Omar")),
    Constraint("at_position", ("Nora", 1)),
    Constraint("at_position", ("Nora", 3)),
)


class Doubting:
    """A reader that doubts all that it reads in the sentences it knows, and reads the domain's own wording."""

    name = "doubting"

    def __init__(self, doubted: Mapping[str, Sequence[Constraint]]) -> None:
        self.doubted = doubted

    async def read(self, world: Instance, message: str, context: MessageContext) -> Extraction:
        if message in self.doubted:
            return Extraction(tuple(Reading(message, "doubtful", made, 0.5) for made in self.doubted[message]))
        return await TemplateExtractor().read(world, message, context)


async def play(*doubted: Constraint, gold: Sequence[Constraint] = (BESIDE, FIRST)) -> tuple[AssignmentRecord, bool]:
    stated = [{"type": one.type, "args": list(one.args)} for one in gold]
    turn = ProblemTurn(1, SAID, tuple(stated))
    problem = Problem("p", "drift", "seating", ("Nora", "Omar", "Priya", "Tom"), {}, (turn,))
    known = Gold(problem)
    session = Session(
        known.instance,
        model=ScriptModel([]),
        method="solver_only",
        extractor=Doubting({SAID: doubted}),
        ask_back="alone",
    )
    record = await play_with_answers(session, known, 1, SAID)
    score = Scorer(known).score(record)
    assert score is not None
    return record, score.correct


async def test_right_readings_are_confirmed_and_the_turn_is_right() -> None:
    record, right = await play(BESIDE, FIRST)
    assert right and record.turn == 1 and record.user_message == SAID
    assert len(record.questions) == 2 and record.delivered is not None


async def test_a_wrong_reading_is_denied_and_corrected_in_the_domains_own_words() -> None:
    record, right = await play(BESIDE, THIRD)
    assert right
    assert ("accepted", "at_position", ("Nora", 1)) in [(one.status, one.type, one.args) for one in record.readings]


async def test_what_nobody_stated_is_denied_and_nothing_put_in_its_place() -> None:
    record, right = await play(THIRD, gold=(BESIDE,))
    assert "Nora" not in {arg for event in record.events for arg in event.args}
    assert not right or record.delivered is not None


async def test_more_questions_than_words_can_tell_apart_are_answered_too() -> None:
    seats = [Constraint("at_position", (name, seat)) for seat, name in enumerate(("Nora", "Omar", "Priya", "Tom"), 1)]
    record, right = await play(*seats, gold=seats)
    assert right and len(record.questions) == 4


async def test_a_turn_without_doubts_is_one_message() -> None:
    record, _ = await play(gold=())
    assert record.questions == () and record.readings == ()
