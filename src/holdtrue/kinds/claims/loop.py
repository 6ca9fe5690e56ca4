"""One turn about a question: answer, verify the claims, and ask again with what was found (VERGE, algorithm 1)."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping

from holdtrue.kinds.claims.answering import Answering
from holdtrue.kinds.claims.baselines import once, self_consistency, self_refine, tree_of_thought
from holdtrue.kinds.claims.entailment import proved_option
from holdtrue.kinds.claims.feedback import claim_signal
from holdtrue.kinds.claims.method import Answerer, ClaimMethod, Strategy
from holdtrue.kinds.claims.programs import vote_of_programs, write_until_run
from holdtrue.kinds.claims.prompts.questions import Answer, with_option
from holdtrue.kinds.claims.turn import ClaimPlayed, ClaimTurn
from holdtrue.language.retries import say


def control_answer(answerer: Answerer, turn: ClaimTurn) -> Answer:
    """The answer of a control (`ClaimMethod.answerer`). Raises `ValueError` where it has nothing to go by."""
    if answerer == "given":
        if turn.given_answer is None:
            raise ValueError("there is no given answer")
        return turn.given_answer
    if answerer == "restate_premises":
        first = next(iter(turn.options), None)
        return Answer(with_option("\n".join(turn.context), first, turn.options, turn.statement), first)
    proved = None if turn.premises is None else proved_option(turn.premises)
    return Answer(with_option("", proved, turn.options, turn.statement), proved)


async def play_claims(method: ClaimMethod, turn: ClaimTurn) -> ClaimPlayed:
    """Play one turn; raises `ModelError` where the model fails, `ValueError` for a turn that the method cannot play."""
    if method.verifies and turn.premises is None:
        raise ValueError(f"{method.name} needs premises to verify claims against")
    answering = Answering(method, turn)
    if method.answerer != "model":
        answer = control_answer(method.answerer, turn)
        answering.take("answer", answer.text, answer)
    else:
        await _STRATEGIES[method.strategy](answering)
    if method.strategy != "verge" and turn.measure:
        await answering.check()
    return answering.finish()


async def _verge(answering: Answering) -> None:
    """Ask for answers, each with feedback on the last, until one is accepted, the score stands still, or rounds end.

    The published loop compares the first score with 0, and gives no answer at all if it is 0. Here the first answer is
    compared with nothing, and is the best one as long as none is better. A reply that is no answer has no score: the
    same prompt is sent once more, but for what a method says of retries, unless the model refused.
    """
    method, prompt = answering.method, answering.prompt()
    told = False  # whether the prompt quotes the last answer
    found: list[tuple[bool, float]] = []  # whether each answer was accepted, and its score
    for number in range(method.rounds):
        if not answering.may_ask:
            break
        again = answering.again(quoted=told) if number else ""
        draw = answering.retries.draw(number)
        await answering.answer("repair" if number else "answer", say(prompt.messages(), again), draw)
        if answering.answers[-1].none is not None:
            found.append(_NO_ANSWER)
            told = False
            if answering.answers[-1].refused:
                break
            continue
        check, context = await answering.check(), answering.context
        if check is None or context is None or (check.accepted and not method.patient):
            return
        found.append((check.accepted, check.score))
        if number and method.converge is not None and abs(found[-1][1] - found[-2][1]) < method.converge:
            break
        prompt, told = answering.prompt(claim_signal(method.feedback, check, context)), True
    answering.give_again(found.index(max(found)))


_NO_ANSWER = (False, -math.inf)  # worse than any answer
_STRATEGIES: Mapping[Strategy, Callable[[Answering], Awaitable[None]]] = {
    "once": once,
    "self_consistency": self_consistency,
    "self_refine": self_refine,
    "tree_of_thought": tree_of_thought,
    "program": write_until_run,
    "program_vote": vote_of_programs,
    "verge": _verge,
}
