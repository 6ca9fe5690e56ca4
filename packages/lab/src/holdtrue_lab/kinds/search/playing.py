"""Play search problems. Each problem has several independent trials within the same limits, and gold scores them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated

from holdtrue.budget import Budget, SearchBudget
from holdtrue.conversation.search_session import SEED_STRIDE, SearchSession
from holdtrue.errors import SettingsError
from holdtrue.kinds.search.method import SEARCH_PRESETS, SearchMethod, revealed
from holdtrue.kinds.search.problem import SearchProblem
from holdtrue.kinds.search.record import SearchRecord, search_outcome
from holdtrue.models.chat import ChatModel
from holdtrue.models.sampling import Sampling
from holdtrue.options import Option
from holdtrue_lab.kinds.search.entry import SearchScore
from holdtrue_lab.kinds.search.simulation import SimulatedSearcher
from holdtrue_lab.kit.plan import Order, Prepared, deal_families
from holdtrue_lab.kit.playing import PlayedTurn, Player, Playing
from holdtrue_lab.kit.simulation.names import PREFIX


def score_search(problem: SearchProblem, record: SearchRecord) -> SearchScore:
    """Return the score of one trial. The delivered candidate is always checked again, despite the method's verdict.

    Raises `ValueError` for a problem without a gold verdict.
    """
    if problem.gold is None or problem.difficulty is None:
        raise ValueError(f"{problem.id} has no gold to be scored against")
    certified = search_outcome(record).certified
    return SearchScore(
        gold=problem.gold,
        correct=record.delivered is not None and is_right(problem, record.final.answer),
        verified_at=record.final.attempt if certified else None,
        difficulty=problem.difficulty,
        variant=problem.variant,
        base=problem.base or problem.id,
    )


def is_right(problem: SearchProblem, answer: Mapping[str, str | int] | None) -> bool:
    """Return whether a candidate is right.

    An assignment is right if every variable is within its bounds and all constraints hold. A claim that there is no
    solution is right if gold says so. A candidate that contradicts gold is never right. If it was certified, the report
    counts it as disputed.
    """
    if not answer:
        return answer is not None and problem.gold == "unsat"
    if problem.gold == "unsat":
        return False
    values = {name: value for name, value in answer.items() if isinstance(value, int) and not isinstance(value, bool)}
    return values.keys() == answer.keys() and problem.is_solution(values)


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """The settings of a run of searches: the number of trials, and the limits of each trial and each solver call.

    Raises `SettingsError` for a count below 1, a time of 0 or less, or more candidates in a trial than have seeds.
    """

    k: Annotated[int, Option("Candidates in a round.", least=1)] = 4
    rounds: Annotated[int, Option("Rounds of a trial.", least=1)] = 4
    seeds: Annotated[int, Option("Trials of each problem, each with a seed of its own.", least=1)] = 3
    tokens: Annotated[int | None, Option("Begin no call of a trial beyond so many generated tokens.", least=1)] = None
    seconds: Annotated[float | None, Option("Begin no call of a trial beyond so many seconds.")] = None
    timeout_s: Annotated[float, Option("Seconds of each question to the solver.")] = 1.5
    reveal_witness: Annotated[
        bool, Option("Also play what can show a solution with it, as METHOD+witness.", flag="--reveal-witness")
    ] = False

    def __post_init__(self) -> None:
        counts = {"k": self.k, "rounds": self.rounds, "seeds": self.seeds, "tokens": self.tokens}
        for name, count in counts.items():
            if count is not None and count < 1:
                raise SettingsError(f"{name} must be at least 1, got {count}")
        if self.k * self.rounds > SEED_STRIDE:  # with more, two trials could share a draw
            raise SettingsError(f"k times rounds may be {SEED_STRIDE} at most, got {self.k * self.rounds}")
        for name, limit in {"seconds": self.seconds, "timeout_s": self.timeout_s}.items():
            if limit is not None and not limit > 0:  # this form of the test also refuses nan
                raise SettingsError(f"{name} must be more than 0, got {limit}")

    @property
    def limits(self) -> SearchBudget:
        """The limits of one trial: candidates, rounds, tokens and seconds."""
        return SearchBudget(self.k, self.rounds, self.tokens, self.seconds)

    @property
    def budget(self) -> Budget:
        """The time limit of one solver call."""
        return Budget(timeout_s=self.timeout_s)


PRESETS = {each.name: each for each in (*SEARCH_PRESETS.values(), *map(revealed, SEARCH_PRESETS.values()))}
"""All methods, followed by variants of them that also show the model a solution."""


class SearchPlayer(Player[SearchProblem, SearchMethod]):
    """Plays the trials of one problem, one after the other. Each trial is one turn, with its own seed."""

    async def play(self, problem: SearchProblem, method: SearchMethod, model: ChatModel) -> AsyncIterator[PlayedTurn]:
        settings: SearchSettings = self.plan.play
        session = SearchSession(
            problem,
            model=model,
            method=method,
            limits=settings.limits,
            sampling=self.plan.sampling,
            budget=settings.budget,
        )
        for trial in range(1, settings.seeds + 1):
            record = await session.turn()
            problem_lines = tuple(record.user_message.split("\n")) if trial == 1 else ()
            yield PlayedTurn(record, score_search(problem, record), session.engine, problem_lines)


class SearchPlaying(Playing[SearchProblem, SearchMethod]):
    """A run of searches: its settings, methods and order of problems, as `Playing` describes them.

    Original problems alternate between domains, gold verdicts and difficulties. The rewritten forms of each problem
    follow it.
    """

    settings = SearchSettings
    sampling = Sampling(temperature=0.2, max_tokens=256)
    plainest = "one_shot"
    presets = PRESETS
    samples_help = "For no method here: a search draws --k candidates in each of --rounds rounds, and takes no vote."
    player = SearchPlayer

    def choose_methods(self, methods: Sequence[SearchMethod], settings: SearchSettings) -> Sequence[SearchMethod]:
        """Return the methods. With `reveal_witness`, each is followed by its variant that shows the model a solution.

        Raises `SettingsError` if `reveal_witness` is set and no method can show a solution.
        """
        if not settings.reveal_witness:
            return methods
        both: list[SearchMethod] = []
        for method in methods:
            twin = revealed(method)
            both += [method] if twin in methods else [method, twin]
        if not any(method.reveal_witness for method in both):
            names = ", ".join(method.name for method in methods)
            raise SettingsError(f"reveal_witness: none of {names} can show a solution")
        return both

    def simulated(self, name: str, problems: Sequence[SearchProblem]) -> ChatModel | None:
        return SimulatedSearcher(name, problems) if name.startswith(PREFIX) else None

    def prepare(self, order: Order[SearchProblem, SearchMethod]) -> Prepared:
        settings: SearchSettings = order.settings
        return Prepared(
            families=deal_families(order.problems, lambda problem: problem.base, _kind),
            methods=order.methods,
            play={**asdict(settings.limits), "seeds": settings.seeds, "timeout_s": settings.timeout_s},
            length=lambda problem: settings.seeds,
            protocol=f"{settings.k}x{settings.rounds}",
        )

    def describe_problem(self, problem: SearchProblem) -> object:
        return [
            [problem.id, problem.suite, problem.domain, problem.setting],
            [[variable.name, variable.sort.low, variable.sort.high] for variable in problem.variables],
            [[constraint.id, constraint.text, str(constraint.formula)] for constraint in problem.constraints],
            [problem.gold, problem.difficulty, problem.variant, problem.base],
        ]


def _kind(problem: SearchProblem) -> tuple[str | None, ...]:
    return problem.domain, problem.gold, problem.difficulty
