"""Methods for claims: how a question is answered, and whether and how the check of the answer's claims is fed back."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from holdtrue.errors import SettingsError
from holdtrue.kinds.claims.prompts.program_prompt import ProgramForm
from holdtrue.kinds.claims.settings import PUBLISHED, CheckSettings, at_least
from holdtrue.language.retries import RetryDifference, check_difference

Strategy = Literal["once", "self_consistency", "self_refine", "tree_of_thought", "program", "program_vote", "verge"]
Answerer = Literal["model", "given", "restate_premises", "solver_only"]
ClaimFeedback = Literal["full", "no_mcs", "core", "minimal"]


@dataclass(frozen=True, slots=True)
class ClaimMethod:
    """A `ClaimMethod` says what a turn about a question does.

    Attributes:
        name: The name in reports.
        strategy: How the answer is found. `once` asks once. `self_consistency` draws `samples` answers and gives the
            option given most often. `self_refine` gives at most `rounds` answers, each of which mends what the model's
            own critique found in the last. `tree_of_thought` takes `depth` steps: first `breadth` thoughts, then
            `branches` from each of the `breadth` that are rated best. `program` asks for the question as a program of
            logic, for at most `rounds` of them, each of which mends what kept the last one from being run; it gives the
            option that the solver proves. `program_vote` draws `samples` programs and gives the option that most of
            them prove. `verge` verifies an answer and asks again with `feedback`, for at most `rounds` answers; it
            gives the accepted answer, or the one with the best score.
        answerer: The model, or a control: `given` takes answers that were written before, `restate_premises` repeats
            the context and gives its first option, and `solver_only` gives the option that the formalized context
            proves.
        frame: The system prompt, `direct` or `cot`.
        form: The form of programs: `declared` (predicates and functions with their meanings, and a formula for each
            sentence), `bare` (formulas alone), `typed` (sorts, things, predicates and functions with their sorts, and
            rules) or `script` (SMT-LIB).
        fallback: Where no program proved an option, the model answers once, as the `frame` says.
        temperature: The temperature of answers; None for the run's.
        samples: The number of answers of `self_consistency`, and of programs of `program_vote`.
        rounds: The largest number of answers of `self_refine` and `verge`, and of programs of `program`.
        turn_tokens: Once the calls of a turn took so many tokens, prompts counted, `self_refine`, `verge`, `program`
            and `program_vote` ask for no further answer or program. What was asked for is still checked whole.
        breadth: The number of thoughts that `tree_of_thought` continues.
        branches: The number of continuations of each.
        depth: The number of its steps.
        feedback: What `verge` tells the model: `full` (verdicts, cores, correction sets, joint conflicts, alerts),
            `no_mcs` (the same without what to change), `core` (only what conflicts) or `minimal` (only that something
            is wrong).
        retry_difference: How the request of a retry differs from earlier ones of its turn
            (`language.retries.RetryDifference`).
        converge: `verge` stops if the score changes by less than this; with None it does not stop for that.
        patient: `verge` goes on after an accepted answer.
        check: How claims are verified. Under other strategies only the last answer is checked, to measure it.

    Raises:
        SettingsError: Settings do not fit together.
    """

    name: str
    strategy: Strategy = "once"
    answerer: Answerer = "model"
    frame: Literal["direct", "cot"] = "direct"
    form: ProgramForm = "declared"
    fallback: bool = False
    temperature: float | None = None
    samples: int = 3
    rounds: int = 3
    turn_tokens: int | None = None
    breadth: int = 5
    branches: int = 3
    depth: int = 2
    feedback: ClaimFeedback = "full"
    retry_difference: RetryDifference = "none"
    converge: float | None = 0.01
    patient: bool = False
    check: CheckSettings = field(default_factory=CheckSettings)

    def __post_init__(self) -> None:
        check_difference(self)
        if self.form not in get_args(ProgramForm):
            raise SettingsError(
                f"{self.name}: form is one of {', '.join(get_args(ProgramForm))}, not {self.form!r:.60}"
            )
        at_least(self, f"{self.name}: ", samples=1, rounds=1, breadth=1, branches=1, depth=1)
        if self.turn_tokens is not None:
            at_least(self, f"{self.name}: ", turn_tokens=1)
        if self.converge is not None:
            at_least(self, f"{self.name}: ", converge=0)
        if self.answerer != "model" and self.strategy != "once":
            raise SettingsError(f"{self.name}: {self.answerer} answers once, and not by {self.strategy}")

    @property
    def verifies(self) -> bool:
        """Return whether the result of verification changes what the method does."""
        return self.strategy == "verge" or self.answerer == "solver_only"

    @property
    def writes_programs(self) -> bool:
        """Return whether its answers are what a solver proves of formulas that the model wrote in one reply."""
        return self.strategy in ("program", "program_vote")

    @property
    def solves(self) -> bool:
        """Return whether the method itself asks a solver."""
        return self.verifies or self.writes_programs

    def with_calls(self, calls: int) -> ClaimMethod:
        """Return the method with as many answers as at most so many calls of a model allow; at least one.

        A method that verifies, one that answers or writes a program once, and a search of thoughts stay as they are.
        """
        match self.strategy:
            case "self_consistency" | "program_vote":
                return replace(self, samples=max(1, calls - self.fallback))
            case "self_refine":
                return replace(self, rounds=(calls + 1) // 2)
            case "program" if self.rounds > 1:
                return replace(self, rounds=max(1, calls - self.fallback))
        return self


def _named(*methods: ClaimMethod) -> dict[str, ClaimMethod]:
    return {method.name: method for method in methods}


_VERGE = ClaimMethod("verge", "verge", frame="cot", check=PUBLISHED)
CLAIM_PRESETS: dict[str, ClaimMethod] = _named(
    ClaimMethod("direct", check=PUBLISHED),
    ClaimMethod("cot", frame="cot", check=PUBLISHED),
    ClaimMethod("self_consistency", "self_consistency", frame="cot", temperature=0.7, check=PUBLISHED),
    ClaimMethod("self_refine", "self_refine", frame="cot", check=PUBLISHED),
    ClaimMethod("tree_of_thought", "tree_of_thought", frame="cot", temperature=0.7, check=PUBLISHED),
    ClaimMethod("logic_lm", "program", frame="cot", fallback=True, check=PUBLISHED),
    ClaimMethod("linc", "program_vote", frame="cot", form="bare", temperature=0.8, samples=10, check=PUBLISHED),
    ClaimMethod("proof_of_thought", "program", frame="cot", form="typed", check=PUBLISHED),
    ClaimMethod("dsb", "program", frame="cot", form="script", rounds=1, check=PUBLISHED),
    _VERGE,
    replace(_VERGE, name="verge_no_mcs", feedback="no_mcs"),
    replace(_VERGE, name="verge_core_only", feedback="core"),
    replace(_VERGE, name="verge_minimal", feedback="minimal"),
    replace(_VERGE, name="verge_no_routing", check=replace(PUBLISHED, routing="hard")),
    replace(_VERGE, name="verge_t10", rounds=10, converge=None, patient=True),
    replace(_VERGE, name="verge_proved", check=CheckSettings()),
    replace(_VERGE, name="all_soft", check=replace(PUBLISHED, routing="soft")),
    ClaimMethod("given", answerer="given", check=PUBLISHED),
    ClaimMethod("restate_premises", answerer="restate_premises", check=PUBLISHED),
    ClaimMethod("solver_only", answerer="solver_only", check=PUBLISHED),
)
"""The methods of suite verge: table 2's baselines, programs, the pipeline with ablations of table 3, and controls.

All are checked as published, so that one measure is laid to all, but for `verge_proved`: the pipeline as users have it,
which accepts only what was proved. In it no convention counts as stated, but for those that a data set states.
"""


def find_claim_method(name: str) -> ClaimMethod:
    """The preset of that name; raises `SettingsError` listing what there is."""
    try:
        return CLAIM_PRESETS[name]
    except KeyError:
        raise SettingsError(f"unknown method {name!r}; there are {', '.join(CLAIM_PRESETS)}") from None
