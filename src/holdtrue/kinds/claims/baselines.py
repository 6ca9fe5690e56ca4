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
from holdtrue.language.asking import most_given
from holdtrue.language.critique import CRITIQUE_SCHEMA, find_problems


async def once(answering: Answering) -> None:
    """One answer."""
    await answering.answer("answer")


async def self_consistency(answering: Answering) -> None:
    """Several answers, and the option given most often; of several, or where none gives one, the first answer."""
    for sample in range(answering.method.samples):
        await answering.answer("sample", sample=sample)
    chosen, _ = most_given(answer.option for answer in answering.answers)
    alike = [place for place, answer in enumerate(answering.answers) if answer.option == chosen]
    place = next((place for place in alike if answering.answers[place].none is None), alike[0])
    answering.take("vote", answering.attempts[place].text, answering.answers[place])


async def self_refine(answering: Answering) -> None:
    """An answer, and better ones as long as the model's own critique finds something.

    A refusal leaves nothing to criticise, and a critique that is refused finds nothing.
    """
    await answering.answer("answer")
    for number in range(answering.method.rounds - 1):
        if answering.answers[-1].refused:
            return
        prompt, said = answering.prompt(), answering.attempts[-1].text
        asked = critique_question(prompt, said)
        found = find_problems(await answering.send("critique", asked, CRITIQUE_SCHEMA, number, 0.0))
        if not found:
            # What was paid for stays counted, with the answer that it was about.
            answering.keep_calls()
            return
        await answering.answer("refine", refine_answer(prompt, said, found), number)


@dataclass(frozen=True, slots=True)
class _Path:
    """Thoughts, one after the other, and how the model rates them."""

    thoughts: tuple[str, ...] = ()
    rating: int = 0


_NOT_RATED = -1  # what is no answer is worse than any


async def tree_of_thought(answering: Answering) -> None:
    """Steps of reasoning, breadth first, of which the best are gone on with; the best rated answer is given."""
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
    """Each path with the draws that go on from it."""
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
    return _Path(thoughts, read_rating(asked.said) if isinstance(asked.said, str) else LOWEST)
