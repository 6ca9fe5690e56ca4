"""The methods of suite verge: those of conversations, the published baselines, and controls."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Literal, get_args

from holdtrue.options import one_of
from holdtrue_claims.kind.method import CLAIM_PRESETS, ClaimMethod
from holdtrue_claims.kind.settings import PUBLISHED, at_least
from holdtrue_lab.kinds.claims.baselines.prompts.program_prompt import ProgramForm

if TYPE_CHECKING:
    from holdtrue_claims.kind.answering import Answering

Strategy = Literal["once", "self_consistency", "self_refine", "tree_of_thought", "program", "program_vote", "verge"]
Answerer = Literal["model", "given", "restate_premises", "solver_only"]


@dataclass(frozen=True, slots=True)
class BaselineMethod(ClaimMethod):
    """A method that may also find its answer as a published baseline or a control does.

    Attributes:
        strategy: How the answer is found, with more ways than `ClaimMethod` has. `self_consistency` draws `samples`
            answers and gives the most frequent option. `self_refine` gives at most `rounds` answers, and mends in each
            the problems that the model's own critique found. `tree_of_thought` takes `depth` steps: first `breadth`
            thoughts, then `branches` from each of the `breadth` thoughts that are rated best. `program` asks for a
            program of logic, at most `rounds` times while it has errors. It gives the option that the solver proves.
            `program_vote` draws `samples` programs and gives the option that most of them prove.
        answerer: The model, or a control. `restate_premises` repeats the context and gives its first option.
            `solver_only` gives the option that the formalized context proves.
        form: The form of programs. `declared` has predicates and functions with their meanings, and a formula for each
            sentence. `bare` has formulas alone. `typed` has sorts, things, predicates, functions and rules. `script` is
            SMT-LIB.
        fallback: If no program proves an option, the model answers once, as the `frame` says.
        samples: Number of answers of `self_consistency`, or of programs of `program_vote`.
        breadth: Number of thoughts that `tree_of_thought` continues.
        branches: Number of continuations of each such thought.
        depth: Number of steps of `tree_of_thought`.

    Raises:
        SettingsError: Settings do not fit together.
    """

    strategy: Strategy = "once"
    answerer: Answerer = "model"
    form: ProgramForm = "declared"
    fallback: bool = False
    samples: int = 3
    breadth: int = 5
    branches: int = 3
    depth: int = 2

    strategies: ClassVar[tuple[str, ...]] = get_args(Strategy)
    answerers: ClassVar[tuple[str, ...]] = get_args(Answerer)

    def __post_init__(self) -> None:
        ClaimMethod.__post_init__(self)
        one_of("form", self.form, get_args(ProgramForm))
        at_least(self, f"{self.name}: ", samples=1, breadth=1, branches=1, depth=1)

    @classmethod
    def of(cls, method: ClaimMethod) -> BaselineMethod:
        """Return the same method with the settings of baselines."""
        if isinstance(method, cls):
            return method
        return cls(**{own.name: getattr(method, own.name) for own in fields(method)})

    @property
    def verifies(self) -> bool:
        """Return whether the result of verification changes the method's answers."""
        return self.strategy == "verge" or self.answerer == "solver_only"

    @property
    def writes_programs(self) -> bool:
        """Return whether a solver derives the method's answers from formulas that the model wrote in one reply."""
        return self.strategy in ("program", "program_vote")

    @property
    def solves(self) -> bool:
        """Return whether the method itself calls a solver."""
        return self.verifies or self.writes_programs

    @property
    def own_strategy(self) -> Callable[[Answering], Awaitable[None]] | None:
        """Return the function of a baseline or control that finds the answer, or None. It is loaded when a turn is
        played.
        """
        from holdtrue_lab.kinds.claims.baselines.strategies import FIND_BY

        find = FIND_BY.get(self.strategy) or FIND_BY.get(self.answerer)
        return None if find is None else partial(find, self)

    def with_calls(self, calls: int) -> BaselineMethod:
        """Return the method with as many answers as fit into this many calls of a model, but at least one.

        Methods that verify, answer once, write one program or search over thoughts stay unchanged.
        """
        match self.strategy:
            case "self_consistency" | "program_vote":
                return replace(self, samples=max(1, calls - self.fallback))
            case "self_refine":
                return replace(self, rounds=(calls + 1) // 2)
            case "program" if self.rounds > 1:
                return replace(self, rounds=max(1, calls - self.fallback))
        return self


_OWN = {name: BaselineMethod.of(method) for name, method in CLAIM_PRESETS.items()}
_VERGE = _OWN["verge"]
METHODS: dict[str, BaselineMethod] = {
    method.name: method
    for method in (
        _OWN["direct"],
        _OWN["cot"],
        BaselineMethod("self_consistency", "self_consistency", frame="cot", temperature=0.7, check=PUBLISHED),
        BaselineMethod("self_refine", "self_refine", frame="cot", check=PUBLISHED),
        BaselineMethod("tree_of_thought", "tree_of_thought", frame="cot", temperature=0.7, check=PUBLISHED),
        BaselineMethod("logic_lm", "program", frame="cot", fallback=True, check=PUBLISHED),
        BaselineMethod("linc", "program_vote", frame="cot", form="bare", temperature=0.8, samples=10, check=PUBLISHED),
        BaselineMethod("proof_of_thought", "program", frame="cot", form="typed", check=PUBLISHED),
        BaselineMethod("dsb", "program", frame="cot", form="script", rounds=1, check=PUBLISHED),
        _VERGE,
        replace(_VERGE, name="verge_no_mcs", feedback="no_mcs"),
        replace(_VERGE, name="verge_core_only", feedback="core"),
        replace(_VERGE, name="verge_minimal", feedback="minimal"),
        replace(_VERGE, name="verge_no_routing", check=replace(PUBLISHED, routing="hard")),
        replace(_VERGE, name="verge_t10", rounds=10, converge=None, patient=True),
        _OWN["verge_proved"],
        replace(_VERGE, name="all_soft", check=replace(PUBLISHED, routing="soft")),
        _OWN["given"],
        BaselineMethod("restate_premises", answerer="restate_premises", check=PUBLISHED),
        BaselineMethod("solver_only", answerer="solver_only", check=PUBLISHED),
    )
}
"""The methods of suite verge: table 2's baselines, programs, the pipeline with ablations of table 3, and controls.

All but `verge_proved` are checked as published, so that one measure applies to all.
"""
