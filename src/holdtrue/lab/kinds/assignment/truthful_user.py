"""A simulated user who answers the questions of a session truthfully, by what the problem's turn states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from holdtrue.conversation import Session
from holdtrue.kinds.assignment.record import AssignmentRecord
from holdtrue.lab.kinds.assignment.scoring import Gold
from holdtrue.language.grounding import mentions
from holdtrue.record import QuestionRecord
from holdtrue.world.instance import Constraint

_ORDINALS = ("first", "second", "third")  # more of them are answered by call
_MOST_ROUNDS = 3


async def play_with_answers(session: Session, gold: Gold, turn: int, message: str) -> AssignmentRecord:
    """Return the record of one turn of a problem, in which the user answers what the session asks back.

    The user says yes to what the turns so far state, and no to all else. To a no, and to what was not understood,
    belongs what the turn states of those whom the quoted words name, or of those whom the question is about, and all
    that it states where the quoted words name nobody, in the domain's own words, if the ledger does not hold it yet.
    All messages of the exchange make one record: `questions` are all that were asked in it.
    """
    record = await session.turn(message)
    exchange = [record]
    # Words answer what was asked just now; what was asked before stays open.
    while (asked := [one for one in record.questions if one.turn == record.turn]) and len(exchange) <= _MOST_ROUNDS:
        record = await session.turn(_answer(session, gold, turn, asked))
        exchange.append(record)
    return _as_one(exchange, turn, message)


def _answer(session: Session, gold: Gold, turn: int, questions: Sequence[QuestionRecord]) -> str:
    """Return what the user says to the questions; those beyond the third are answered by call."""
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
    """Return what the turn states of those whom the quoted words name, or else of those whom the question is about."""
    instance, asked = gold.instance, _constraint(gold, question)
    stated = [instance.canonical(one) for one in gold.by_turn[turn]]
    named = set(mentions(instance, question.sentence).entities)
    found = [one for one in stated if named and set(instance.entities_in(one)) <= named]
    if not named:
        return stated  # 'its start is in slot 4': only the user knows whose
    if found or asked is None:
        return found
    return [one for one in stated if set(instance.entities_in(one)) == set(instance.entities_in(asked))]


def _as_one(exchange: Sequence[AssignmentRecord], turn: int, message: str) -> AssignmentRecord:
    """Return the last record of an exchange with all that was read, asked and paid in it."""
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
