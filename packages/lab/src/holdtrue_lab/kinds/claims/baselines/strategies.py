"""Find the answer of a turn as the published strategies without a solver do, or as a control does.

The strategies have the budgets of VERGE's table 2. `self_consistency` takes k calls. `self_refine` takes at most 2n -
1: n answers, and a critique between each two. (The paper also counts one after the last.) `tree_of_thought` takes at
most 2 (b + (T - 1) b k), which is 40 with b = 5, k = 3, T = 2. These are b first thoughts, k from each of the b best in
every later step, and a rating of each. Thoughts of the last step are answers.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from holdtrue.language.asking import most_voted
from holdtrue.language.judgements import CRITIQUE_SCHEMA, find_problems
from holdtrue.language.retries import say
from holdtrue_claims.kind.answering import Answering
from holdtrue_claims.kind.entailment import proved_option
from holdtrue_claims.kind.prompts.questions import Answer, with_option
from holdtrue_lab.kinds.claims.baselines.programs import vote_of_programs, write_until_run
from holdtrue_lab.kinds.claims.baselines.prompts import critiques

if TYPE_CHECKING:
    from holdtrue_lab.kinds.claims.method import BaselineMethod


async def self_consistency(method: BaselineMethod, answering: Answering) -> None:
    """Draw several answers, and deliver the first one with the most frequent option.

    If no answer gives an option, the first answer is delivered.
    """
    for sample in range(method.samples):
        await answering.answer("sample", sample=sample)
    chosen, _ = most_voted(answer.option for answer in answering.answers)
    alike = [place for place, answer in enumerate(answering.answers) if answer.option == chosen]
    place = next((place for place in alike if answering.answers[place].none is None), alike[0])
    answering.take("vote", answering.attempts[place].text, answering.answers[place])


async def self_refine(method: BaselineMethod, answering: Answering) -> None:
    """Ask for an answer, and for better ones while the model's own critique finds a problem.

    It stops at a refusal: a refused answer cannot be criticised, and a refused critique names no problem.
    """
    await answering.answer("answer")
    for _ in range(method.rounds - 1):
        if answering.answers[-1].refused or not answering.may_ask:
            return
        prompt, said = answering.prompt(), answering.attempts[-1].text
        asked = critiques.critique_question(prompt, said)
        found = find_problems(await answering.send("critique", asked, CRITIQUE_SCHEMA, 0, 0.0))
        if not found:
            # The critique's call is counted with the answer that it is about.
            answering.keep_calls()
            return
        again = answering.again(quoted=True)
        draw = answering.retries.draw(len(answering.attempts))
        await answering.answer("refine", say(critiques.refine_answer(prompt, said, found), again), draw)


@dataclass(frozen=True, slots=True)
class _Path:
    """A chain of thoughts, with the rating that the model gives it."""

    thoughts: tuple[str, ...] = ()
    rating: int = 0


_NOT_RATED = -1  # a reply that is no answer ranks below every rating


async def tree_of_thought(method: BaselineMethod, answering: Answering) -> None:
    """Search breadth first over steps of reasoning, keep the best rated ones, and deliver the best rated answer."""
    paths = [_Path()]
    for step in range(1, method.depth):
        grown = [await _think(answering, path, sample) for path, sample in _children(method, paths, step)]
        # A repeated thought counts once.
        paths = [await _rated(answering, thoughts) for thoughts in dict.fromkeys(grown)]
        paths = sorted(paths, key=lambda path: -path.rating)[: method.breadth]
    ratings = []
    for path, sample in _children(method, paths, method.depth):
        await answering.answer("sample", critiques.conclude(answering.prompt(), path.thoughts), sample)
        if answering.answers[-1].none is not None:
            ratings.append(_NOT_RATED)
            continue
        rated = await _rated(answering, (*path.thoughts, answering.answers[-1].text))
        answering.keep_calls()
        ratings.append(rated.rating)
    answering.give_again(ratings.index(max(ratings)))


def _children(method: BaselineMethod, paths: list[_Path], step: int) -> list[tuple[_Path, int]]:
    """Return each path to continue, with the number of the draw that continues it."""
    draws = method.breadth if step == 1 else method.branches
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


async def restate_premises(method: BaselineMethod, answering: Answering) -> None:
    """Repeat the context, and give the first option."""
    turn = answering.turn
    _give(answering, "\n".join(turn.context), next(iter(turn.options), None))


async def solver_only(method: BaselineMethod, answering: Answering) -> None:
    """Give the option that the formalized context proves."""
    premises = answering.premises
    _give(answering, "", None if premises is None else proved_option(premises))


def _give(answering: Answering, text: str, option: str | None) -> None:
    """Record an answer that no model gave."""
    turn = answering.turn
    said = with_option(text, option, turn.options, turn.statement)
    answering.take("answer", said, Answer(said, option))


Find = Callable[["BaselineMethod", Answering], Awaitable[None]]
FIND_BY: Mapping[str, Find] = {
    "self_consistency": self_consistency,
    "self_refine": self_refine,
    "tree_of_thought": tree_of_thought,
    "program": write_until_run,
    "program_vote": vote_of_programs,
    "restate_premises": restate_premises,
    "solver_only": solver_only,
}
"""The function that finds an answer, by the strategy or the answerer of a method."""
