"""This module reads and writes search problems in the published CEGVR schema, one JSON object on each line.

- `{"kind": "linear_ineq", "terms": [{"coefficient": 2, "variable": "x"}], "relation": ">=", "rhs": 11, "offset": 0.0}`
- `{"kind": "int_domain", "variable": "x", "lower": 2, "upper": 5}` is a narrower range.
- `{"kind": "bool_atom", "variable": "b", "value": true}` fixes a truth value: 1 is true, 0 is false.
- `{"kind": "all_different", "variables": ["x", "y", "z"]}`
- `{"kind": "and", "constraints": [...]}`, and likewise "or".
- `{"kind": "not", "constraint": {...}}`

`offset` is added to the left side, and a missing `coefficient` is 1. Writing turns `int_domain`, `bool_atom` and other
comparisons into `linear_ineq`.

`metadata` has the fields that the schema lacks: `domain`, `difficulty`, `variant`, `base` and `setting`. A constraint
has a `text` if the prompt states the constraint in words, and not in mathematical notation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, get_args

from holdtrue.errors import DomainError, FormulaError, RecordError
from holdtrue.fields import by_id, choice, expect, field, field_or, naming, texts
from holdtrue.kinds.search.problem import Requirement, SearchProblem
from holdtrue.logic import formula as logic
from holdtrue.logic.sorts import IntSort
from holdtrue_lab.kit.json_file import read_lines, write_lines
from holdtrue_lab.suites.cegvr import NAME
from holdtrue_lab.suites.cegvr.prove import DIFFICULTIES, GOLDS, LINEAR, difficulty_of


def notation(formula: logic.Formula) -> str:
    """Return a formula in mathematical notation; a comparison has variables on the left and a number on the right.

    >>> from holdtrue.logic.formula import AllDifferent, Variable
    >>> from holdtrue.logic.sorts import IntSort
    >>> a, b = Variable("a", IntSort(0, 9)), Variable("b", IntSort(0, 9))
    >>> notation(2 * a - b >= 7)
    '2*a - b >= 7'
    >>> notation((a + 3 <= b) | AllDifferent((a, b)))
    'a - b <= -3 or all_different(a, b)'

    Raises `FormulaError` if the formula has other parts than comparisons, all-different, and, or, not.
    """
    match formula:
        case logic.Compare():
            form = logic.linear(formula.left - formula.right)
            left = logic.Sum(tuple((factor, atom) for atom, factor in form.factors))
            return f"{left} {'=' if formula.op == '==' else formula.op} {-form.constant}"
        case logic.Not(operand=logic.Compare(op=op, left=smaller, right=larger)):
            return notation(logic.Compare(logic.NEGATED[op], smaller, larger))
        case logic.AllDifferent():
            return f"all_different({', '.join(map(str, formula.terms))})"
        case logic.Or(operands=(logic.Not(operand=premise), then)):
            return f"if {_part(premise)} then {_part(then)}"
        case logic.And() | logic.Or() if formula.operands:
            return (" and " if isinstance(formula, logic.And) else " or ").join(map(_part, formula.operands))
        case logic.Not():
            return f"not {_part(formula.operand)}"
    raise FormulaError(f"there is no notation for {formula}")


def _part(formula: logic.Formula) -> str:
    """Return the notation of an operand, in parentheses unless the operand is a comparison or all-different."""
    text = notation(formula)
    match formula:
        case logic.Compare() | logic.Not(operand=logic.Compare()) | logic.AllDifferent():
            return text
    return f"({text})"


Relation = Literal["<=", ">=", "="]
RELATIONS: tuple[Relation, ...] = get_args(Relation)
OPERATORS: Mapping[Relation, logic.Comparison] = MappingProxyType({"<=": "<=", ">=": ">=", "=": "=="})


def linear_formula(terms: Iterable[tuple[int, logic.Variable]], relation: Relation, rhs: int) -> logic.Compare:
    """Return the comparison of a sum of `coefficient * variable` with a number; a single variable makes no sum."""
    parts: tuple[tuple[int, logic.Term], ...] = tuple(terms)
    left = parts[0][1] if len(parts) == 1 and parts[0][0] == 1 else logic.Sum(parts)
    return logic.Compare(OPERATORS[relation], left, logic.Constant(rhs))


DEEPEST = 50
"""The deepest nesting of constraints that is accepted."""
Named = Mapping[str, logic.Variable]


def read_formula(value: object, variables: Named, where: str, depth: int = 0) -> logic.Formula:
    """Return the formula of a constraint's JSON; raises `RecordError` with the place of a fault."""
    record = expect(value, dict, where)
    kind = field(record, "kind", str, where)
    if depth > DEEPEST:
        raise RecordError(f"{where}: constraints may be nested {DEEPEST} deep at most")
    match kind:
        case "linear_ineq":
            return _read_linear(record, variables, where)
        case "int_domain":
            one = _variable(record.get("variable"), variables, f"{where}.variable")
            return logic.And((one >= field(record, "lower", int, where), one <= field(record, "upper", int, where)))
        case "bool_atom":
            one = _variable(record.get("variable"), variables, f"{where}.variable")
            return one.eq(int(field(record, "value", bool, where)))
        case "all_different":
            names = field(record, "variables", list, where)
            if len(set(map(str, names))) < max(2, len(names)):
                raise RecordError(f"{where}.variables: two or more variables are needed, each of them once")
            return logic.AllDifferent(
                tuple(_variable(name, variables, f"{where}.variables[{at}]") for at, name in enumerate(names))
            )
        case "and" | "or":
            inner = tuple(
                read_formula(item, variables, f"{where}.constraints[{at}]", depth + 1)
                for at, item in enumerate(field(record, "constraints", list, where))
            )
            if not inner:
                raise RecordError(f"{where}.constraints: there are none")
            return logic.And(inner) if kind == "and" else logic.Or(inner)
        case "not":
            return logic.Not(read_formula(record.get("constraint"), variables, f"{where}.constraint", depth + 1))
    raise RecordError(f"{where}.kind: {kind!r:.60} is no kind of constraint")


def _read_linear(record: Mapping[str, Any], variables: Named, where: str) -> logic.Formula:
    relation = choice(field(record, "relation", str, where), RELATIONS, f"{where}.relation")
    listed = field(record, "terms", list, where)
    if not listed:
        raise RecordError(f"{where}.terms: there are none")
    terms: list[tuple[int, logic.Variable]] = []
    for at, item in enumerate(listed):
        here = f"{where}.terms[{at}]"
        term = expect(item, dict, here)
        coefficient = _whole(term.get("coefficient", 1), f"{here}.coefficient")
        terms.append((coefficient, _variable(term.get("variable"), variables, f"{here}.variable")))
    rhs = _whole(record.get("rhs"), f"{where}.rhs") - _whole(record.get("offset", 0), f"{where}.offset")
    return linear_formula(terms, relation, rhs)


def _variable(name: object, variables: Named, where: str) -> logic.Variable:
    if not isinstance(name, str) or name not in variables:
        raise RecordError(f"{where}: {name!r:.60} is no variable of the problem")
    return variables[name]


def _whole(value: object, where: str) -> int:
    """Return a whole number; JSON may have it as a float, because the published code computes with fractions."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return expect(value, int, where)


def formula_to_json(formula: logic.Formula) -> dict[str, Any]:
    """Return the JSON form of a formula; reading it gives an equivalent formula.

    The schema has comparisons of sums of variables, all-different over variables, and, or, not. Raises `FormulaError`
    for other formulas.
    """
    match formula:
        case logic.Compare(op="!="):
            return formula_to_json(logic.Not(logic.Compare("==", formula.left, formula.right)))
        case logic.Compare():
            return _linear_to_json(formula)
        case logic.AllDifferent():
            return {"kind": "all_different", "variables": _names(formula, formula.terms)}
        case logic.And() | logic.Or() if formula.operands:
            kind = "and" if isinstance(formula, logic.And) else "or"
            return {"kind": kind, "constraints": list(map(formula_to_json, formula.operands))}
        case logic.Not():
            return {"kind": "not", "constraint": formula_to_json(formula.operand)}
    raise FormulaError(f"the schema of problems has no kind of constraint for {formula}")


def _linear_to_json(formula: logic.Compare) -> dict[str, Any]:
    form = logic.linear(formula.left - formula.right)
    # If all variables cancel out, they are kept with factor 0, because a comparison needs a term.
    factors = form.factors or tuple((one, 0) for one in sorted(formula.variables, key=str))
    if not factors:
        raise FormulaError(f"the schema of problems needs a variable in each comparison, not {formula}")
    names = _names(formula, (atom for atom, _ in factors))
    terms = [{"coefficient": factor, "variable": name} for name, (_, factor) in zip(names, factors, strict=True)]
    rhs = -form.constant + {"<": -1, ">": 1}.get(formula.op, 0)  # a smaller integer is smaller by at least one
    relation = {"<": "<=", ">": ">=", "==": "="}.get(formula.op, formula.op)
    return {"kind": "linear_ineq", "relation": relation, "rhs": rhs, "offset": 0.0, "terms": terms}


def _names(formula: logic.Formula, terms: Iterable[object]) -> list[str]:
    names: list[str] = []
    for one in terms:
        if not isinstance(one, logic.Variable):
            raise FormulaError(f"the schema of problems has no {one}, as in {formula}")
        names.append(one.name)
    return names


_OURS = ("domain", "difficulty", "variant", "base", "setting")
_TASKS = {"schedule": "scheduling"}
# A prompt lists names with commas and colons, so a name cannot contain these.
_NAME = re.compile(r"[^\s,:=]+")


def problem_to_json(problem: SearchProblem) -> dict[str, Any]:
    """Return a problem as a JSON object. Raises `FormulaError` for a constraint that the schema cannot express."""
    ours = {"domain": problem.domain, "difficulty": problem.difficulty}
    if problem.variant:
        ours["variant"] = problem.variant
    if problem.base:
        ours["base"] = problem.base
    setting = {"setting": list(problem.setting)} if problem.setting else {}
    return {
        "problem_id": problem.id,
        "task": _TASKS.get(problem.domain, "math"),
        "ground_truth": problem.gold,
        "variables": [
            {"name": one.name, "domain": "int", "bounds": {"lower": one.sort.low, "upper": one.sort.high}}
            for one in problem.variables
        ],
        "constraints": [_constraint_to_json(constraint) for constraint in problem.constraints],
        "metadata": {**ours, **setting, **problem.metadata},
    }


def _constraint_to_json(constraint: Requirement) -> dict[str, Any]:
    wording = {} if constraint.text == notation(constraint.formula) else {"text": constraint.text}
    return {"constraint_id": constraint.id, **formula_to_json(constraint.formula), **wording}


def read_problem(value: object) -> SearchProblem:
    """Return the problem of a JSON object; raises `RecordError` with the faulty field."""
    where = "the problem"
    record = expect(value, dict, where)
    variables = _read_variables(field(record, "variables", list, where))
    constraints = _read_constraints(field(record, "constraints", list, where), variables)
    metadata: Mapping[str, Any] = field_or(record, "metadata", dict, where, {})
    variant, base = (field_or(metadata, name, str, "metadata", "") for name in ("variant", "base"))
    if variant and not base:
        raise RecordError(f"metadata.base: missing, and it is {variant!r:.60} of some other problem")
    for name, value in field_or(metadata, "planted", dict, "metadata", {}).items():
        expect(value, int, f"metadata.planted.{name}")
    difficulty = metadata.get("difficulty")
    if difficulty is None:
        difficulty = difficulty_of(tuple(variables.values()), (one.formula for one in constraints))
    return SearchProblem(
        id=field(record, "problem_id", str, where),
        suite=NAME,
        domain=field_or(metadata, "domain", str, "metadata", LINEAR),
        variables=tuple(variables.values()),
        constraints=constraints,
        gold=choice(record.get("ground_truth"), GOLDS, "ground_truth"),
        difficulty=choice(difficulty, DIFFICULTIES, "metadata.difficulty"),
        setting=texts(metadata, "setting", "metadata") if "setting" in metadata else (),
        variant=variant,
        base=base,
        metadata={name: known for name, known in metadata.items() if name not in _OURS},
    )


def _check_name(name: str, others: Mapping[str, object], where: str) -> None:
    if name in others:
        raise RecordError(f"{where}: {name!r:.60} is there twice")
    if not _NAME.fullmatch(name):
        raise RecordError(f"{where}: {name!r:.60} cannot be told: one word is needed, without comma, colon or =")


def _read_variables(listed: list[object]) -> dict[str, logic.Variable]:
    """Return the variables by name, with their bounds; a boolean becomes an integer that is 0 or 1."""
    variables: dict[str, logic.Variable] = {}
    for at, item in enumerate(listed):
        where = f"variables[{at}]"
        record = expect(item, dict, where)
        name = field(record, "name", str, where)
        _check_name(name, variables, f"{where}.name")
        match record.get("domain", "int"):
            case "bool":
                sort = IntSort(0, 1)
            case "int":
                bounds = field(record, "bounds", dict, where)
                with naming(f"{where}.bounds", DomainError):
                    sort = IntSort(*(field(bounds, end, int, f"{where}.bounds") for end in ("lower", "upper")))
            case other:
                raise RecordError(f"{where}.domain: {other!r:.60} is neither int nor bool")
        variables[name] = logic.Variable(name, sort)
    if not variables:
        raise RecordError("variables: there are none")
    return variables


def _read_constraints(listed: list[object], variables: Mapping[str, logic.Variable]) -> tuple[Requirement, ...]:
    """Return the constraints; a constraint without an id gets its number as id: c1, c2, ..."""
    constraints: dict[str, Requirement] = {}
    for at, item in enumerate(listed):
        where = f"constraints[{at}]"
        formula = read_formula(item, variables, where)
        record = expect(item, dict, where)
        id = field_or(record, "constraint_id", str, where, f"c{at + 1}")
        _check_name(id, constraints, f"{where}.constraint_id")
        text = field_or(record, "text", str, where, notation(formula))
        if not text.strip():
            raise RecordError(f"{where}.text: it is blank, and the constraint has to be told")
        constraints[id] = Requirement(id, text, formula)
    if not constraints:
        raise RecordError("constraints: there are none, so that any values within the bounds would do")
    return tuple(constraints.values())


PROBLEMS = "problems.jsonl"


def variants_file(family: str) -> str:
    """Return the name of the file with the problems that were rewritten in this way."""
    return f"problems_{family}.jsonl"


def write_search_problems(problems: Iterable[SearchProblem], path: Path) -> None:
    """Write a file of problems; the same problems give the same bytes.

    Raises `RecordError` if the file cannot be written, and `FormulaError` for constraints that the schema cannot
    express.
    """
    write_lines(path, map(problem_to_json, problems))


def load_search_problems(source: Path, *, variants: bool = False) -> list[SearchProblem]:
    """Return the problems in a file, or in a folder's `problems.jsonl`.

    If `variants` is true, also return those in the folder's other files. Raises `RecordError` for malformed data, with
    file and line. Raises it also for a repeated id, and if there is no problem.
    """
    paths = search_files(source, variants=variants) if source.is_dir() else [source]
    found = (each for path in paths for each in _load_file(path))
    nothing = f"{source}: no problems here (file {PROBLEMS}); make them by generate cegvr"
    return list(by_id(found, nothing).values())


def search_files(folder: Path, *, variants: bool = False) -> list[Path]:
    """Return the problem files in a folder, beginning with the file of the originals."""
    originals = [folder / PROBLEMS] if (folder / PROBLEMS).exists() else []
    return [*originals, *(sorted(folder.glob(variants_file("*"))) if variants else ())]


def _load_file(path: Path) -> Iterator[tuple[str, SearchProblem]]:
    for where, value in read_lines(path):
        try:
            yield where, read_problem(value)
        except (RecordError, FormulaError) as error:
            raise RecordError(f"{where}: {error}") from error
        except (ValueError, RecursionError) as error:
            raise RecordError(f"{where}: no JSON: {error}") from error
