"""The meaning of calls over enumerations, as formulas: every quantifier, count and function ranges over listed members.

Members are numbers by the order in which they are listed first, so that one name in two lists is one thing. Where a
function has whole numbers as values, their range has to be stated; nobody's guess decides in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from bench.programs.arithmetic import Fault
from bench.programs.call_grammar import Binder, Call
from holdtrue.logic import formula as f
from holdtrue.logic.sorts import IntSort

LARGEST = 200_000
"""Parts of all formulas of a program; real ones have some thousands."""


@dataclass(frozen=True, slots=True)
class Members:
    """`Members` are the values of a sort: numbers that are meant as such, or that stand for names."""

    values: tuple[int, ...]
    named: bool


@dataclass(frozen=True, slots=True)
class Declared:
    """A `Declared` function has the sorts of its arguments, None for whole numbers, and of its values.

    `result` is None where it is true or false.
    """

    name: str
    arguments: tuple[Members | None, ...]
    result: Members | None


@dataclass(frozen=True, slots=True)
class Value:
    """A `Value` is a number, or with `named` the number of a name; `counted` are formulas of which it is the count."""

    term: f.Term
    named: bool = False
    counted: tuple[f.Formula, ...] | None = None


Found = f.Formula | Value
Choice = Mapping[str, Value]


class Meaning:
    """`Meaning` gives calls their formulas, over declared names. `laws` are what the values of functions may be."""

    def __init__(self, sorts: Mapping[str, Members], names: Mapping[str, int]) -> None:
        self.sorts = sorts
        self.names = names
        self.functions: dict[str, Declared] = {}
        self.unranged: set[str] = set()
        """Functions of whole numbers whose range nobody stated."""
        self.variables: dict[str, f.Variable] = {}
        self.laws: list[f.Formula] = []
        self._parts = 0
        self._labels = {number: name for name, number in names.items()}

    def formula(self, call: Call) -> f.Formula:
        """The formula of a call without free variables. Raises `Fault`."""
        return self._truth(call, {})

    def _truth(self, call: Call, choice: Choice) -> f.Formula:
        found = self._found(call, choice)
        if isinstance(found, Value):
            raise Fault("sort_clash", f"{call.name} is neither true nor false", call.at)
        return found

    def _value(self, call: Call, choice: Choice) -> Value:
        found = self._found(call, choice)
        if isinstance(found, Value):
            return found
        raise Fault("sort_clash", f"{call.name} is true or false, and stands where a value has to", call.at)

    def _number(self, call: Call, choice: Choice) -> f.Term:
        value = self._value(call, choice)
        if value.named:
            raise Fault("sort_clash", f"{call.name} is no number", call.at)
        return value.term

    def _found(self, call: Call, choice: Choice) -> Found:
        self._parts += 1
        if self._parts > LARGEST:
            raise Fault("unsupported", f"the program has over {LARGEST} parts", call.at)
        if call.binders and call.name not in _BINDING:
            raise Fault("unsupported", f"{call.name} takes no variables", call.at)
        if call.name in _MADE and (call.called or call.parts):
            return _MADE[call.name](self, call, choice)
        if call.name in self.functions:
            return self._applied(self.functions[call.name], call, choice)
        if call.called:
            raise Fault("undeclared", f"{call.name} is no declared function", call.at)
        if call.name.isdecimal():
            return Value(f.Constant(int(call.name)))
        if call.name in choice:
            return choice[call.name]
        if call.name in self.names:
            return Value(f.Constant(self.names[call.name]), named=True)
        if call.name in ("True", "False"):
            return f.Truth(call.name == "True")
        raise Fault("undeclared", f"{call.name} is no declared name", call.at)

    # --- what calls are made of -------------------------------------------------------------------------------------

    def choices(self, binders: Sequence[Binder], choice: Choice) -> Iterator[Choice]:
        """All that the variables can stand for, beside what is chosen already. Raises `Fault`."""
        ranges: list[list[Value]] = []
        for binder in binders:
            members: dict[int, bool] = {}
            for sort in binder.sorts:
                if sort not in self.sorts:
                    raise Fault("undeclared", f"{sort} is no declared sort", binder.at)
                members |= dict.fromkeys(self.sorts[sort].values, self.sorts[sort].named)
            ranges.append([Value(f.Constant(value), named) for value, named in members.items()])
        names = [binder.name for binder in binders]
        for values in product(*ranges):
            yield {**choice, **dict(zip(names, values, strict=True))}

    def _applied(self, function: Declared, call: Call, choice: Choice) -> Found:
        if len(call.parts) != len(function.arguments):
            message = f"{call.name} takes {len(function.arguments)} arguments, not {len(call.parts)}"
            raise Fault("arity_clash", message, call.at)
        if call.name in self.unranged:
            raise Fault("unsupported", f"nobody says how large or small {call.name} can be", call.at)
        options = [
            list(self._options(part, self._value(part, choice), sort))
            for part, sort in zip(call.parts, function.arguments, strict=True)
        ]
        found: f.Term | None = None
        for chosen in product(*options):
            own = self._fact(function, tuple(value for value, _ in chosen))
            when = [condition for _, condition in chosen if condition is not None]
            found = own if found is None or not when else f.ite(f.And(tuple(when)), own, found)
        assert found is not None
        if function.result is None:
            return f.Compare("==", found, f.Constant(1))
        return Value(found, function.result.named)

    def _options(self, part: Call, value: Value, sort: Members | None) -> Iterator[tuple[int, f.Formula | None]]:
        """Each value that an argument can have, and when it has it; None where it is the only one."""
        if sort is not None and value.named != sort.named:
            raise Fault("sort_clash", f"{part.name} is of another sort than the argument", part.at)
        if isinstance(value.term, f.Constant):
            if sort is not None and value.term.value not in sort.values:
                raise Fault("sort_clash", f"{part.name} has a value that the argument cannot have", part.at)
            if sort is None and value.named:
                raise Fault("sort_clash", f"{part.name} is no number", part.at)
            yield value.term.value, None
            return
        low, high = f.term_range(value.term)
        if sort is None or any(number not in sort.values for number in range(low, high + 1)):
            raise Fault("sort_clash", f"{part.name} may have a value that the argument cannot have", part.at)
        for number in range(low, high + 1):
            yield number, f.Compare("==", value.term, f.Constant(number))

    def _fact(self, function: Declared, values: tuple[int, ...]) -> f.Variable:
        labels = [
            self._labels[value] if sort is not None and sort.named else str(value)
            for value, sort in zip(values, function.arguments, strict=True)
        ]
        name = f"{function.name}({', '.join(labels)})"
        if name not in self.variables:
            allowed = (0, 1) if function.result is None else function.result.values
            self.variables[name] = variable = f.Variable(name, IntSort(min(allowed), max(allowed)))
            if len(set(allowed)) < variable.sort.size:
                self.laws.append(f.Or(tuple(variable.eq(value) for value in sorted(set(allowed)))))
        return self.variables[name]

    # --- calls with a meaning of their own --------------------------------------------------------------------------

    def _quantified(self, call: Call, choice: Choice) -> f.Formula:
        body = _only(call)
        parts = tuple(self._truth(body, inner) for inner in self.choices(_bound(call), choice))
        return f.And(parts) if call.name == "ForAll" else f.Or(parts)

    def _count(self, call: Call, choice: Choice) -> Value:
        body = _only(call)
        counted = tuple(self._truth(body, inner) for inner in self.choices(_bound(call), choice))
        return Value(f.Sum(tuple((1, f.ite(one, 1, 0)) for one in counted)), counted=counted)

    def _total(self, call: Call, choice: Choice) -> Value:
        body = _only(call)
        return Value(f.Sum(tuple((1, self._number(body, inner)) for inner in self.choices(_bound(call), choice))))

    def _distinct(self, call: Call, choice: Choice) -> f.Formula:
        if call.binders:
            body = _only(call)
            values = [self._value(body, inner) for inner in self.choices(call.binders, choice)]
        else:
            values = [self._value(part, choice) for part in call.parts]
        if len({value.named for value in values}) != 1:
            raise Fault("sort_clash", "names and numbers are not compared", call.at)
        return f.AllDifferent(tuple(value.term for value in values))

    def _connected(self, call: Call, choice: Choice) -> f.Formula:
        parts = tuple(self._truth(part, choice) for part in call.parts)
        return f.And(parts) if call.name == "And" else f.Or(parts)

    def _negated(self, call: Call, choice: Choice) -> f.Formula:
        return f.Not(self._truth(_only(call), choice))

    def _paired(self, call: Call, choice: Choice) -> f.Formula:
        left, right = (self._truth(part, choice) for part in _two(call))
        if call.name == "Implies":
            return left.implies(right)
        return f.Iff(left, right) if call.name == "Iff" else f.Xor(left, right)

    def _chosen(self, call: Call, choice: Choice) -> Found:
        if len(call.parts) != 3:
            raise Fault("arity_clash", f"{call.name} takes 3 arguments, not {len(call.parts)}", call.at)
        condition = self._truth(call.parts[0], choice)
        then, otherwise = (self._found(part, choice) for part in call.parts[1:])
        if isinstance(then, Value) and isinstance(otherwise, Value) and then.named == otherwise.named:
            return Value(f.ite(condition, then.term, otherwise.term), then.named)
        if isinstance(then, Value) or isinstance(otherwise, Value):
            raise Fault("sort_clash", "both cases have to be of one sort", call.at)
        return f.IfThenElse(condition, then, otherwise)

    def _arithmetic(self, call: Call, choice: Choice) -> Value:
        left, right = (self._number(part, choice) for part in _two(call))
        if call.name in ("+", "-"):
            return Value(f.Sum(((1, left), (1 if call.name == "+" else -1, right))))
        if not isinstance(right, f.Constant):
            left, right = right, left
        if call.name == "*" and isinstance(right, f.Constant):
            return Value(f.Sum(((right.value, left),)))
        raise Fault("unsupported", f"{call.name} is not read here", call.at)

    def _absolute(self, call: Call, choice: Choice) -> Value:
        return Value(f.Abs(self._number(_only(call), choice)))

    def _compared(self, call: Call, choice: Choice) -> f.Formula:
        left, right = (self._found(part, choice) for part in _two(call))
        if isinstance(left, Value) and isinstance(right, Value):
            if left.named != right.named:
                raise Fault("sort_clash", "a name is compared with a number", call.at)
            if left.named and call.name not in ("==", "!="):
                raise Fault("sort_clash", "names have no order", call.at)
            op = _OPS[call.name]
            if left.counted is not None and isinstance(right.term, f.Constant):
                return f.Count(op, right.term.value, left.counted)
            return f.Compare(op, left.term, right.term)
        if isinstance(left, Value) or isinstance(right, Value) or call.name not in ("==", "!="):
            raise Fault("sort_clash", "what is true or false is compared with a value", call.at)
        return f.Iff(left, right) if call.name == "==" else f.Xor(left, right)


_OPS: Mapping[str, f.Comparison] = {"==": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_BINDING = ("ForAll", "Exists", "Count", "Sum", "Distinct")
_MADE: Mapping[str, Callable[[Meaning, Call, Choice], Found]] = {
    "ForAll": Meaning._quantified,
    "Exists": Meaning._quantified,
    "Count": Meaning._count,
    "Sum": Meaning._total,
    "Distinct": Meaning._distinct,
    "And": Meaning._connected,
    "Or": Meaning._connected,
    "Not": Meaning._negated,
    "Implies": Meaning._paired,
    "Iff": Meaning._paired,
    "Xor": Meaning._paired,
    "If": Meaning._chosen,
    "Abs": Meaning._absolute,
    "abs": Meaning._absolute,
    **dict.fromkeys("+-*%", Meaning._arithmetic),
    **dict.fromkeys(_OPS, Meaning._compared),
}


def _only(call: Call) -> Call:
    if len(call.parts) != 1:
        raise Fault("arity_clash", f"{call.name} takes 1 argument here, not {len(call.parts)}", call.at)
    return call.parts[0]


def _two(call: Call) -> tuple[Call, Call]:
    if len(call.parts) != 2:
        raise Fault("arity_clash", f"{call.name} takes 2 arguments, not {len(call.parts)}", call.at)
    return call.parts[0], call.parts[1]


def _bound(call: Call) -> tuple[Binder, ...]:
    if not call.binders:
        raise Fault("unparsed", f"{call.name} needs variables with their sorts", call.at)
    return call.binders
