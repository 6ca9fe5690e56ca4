"""One turn about a question: answer, verify the claims, and ask again with what was found (VERGE, algorithm 1).

The next round is told sentences about the check of an answer, and no more: never a witness, or which option the
premises prove, because that would be the solver's answer and no longer the model's.

The strategies without a solver have the budgets of VERGE's table 2. Calls: `once` 1, `self_consistency` k,
`self_refine` at most 2n - 1 (n answers, a critique between each two; the paper counts one after the last as well),
`tree_of_thought` at most 2 (b + (T - 1) b k), which is 40 with b = 5, k = 3, T = 2: b first thoughts, k from each of
the b best in every later step, and a rating of each. Thoughts of the last step are answers.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass

from holdtrue.claim_record import CheckRecord, ClaimRecord, ClaimVerdict, ContextRecord, JointVerdict, SoftVerdict
from holdtrue.kinds.claims.answering import Answering
from holdtrue.kinds.claims.entailment import proved_option
from holdtrue.kinds.claims.method import Answerer, ClaimFeedback, ClaimMethod, Strategy
from holdtrue.kinds.claims.programs import vote_of_programs, write_until_run
from holdtrue.kinds.claims.prompts import critiques
from holdtrue.kinds.claims.prompts.questions import Answer, with_option
from holdtrue.kinds.claims.prompts.verification_report import SAID_BY, VERDICTS, YOURS, ClaimSignal, Refuted, Status
from holdtrue.kinds.claims.turn import ClaimPlayed, ClaimTurn
from holdtrue.language.asking import most_voted
from holdtrue.language.critique import CRITIQUE_SCHEMA, find_problems
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


_NO_ANSWER = (False, -math.inf)  # worse than any answer


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


async def once(answering: Answering) -> None:
    """Ask for one answer."""
    await answering.answer("answer")


async def self_consistency(answering: Answering) -> None:
    """Draw several answers, and deliver the first one with the option that was given most often.

    If no answer gives an option, the first answer is delivered.
    """
    for sample in range(answering.method.samples):
        await answering.answer("sample", sample=sample)
    chosen, _ = most_voted(answer.option for answer in answering.answers)
    alike = [place for place, answer in enumerate(answering.answers) if answer.option == chosen]
    place = next((place for place in alike if answering.answers[place].none is None), alike[0])
    answering.take("vote", answering.attempts[place].text, answering.answers[place])


async def self_refine(answering: Answering) -> None:
    """Ask for an answer, and for better ones as long as the model's own critique finds a problem.

    It ends at a refusal: a refused answer cannot be criticised, and a refused critique names no problem.
    """
    await answering.answer("answer")
    for _ in range(answering.method.rounds - 1):
        if answering.answers[-1].refused or not answering.may_ask:
            return
        prompt, said = answering.prompt(), answering.attempts[-1].text
        asked = critiques.critique_question(prompt, said)
        found = find_problems(await answering.send("critique", asked, CRITIQUE_SCHEMA, 0, 0.0))
        if not found:
            # What was paid for stays counted, with the answer that it was about.
            answering.keep_calls()
            return
        again = answering.again(quoted=True)
        draw = answering.retries.draw(len(answering.attempts))
        await answering.answer("refine", say(critiques.refine_answer(prompt, said, found), again), draw)


@dataclass(frozen=True, slots=True)
class _Path:
    """A chain of thoughts, and the rating that the model gives it."""

    thoughts: tuple[str, ...] = ()
    rating: int = 0


_NOT_RATED = -1  # what is no answer is worse than any


async def tree_of_thought(answering: Answering) -> None:
    """Search breadth first over steps of reasoning, keep the best rated ones, and deliver the best rated answer."""
    method = answering.method
    paths = [_Path()]
    for step in range(1, method.depth):
        grown = [await _think(answering, path, sample) for path, sample in _children(answering, paths, step)]
        # The same thought twice is one.
        paths = [await _rated(answering, thoughts) for thoughts in dict.fromkeys(grown)]
        paths = sorted(paths, key=lambda path: -path.rating)[: method.breadth]
    ratings = []
    for path, sample in _children(answering, paths, method.depth):
        await answering.answer("sample", critiques.conclude(answering.prompt(), path.thoughts), sample)
        if answering.answers[-1].none is not None:
            ratings.append(_NOT_RATED)
            continue
        rated = await _rated(answering, (*path.thoughts, answering.answers[-1].text))
        answering.keep_calls()
        ratings.append(rated.rating)
    answering.give_again(ratings.index(max(ratings)))


def _children(answering: Answering, paths: list[_Path], step: int) -> list[tuple[_Path, int]]:
    """Return each path to continue, with the number of the draw that continues it."""
    draws = answering.method.breadth if step == 1 else answering.method.branches
    return [(path, sample) for path in paths for sample in range(draws)]


async def _think(answering: Answering, path: _Path, sample: int) -> tuple[str, ...]:
    asked, own = critiques.think_on(answering.prompt(), path.thoughts), answering.method.temperature
    reply = await answering.turn.asking.ask(
        "thought", asked, critiques.THOUGHT_SCHEMA, temperature=own, sample=sample, max_tokens=None
    )
    thought = critiques.read_thought(reply)
    return (*path.thoughts, thought) if thought else path.thoughts


async def _rated(answering: Answering, thoughts: tuple[str, ...]) -> _Path:
    asked = await answering.send("rate", critiques.rate(answering.prompt(), thoughts), critiques.RATE_SCHEMA, 0, 0.0)
    return _Path(thoughts, critiques.read_rating(asked.text) if isinstance(asked.text, str) else critiques.LOWEST)


_KEPT: Mapping[str, tuple[str, ...]] = {
    "proved": (ClaimVerdict.ENTAILED,),
    "judged": (ClaimVerdict.ENTAILED, SoftVerdict.SUPPORTED),
}
"""The verdicts of claims that the model is told to keep, by what is accepted."""


def claim_signal(kind: ClaimFeedback, check: CheckRecord, context: ContextRecord) -> ClaimSignal:
    """Return what the model may be told of an answer that did not pass; `kind` limits it (`ClaimMethod.feedback`)."""
    if kind == "minimal":
        return ClaimSignal("failed")
    status, sentences = _status(check), _sentences(check, context)
    refuted = tuple(
        Refuted(claim.text, _quote(sentences, claim.premises), _to_drop(claim) if kind == "full" else ())
        for claim in check.claims
        if claim.verdict == ClaimVerdict.CONTRADICTORY
    )
    conflict = context.conflict if status == "context" else check.joint.conflict
    clash = _quote(sentences, conflict)
    if kind == "core":
        return ClaimSignal(status, refuted, clash)
    texts, kept = {claim.id: claim.text for claim in check.claims}, _KEPT[check.accept]
    return ClaimSignal(
        status,
        refuted,
        clash,
        change=_quote(texts, check.change) if kind == "full" else (),
        keep=tuple(claim.text for claim in check.claims if claim.verdict in kept and claim.id not in check.change),
        weak=tuple(
            f"{claim.text.rstrip('.')} ({VERDICTS[claim.verdict]}{_open_parts(claim) if kind == 'full' else ''})"
            for claim in check.claims
            if claim.verdict in VERDICTS
        ),
        alerts=tuple(f"{claim.text.rstrip('.')} ({why})" for claim in check.claims if (why := _alert(claim))),
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


def _sentences(check: CheckRecord, context: ContextRecord) -> Mapping[str, str]:
    """Return by id everything that can be part of a conflict, in words that say who stated it."""
    said = {premise.id: (premise.text, SAID_BY.get(premise.source)) for premise in context.premises}
    said |= {bridge.id: (bridge.text, SAID_BY["bridge"]) for bridge in check.joint.bridges}
    said |= {claim.id: (claim.text, YOURS) for claim in check.claims}
    return {id: f"{text.rstrip('.')} ({whose})" if whose else text for id, (text, whose) in said.items()}


def _to_drop(claim: ClaimRecord) -> tuple[str, ...]:
    """Return the parts of a claim that have to go, in words."""
    return () if claim.clauses is None else claim.clauses.drop


def _open_parts(claim: ClaimRecord) -> str:
    """Return a remark that names the parts which do not follow, if the claim has several."""
    return f": {' '.join(_to_drop(claim)).rstrip('.')}" if claim.clauses is not None else ""


def _alert(claim: ClaimRecord) -> str:
    """Return why a claim has no formula, or '' if it has one or was not meant for the solver."""
    made = claim.formalization
    if made is None or made.formula is not None:
        return ""
    return made.reason or next((alert.message for alert in made.alerts), "it has no formula")


def _quote(sentences: Mapping[str, str], ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(sentences[id] for id in ids if id in sentences)


_STRATEGIES: Mapping[Strategy, Callable[[Answering], Awaitable[None]]] = {
    "once": once,
    "self_consistency": self_consistency,
    "self_refine": self_refine,
    "tree_of_thought": tree_of_thought,
    "program": write_until_run,
    "program_vote": vote_of_programs,
    "verge": _verge,
}
