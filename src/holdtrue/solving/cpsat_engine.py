"""The engine for questions on which others run out of time: CP-SAT, an optional extra (`pip install
'holdtrue[cpsat]'`).

Formulas become constraints of a CP-SAT model. Each holds always, or only under a literal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from typing import Any

from ortools.sat.python import cp_model

from holdtrue.budget import OUT_OF_TIME, Budget, Deadline
from holdtrue.errors import FormulaError
from holdtrue.logic import formula as f
from holdtrue.logic.formula import Formula, Variable
from holdtrue.solving.arithmetic import compared, too_few_values
from holdtrue.solving.encoding import NotEncodable, finite_range
from holdtrue.solving.engine import EngineFault, Soft, confirm, fixed_id, misfit, spent_elsewhere, timed
from holdtrue.solving.result import Core, Id, Satisfiable, Unknown, Unsatisfiable

LARGEST_NUMBER = 2**60
"""The largest number that CP-SAT is given. It computes with 64 bits."""


class CpSatModel:
    """The model of one question. `stated` is the CP-SAT model, and `unknowns` maps names to its variables.

    Raises `FormulaError` for an unknown variable. Raises `NotEncodable` for numbers beyond 2^60 and for unbounded
    variables, since a bound that nobody stated would be an assumption.
    """

    def __init__(self, variables: Sequence[f.Variable]) -> None:
        self.stated: Any = cp_model.CpModel()
        self._sorts = {variable.name: variable.sort for variable in variables}
        self.unknowns: dict[str, Any] = {v.name: self._new(*finite_range(v), v.name) for v in variables}
        self._atoms: dict[f.Atom, Any] = {}
        # The formula is kept as well, so that no other object can get its id while the model is in use.
        self._implying: dict[tuple[int, bool], tuple[Any, f.Formula]] = {}

    def require(self, formula: f.Formula, *, under: Any = None, positive: bool = True) -> None:
        """State that the formula holds, or its negation if `positive` is false. With `under`, only if that literal is
        true.
        """
        match formula:
            case f.Truth():
                if formula.value is not positive:
                    self._some([], under)
            case f.Not():
                self.require(formula.operand, under=under, positive=not positive)
            case f.And() | f.Or():
                if isinstance(formula, f.And) is positive:
                    for operand in formula.operands:
                        self.require(operand, under=under, positive=positive)
                else:
                    self._some([self.implying(operand, positive) for operand in formula.operands], under)
            case f.Iff() | f.Xor():
                same = isinstance(formula, f.Iff) is positive
                for side in (False, True):
                    self._some([self.implying(formula.left, side), self.implying(formula.right, side ^ same)], under)
            case f.IfThenElse():
                for side, branch in ((False, formula.then), (True, formula.otherwise)):
                    self._some([self.implying(formula.condition, side), self.implying(branch, positive)], under)
            case f.Compare():
                form = f.linear(formula.left - formula.right)
                self._compare(formula.op if positive else f.NEGATED[formula.op], form, under)
            case f.AllDifferent():
                self._all_different(formula, under) if positive else self._some_equal(formula, under)
            case f.Count():
                self._count(formula.op if positive else f.NEGATED[formula.op], formula, under)
            case _:
                raise FormulaError(f"not a formula: {formula!r}")

    def implying(self, formula: f.Formula, positive: bool = True) -> Any:
        """Return a literal that implies the formula, or its negation. The same object gets the same literal."""
        key = (id(formula), positive)
        if key not in self._implying:
            literal = self.stated.new_bool_var("")
            self._implying[key] = (literal, formula)
            self.require(formula, under=literal, positive=positive)
        return self._implying[key][0]

    def equals(self, name: str, value: int) -> Any:
        """Return a literal that implies that the variable has the value."""
        literal = self.stated.new_bool_var("")
        self.stated.add(self.unknowns[name] == value).only_enforce_if(literal)
        return literal

    def at_least(self, literals: Sequence[Any], bound: int, under: Any = None) -> None:
        """State that at least `bound` of the literals are true."""
        if bound > len(literals):
            self._some([], under)
        elif bound > 0:
            self._add(self.stated.add(sum(literals) >= bound), under)

    def _some(self, literals: Sequence[Any], under: Any) -> None:
        self._add(self.stated.add_bool_or(literals), under)

    def _add(self, constraint: Any, under: Any) -> None:
        if under is not None:
            constraint.only_enforce_if(under)

    def _compare(self, op: f.Comparison, form: f.Linear, under: Any) -> None:
        self._add(self.stated.add(compared(op, self._value(form), 0)), under)

    def _all_different(self, formula: f.AllDifferent, under: Any) -> None:
        if too_few_values(formula):
            self._some([], under)
        elif len(formula.terms) > 1:
            self._add(self.stated.add_all_different([self._simple(f.linear(term)) for term in formula.terms]), under)

    def _some_equal(self, formula: f.AllDifferent, under: Any) -> None:
        pairs = []
        for left, right in combinations(formula.terms, 2):
            pairs.append(self.stated.new_bool_var(""))
            self._compare("==", f.linear(left - right), pairs[-1])
        self._some(pairs, under)

    def _count(self, op: f.Comparison, formula: f.Count, under: Any) -> None:
        bound, total = formula.bound, len(formula.operands)
        if op == "!=":
            sides = [self.stated.new_bool_var(""), self.stated.new_bool_var("")]
            self._count("<", formula, sides[0])
            self._count(">", formula, sides[1])
            self._some(sides, under)
            return
        if op in (">=", ">", "=="):
            held = [self.implying(operand, True) for operand in formula.operands]
            self.at_least(held, bound + (op == ">"), under)
        if op in ("<=", "<", "=="):
            denied = [self.implying(operand, False) for operand in formula.operands]
            self.at_least(denied, total - bound + (op == "<"), under)

    def _value(self, form: f.Linear) -> Any:
        """Return the linear form as a CP-SAT expression, or as an integer if it has no variables."""
        reach = _reach(form)
        if reach > LARGEST_NUMBER:
            raise NotEncodable(f"a sum can reach {reach}, more than CP-SAT can count")
        return sum((factor * self._atom(atom) for atom, factor in form.factors), form.constant)

    def _simple(self, form: f.Linear) -> Any:
        """Return the linear form as `a * x + b`, since some constraints accept nothing else."""
        value = self._value(form)
        if len(form.factors) <= 1:
            return value
        whole = self._new(-_reach(form), _reach(form))
        self.stated.add(whole == value)
        return whole

    def _atom(self, atom: f.Atom) -> Any:
        if isinstance(atom, f.Variable):
            if self._sorts.get(atom.name) != atom.sort:
                raise FormulaError(f"the engine has no variable {atom.name!r} of sort {atom.sort}")
            return self.unknowns[atom.name]
        if atom not in self._atoms:
            self._atoms[atom] = self._define(atom)
        return self._atoms[atom]

    def _define(self, atom: f.Atom) -> Any:
        """Return a new variable that equals the term in every solution."""
        value = self._new(*finite_range(atom))
        match atom:
            case f.Abs():
                self.stated.add_abs_equality(value, self._value(f.linear(atom.inner)))
            case f.Element():
                self.stated.add_element(self._simple(f.linear(atom.index)), atom.table, value)
            case f.Ite():
                sides = [self.implying(atom.condition, side) for side in (True, False)]
                for literal, branch in zip(sides, (atom.then, atom.otherwise), strict=True):
                    self._add(self.stated.add(value == self._value(f.linear(branch))), literal)
                self._some(sides, None)
            case f.Product():
                self._multiply(value, atom.left, atom.right)
            case f.Quotient():
                self._divide(atom, value, self._new(*finite_range(f.Remainder(atom.dividend, atom.divisor))))
            case f.Remainder():
                self._divide(atom, self._new(*finite_range(f.Quotient(atom.dividend, atom.divisor))), value)
            case f.Least():
                self.stated.add_min_equality(value, [self._value(f.linear(term)) for term in atom.terms])
            case f.Greatest():
                self.stated.add_max_equality(value, [self._value(f.linear(term)) for term in atom.terms])
            case _:
                raise FormulaError(f"not a term: {atom!r}")
        return value

    def _multiply(self, value: Any, left: f.Term, right: f.Term) -> None:
        self.stated.add_multiplication_equality(value, [self._simple(f.linear(left)), self._simple(f.linear(right))])

    def _divide(self, atom: f.Quotient | f.Remainder, quotient: Any, remainder: Any) -> None:
        """State the constraints that define quotient and remainder, since CP-SAT's division rounds towards zero."""
        dividend, (low, high) = self._value(f.linear(atom.dividend)), finite_range(atom.divisor)
        divisor = self._simple(f.linear(atom.divisor))
        if low == high:
            whole = low * quotient
        else:
            least, most = finite_range(f.Quotient(atom.dividend, atom.divisor))
            corners = [times * by for times in (least, most) for by in (low, high)]
            whole = self._new(min(corners), max(corners))
            self.stated.add_multiplication_equality(whole, [quotient, divisor])
        self.stated.add(dividend == whole + remainder)
        self.stated.add(remainder <= (divisor if low > 0 else -divisor) - 1)

    def _new(self, low: int, high: int, name: str = "") -> Any:
        if max(abs(low), abs(high)) > LARGEST_NUMBER:
            raise NotEncodable(f"{name or 'a term'} ranges over {low}..{high}, more than CP-SAT can count")
        return self.stated.new_int_var(low, high, name)


def _reach(form: f.Linear) -> int:
    """Return a bound on the absolute value of the linear form and of all its partial sums."""
    return abs(form.constant) + sum(abs(factor) * max(map(abs, finite_range(atom))) for atom, factor in form.factors)


SEED = 1
CORE_CONFLICTS = 2_000
"""The most conflicts spent on a smaller core once the question is known to be impossible, some tenths of a second."""


class CpSatEngine:
    """An engine that builds a fresh model for every question. One worker and a fixed seed make it reproducible.

    Verdicts come from a model in which everything is asserted, because only then CP-SAT sees global structure. For
    example, it finds the pigeonhole in bare disequalities. A core is searched afterwards, under assumptions. If that
    takes too long, the core has all ids of the question. The engine and its questions raise `NotEncodable` for formulas
    that CP-SAT cannot express.
    """

    name = "cp-sat"

    def __init__(self, variables: Sequence[Variable], background: Iterable[Formula] = ()) -> None:
        self.variables = tuple(variables)
        self._by_name = {variable.name: variable for variable in self.variables}
        self.background = tuple(background)
        self._model()  # raises `NotEncodable` early

    def check(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None
    ) -> Satisfiable | Core | Unknown:
        deadline = budget.start()
        found = self.decide(soft, budget, fixed=fixed)
        if isinstance(found, Core) or not isinstance(found, Unsatisfiable):
            return found
        return self._core(soft, budget, deadline, fixed or {})

    def decide(
        self, soft: Soft, budget: Budget, *, fixed: Mapping[str, int] | None = None
    ) -> Satisfiable | Unsatisfiable | Unknown:
        fixed = fixed or {}
        impossible = misfit(self._by_name, fixed)
        if impossible is not None:
            return impossible
        deadline = budget.start()
        model = self._model()
        for formula in soft.values():
            formula.check_depth()
            model.require(formula)
        for name, value in fixed.items():
            model.stated.add(model.unknowns[name] == value)
        solver = cp_model.CpSolver()
        possible = _solve(solver, model, budget, deadline)
        if isinstance(possible, Unknown):
            return possible
        if not possible:
            return Unsatisfiable()
        witness = {name: solver.value(unknown) for name, unknown in model.unknowns.items()}
        return confirm(witness, (*self.background, *soft.values()), fixed, self.name)

    def hold(self, soft: Soft) -> None:
        """Do nothing, since every question builds a fresh model."""

    def _model(self) -> CpSatModel:
        """Return a model of the background alone."""
        model = CpSatModel(self.variables)
        for formula in self.background:
            formula.check_depth()
            model.require(formula)
        return model

    def _core(self, soft: Soft, budget: Budget, deadline: Deadline, fixed: Mapping[str, int]) -> Core:
        """Return a core of a question that is known to be impossible."""
        model = self._model()
        assumed: dict[int, Id] = {}
        literals: dict[Formula, Any] = {}
        for id, formula in soft.items():
            if formula not in literals:
                literals[formula] = model.implying(formula)
                assumed[literals[formula].index] = id
        pins = [model.equals(name, value) for name, value in fixed.items()]
        assumed.update((pin.index, fixed_id(name)) for pin, name in zip(pins, fixed, strict=True))
        model.stated.add_assumptions([*literals.values(), *pins])
        conflicts = CORE_CONFLICTS if budget.conflicts is None else min(CORE_CONFLICTS, budget.conflicts)
        solver = cp_model.CpSolver()
        possible = _solve(solver, model, Budget(budget.timeout_s, conflicts), deadline)
        if isinstance(possible, Unknown):
            return Core(tuple(assumed.values()))
        if possible:
            raise EngineFault("cp-sat finds a question impossible, and possible under assumptions")
        needed = set(solver.sufficient_assumptions_for_infeasibility())
        return Core(tuple(id for index, id in assumed.items() if index in needed))


def _solve(solver: Any, model: CpSatModel, budget: Budget, deadline: Deadline) -> bool | Unknown:
    """Return whether the model has a solution, which the solver then holds. `deadline` is the one of `budget`."""
    out_of_time = Unknown(OUT_OF_TIME)
    if deadline.passed:
        return out_of_time
    parameters = solver.parameters
    parameters.num_workers, parameters.random_seed = 1, SEED
    if deadline.remaining_s is not None:
        parameters.max_time_in_seconds = deadline.remaining_s
    if budget.conflicts is not None:
        parameters.max_number_of_conflicts = budget.conflicts
    # CP-SAT's handler of Ctrl-C would end the search silently, and the process at the next Ctrl-C.
    parameters.catch_sigint_signal = False
    with ThreadPoolExecutor(1) as worker:
        solving = worker.submit(timed(lambda: solver.solve(model.stated)))
        try:
            status, took_s = solving.result()
        except KeyboardInterrupt:
            solver.stop_search()
            raise
    spent_elsewhere(took_s)
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return True
    if status == cp_model.INFEASIBLE:
        return False
    if status == cp_model.MODEL_INVALID:
        raise EngineFault(f"cp-sat was given what is no model: {model.stated.validate()}")
    if budget.timeout_s is None or (budget.conflicts is not None and solver.num_conflicts >= budget.conflicts):
        return Unknown(f"the budget of {budget.conflicts} conflicts ran out")
    return out_of_time
