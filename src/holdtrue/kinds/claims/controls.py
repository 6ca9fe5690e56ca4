"""Answers that no model is asked for: what repeating the premises, and what the solver alone, are worth."""

from __future__ import annotations

from holdtrue.kinds.claims.answering import Answering
from holdtrue.kinds.claims.implied import proved_option
from holdtrue.kinds.claims.method import Answerer
from holdtrue.kinds.claims.prompts.answers import Answer, with_option
from holdtrue.kinds.claims.turn import ClaimTurn


def give_control(answerer: Answerer, answering: Answering) -> None:
    """Write the control's answer down (`ClaimMethod.answerer`). Raises `ValueError` where it has nothing to go by."""
    answer = _control(answerer, answering.turn)
    answering.take("answer", answer.text, answer)


def _control(answerer: Answerer, turn: ClaimTurn) -> Answer:
    if answerer == "given":
        if turn.given is None:
            raise ValueError("there is no given answer")
        return turn.given
    if answerer == "restate_premises":
        first = next(iter(turn.options), None)
        return Answer(with_option("\n".join(turn.context), first, turn.options, turn.statement), first)
    proved = None if turn.premises is None else proved_option(turn.premises)
    return Answer(with_option("", proved, turn.options, turn.statement), proved)
