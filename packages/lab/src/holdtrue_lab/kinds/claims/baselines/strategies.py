"""Find the answer of a turn as a published baseline or a control does.

In `program` and `program_vote`, a model writes the whole question as a program of logic, and a solver runs it.
`program` asks for another program while the last one has an error, which the prompt shows (Logic-LM, Pan et al. 2023;
Proof of Thought, Ganguly et al. 2024). With one round it is VERGE's baseline DSB. `program_vote` draws several programs
and takes the option that most of them prove (LINC, Olausson et al. 2023).

The strategies without a solver have the budgets of VERGE's table 2. `self_consistency` takes k calls. `self_refine`
gives n answers with a critique between each two, which is 2n - 1 calls at most. (The paper also counts a critique after
the last answer.) `tree_of_thought` takes at most 2 (b + (T - 1) b k) calls, which is 40 with b = 5, k = 3, T = 2. The
first step draws b thoughts. Every later step draws k thoughts from each of the b best. Every thought takes a second
call, for its rating. Thoughts of the last step are answers.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from holdtrue.language.asking import most_voted
from holdtrue.language.judgements import CRITIQUE_SCHEMA, find_problems
from holdtrue.language.retries import say
from holdtrue.solving.result import Unknown
from holdtrue.world.answer import Unparsed
from holdtrue_claims.fol.conventions import CONVENTIONS
from holdtrue_claims.kind.answering import Answering, ClaimTurn
from holdtrue_claims.kind.context import InconsistentContext
from holdtrue_claims.kind.entailment import proved_option
from holdtrue_claims.kind.gold_logic import STATEMENT, truth_letters
from holdtrue_claims.kind.premises import Premise, Premises, grounded
from holdtrue_claims.kind.prompts.questions import Answer, with_option
from holdtrue_claims.kind.record import ProgramRecord
from holdtrue_lab.kinds.claims.baselines import FALLBACK
from holdtrue_lab.kinds.claims.baselines.prompts import critiques
from holdtrue_lab.kinds.claims.baselines.prompts.program_prompt import ProgramPrompt
from holdtrue_lab.kinds.claims.baselines.prompts.program_reading import Program, read_program, read_script_program

if TYPE_CHECKING:
    from holdtrue_lab.kinds.claims.method import BaselineMethod


NOTHING_STATED = "the question has no statement that a formula could say"
NONE_PROVED = "the formulas prove no option, or more than one"


@dataclass(frozen=True, slots=True)
class Ran:
    """The result of a program: its record, and the letter of the option that it proves, if any."""

    record: ProgramRecord
    option: str | None = None


def run_program(program: Program, turn: ClaimTurn) -> Ran:
    """Run a program about the question of a turn. The turn's budget limits each solver call.

    A program whose formulas cannot all hold is recorded as an error, because everything would follow from it.
    """
    if program.faults:
        return Ran(ProgramRecord("error", program.faults))
    # The notation of programs has these conventions, such as that different names are different things.
    words = replace(program.vocabulary, stated=CONVENTIONS)
    empty = Premises(words, (), turn.budget, options=turn.options)
    entries = tuple(grounded(Premise(id, "", sentence=said), empty) for id, said in program.premises.items())
    asked = {name: grounded(Premise(name, "", "statement", said), empty) for name, said in program.statements.items()}
    premises = replace(empty, entries=entries, statements=asked)
    status = premises.context.status
    if isinstance(status, InconsistentContext):
        clash = ", ".join(id.removeprefix("P") for id in status.premises)
        return Ran(ProgramRecord("error", (f"the formulas {clash} cannot all hold",)))
    if isinstance(status, Unknown):
        return Ran(ProgramRecord("undecided", (f"whether the formulas can all hold is not known: {status.reason}",)))
    option = proved_option(premises)
    return Ran(ProgramRecord("undecided", (NONE_PROVED,))) if option is None else Ran(ProgramRecord("executed"), option)


def stated_by(turn: ClaimTurn) -> Mapping[str, str]:
    """Return the statements that a program about the turn's question must express, by name. It may be empty."""
    if turn.statement is not None:
        return {STATEMENT: turn.statement}
    return {} if truth_letters(turn.options) else turn.options


async def write_until_run(method: BaselineMethod, answering: Answering) -> None:
    """Ask for programs until one runs, and show each error to the model; fall back if no program proves an option."""
    if not stated_by(answering.turn):
        await _without_program(method, answering)
        return
    prompt = _prompt(method, answering)
    for number in range(method.rounds):
        if not answering.may_ask:
            break
        again = answering.again(quoted=True) if number else ""
        ran = await _write(answering, "refine" if number else "program", prompt, again, answering.retries.draw(number))
        if ran is None or ran.record.status == "undecided":
            break
        if ran.option is not None:
            return
        prompt = replace(prompt, previous=answering.attempts[-1].text, faults=ran.record.faults)
    await _fall_back(method, answering)


async def vote_of_programs(method: BaselineMethod, answering: Answering) -> None:
    """Draw several programs, and deliver the first one that proves the option which most of them prove."""
    if not stated_by(answering.turn):
        await _without_program(method, answering)
        return
    for sample in range(method.samples):
        if not answering.may_ask:
            break
        await _write(answering, "program", _prompt(method, answering), "", sample)
    chosen, _ = most_voted(answer.option for answer in answering.answers)
    if chosen is None:
        await _fall_back(method, answering)
        return
    place = next(place for place, answer in enumerate(answering.answers) if answer.option == chosen)
    answering.take("vote", answering.attempts[place].text, answering.answers[place])


async def _write(answering: Answering, kind: str, prompt: ProgramPrompt, again: str, sample: int) -> Ran | None:
    """Ask for a program, run it, and record it as an attempt. Return None if the reply is no answer."""
    turn = answering.turn
    asked = await answering.send("program", say(prompt.messages(), again), prompt.schema(), sample)
    if isinstance(asked.text, Unparsed):
        failed = ProgramRecord("error", (asked.text.reason,))
        answering.take(kind, asked.reply.text, Answer("", none=asked.text), failed)
        return None
    if prompt.form == "script":
        read = read_script_program(asked.text, prompt.statements)
    else:
        read = read_program(asked.text, prompt.form, len(prompt.sentences), prompt.statements)
    ran = run_program(read, turn)
    if ran.option is None:
        none = Unparsed(f"the program gives no answer: {'; '.join(ran.record.faults)}")
        answering.take(kind, asked.text, Answer("", none=none), ran.record)
    else:
        said = with_option("", ran.option, turn.options, turn.statement)
        answering.take(kind, asked.text, Answer(said, ran.option), ran.record)
    return ran


async def _fall_back(method: BaselineMethod, answering: Answering) -> None:
    if method.fallback:
        await answering.answer(FALLBACK)


async def _without_program(method: BaselineMethod, answering: Answering) -> None:
    """Use the fallback for a question that no program can express, or record an error if there is no fallback."""
    if method.fallback:
        await answering.answer(FALLBACK)
    else:
        answering.take(
            "program", "", Answer("", none=Unparsed(NOTHING_STATED)), ProgramRecord("error", (NOTHING_STATED,))
        )


def _prompt(method: BaselineMethod, answering: Answering) -> ProgramPrompt:
    turn = answering.turn
    return ProgramPrompt(method.form, turn.context, turn.question, stated_by(turn))


async def self_consistency(method: BaselineMethod, answering: Answering) -> None:
    """Draw several answers, and deliver the first one with the most frequent option.

    If no answer gives an option, the first usable answer is delivered, or the very first if none is usable.
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
    """Return a pair for each thought to draw in a step: the path that it continues, and the number of the draw."""
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
"""Each strategy and each control answerer of a method, with the function that finds its answer."""
