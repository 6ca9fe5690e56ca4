"""Strategies without a solver, with the budgets of VERGE's table 2.

Calls: `once` 1, `self_consistency` k, `self_refine` at most 2n - 1 (n answers, a critique between each two; the paper
counts one after the last as well), `tree_of_thought` at most 2 (b + (T - 1) b k), which is 40 with b = 5, k = 3, T = 2:
b first thoughts, k from each of the b best in every later step, and a rating of each. Thoughts of the last step are
answers.
"""

from __future__ import annotations

from dataclasses import dataclass

from holdtrue.kinds.claims.answering import Answering
from holdtrue.kinds.claims.prompts.critiques import (
    LOWEST,
    RATE_SCHEMA,
    THOUGHT_SCHEMA,
    conclude,
    critique_question,
    rate,
    read_rating,
    read_thought,
    refine_answer,
    think_on,
)
from holdtrue.language.asking import most_voted
from holdtrue.language.critique import CRITIQUE_SCHEMA, find_problems
from holdtrue.language.retries import say


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
        asked = critique_question(prompt, said)
        found = find_problems(await answering.send("critique", asked, CRITIQUE_SCHEMA, 0, 0.0))
        if not found:
            # What was paid for stays counted, with the answer that it was about.
            answering.keep_calls()
            return
        again = answering.again(quoted=True)
        draw = answering.retries.draw(len(answering.attempts))
        await answering.answer("refine", say(refine_answer(prompt, said, found), again), draw)


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
        await answering.answer("sample", conclude(answering.prompt(), path.thoughts), sample)
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
    asked, own = think_on(answering.prompt(), path.thoughts), answering.method.temperature
    reply = await answering.turn.asking.ask(
        "thought", asked, THOUGHT_SCHEMA, temperature=own, sample=sample, max_tokens=None
    )
    thought = read_thought(reply)
    return (*path.thoughts, thought) if thought else path.thoughts


async def _rated(answering: Answering, thoughts: tuple[str, ...]) -> _Path:
    asked = await answering.send("rate", rate(answering.prompt(), thoughts), RATE_SCHEMA, 0, 0.0)
    return _Path(thoughts, read_rating(asked.text) if isinstance(asked.text, str) else LOWEST)
