"""One turn about a question: answer, verify the claims, and ask again with the findings (VERGE, algorithm 1).

The next prompt contains only sentences about the check of the last answer. It never contains a witness or the option
that the premises prove, because that answer would be the solver's.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from holdtrue.language.retries import say
from holdtrue_claims.claim_record import CheckRecord, ClaimVerdict, ContextRecord, JointVerdict, SoftVerdict
from holdtrue_claims.kind.answering import Answering, ClaimPlayed, ClaimTurn
from holdtrue_claims.kind.method import ClaimFeedback, ClaimMethod
from holdtrue_claims.kind.prompts.questions import SAID_BY, VERDICTS, YOURS, ClaimSignal, Refuted, Status


async def play_claims(method: ClaimMethod, turn: ClaimTurn) -> ClaimPlayed:
    """Play one turn. Raises `ModelError` if the model fails, and `ValueError` if method and turn do not fit."""
    if method.verifies and turn.premises is None:
        raise ValueError(f"{method.name} needs premises to verify claims against")
    answering = Answering(method, turn)
    if (own_strategy := method.own_strategy) is not None:
        await own_strategy(answering)
    elif method.answerer == "given":
        if turn.given_answer is None:
            raise ValueError("there is no given answer")
        answering.take("answer", turn.given_answer.text, turn.given_answer)
    elif method.strategy == "verge":
        await _verify_until_accepted(answering)
    else:
        await answering.answer("answer")
    if method.strategy != "verge" and turn.measure:
        await answering.check()
    return answering.finish()


_NO_ANSWER = (False, -math.inf)  # worse than any answer


async def _verify_until_accepted(answering: Answering) -> None:
    """Ask for answers, each with feedback on the last, until one is accepted, the score stays the same, or rounds end.

    The published loop compares the first score with 0, and gives no answer if the score is 0. Here the first answer is
    compared with nothing, and stays the best one until a better one comes. A reply without an answer has no score. The
    same prompt is then sent again, with the method's retry text, unless the model refused.
    """
    method, prompt = answering.method, answering.prompt()
    told = False  # whether the prompt quotes the last answer
    found: list[tuple[bool, float]] = []  # for each answer, whether it was accepted, and its score
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


_KEPT: Mapping[str, tuple[str, ...]] = {
    "proved": (ClaimVerdict.ENTAILED,),
    "judged": (ClaimVerdict.ENTAILED, SoftVerdict.SUPPORTED),
}
"""The verdicts of claims that the model is asked to keep, by the kind of acceptance."""


def claim_signal(kind: ClaimFeedback, check: CheckRecord, context: ContextRecord) -> ClaimSignal:
    """Return the feedback on an answer that was not accepted; `kind` limits it (`ClaimMethod.feedback`)."""
    if kind == "minimal":
        return ClaimSignal("failed")
    # All possible members of a conflict by id, with the source of each.
    said = {premise.id: (premise.text, SAID_BY.get(premise.source)) for premise in context.premises}
    said |= {bridge.id: (bridge.text, SAID_BY["bridge"]) for bridge in check.joint.bridges}
    said |= {claim.id: (claim.text, YOURS) for claim in check.claims}
    sentences = {id: f"{text.rstrip('.')} ({whose})" if whose else text for id, (text, whose) in said.items()}
    status, drop = _status(check), {own.id: own.clauses.drop for own in check.claims if own.clauses is not None}
    drop = drop if kind == "full" else {}
    refuted = tuple(
        Refuted(claim.text, _quote(sentences, claim.premises), drop.get(claim.id, ()))
        for claim in check.claims
        if claim.verdict == ClaimVerdict.CONTRADICTORY
    )
    conflict = context.conflict if status == "context" else check.joint.conflict
    clash = _quote(sentences, conflict)
    if kind == "core":
        return ClaimSignal(status, refuted, clash)
    made = ((claim.text.rstrip("."), claim.formalization) for claim in check.claims)
    texts, kept = {claim.id: claim.text for claim in check.claims}, _KEPT[check.accept]
    return ClaimSignal(
        status,
        refuted,
        clash,
        change=_quote(texts, check.change) if kind == "full" else (),
        keep=tuple(claim.text for claim in check.claims if claim.verdict in kept and claim.id not in check.change),
        weak=tuple(
            f"{claim.text.rstrip('.')} ({VERDICTS[claim.verdict]}"
            + (f": {' '.join(drop[claim.id]).rstrip('.')})" if claim.id in drop else ")")
            for claim in check.claims
            if claim.verdict in VERDICTS
        ),
        alerts=tuple(
            f"{text} ({own.reason or next((each.message for each in own.alerts), 'it has no formula')})"
            for text, own in made
            if own is not None and own.formula is None
        ),
    )


def _status(check: CheckRecord) -> Status:
    verdicts = {claim.verdict for claim in check.claims}
    if not check.claims:
        return "no_claims"
    if check.joint.verdict == JointVerdict.INCONSISTENT_CONTEXT or ClaimVerdict.INCONSISTENT_CONTEXT in verdicts:
        return "context"
    if ClaimVerdict.CONTRADICTORY in verdicts:
        return "refuted"
    return "clash" if check.joint.verdict == JointVerdict.CONFLICT else "weak"


def _quote(sentences: Mapping[str, str], ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(sentences[id] for id in ids if id in sentences)
