"""Write rules in Python: names and operators build the same expressions as CEL's text, without evaluating them.

>>> call, facts = root("call"), root("facts")
>>> account = facts.account(call.user)
>>> str((call.amount <= account.limit) & call.lines.all("line", lambda line: line.price > 0))
'call.amount <= facts.account(call.user).limit && call.lines.all(line, line.price > 0)'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any, NoReturn

from holdtrue.rules import syntax as s
from holdtrue.rules.cel import write_cel
from holdtrue.rules.syntax import RuleError

MACROS = ("all", "exists", "exists_one", "filter", "map")


def _operator(sign: str, *, turned: bool = False) -> Callable[[Any, Any], Written]:
    def operate(self: Written, other: Any) -> Written:
        sides = (self.expression, expression(other))
        return Written(s.Invoke(sign, sides[::-1] if turned else sides))

    return operate


class Written:
    """A `Written` is an expression such as `call.total <= 500`. The operators `&`, `|` and `~` join conditions.

    Attributes are fields, and calls are functions, as in CEL. A field whose name Python uses is `expression["name"]`.
    """

    __slots__ = ("expression",)
    expression: s.Expression

    def __init__(self, expression: s.Expression) -> None:
        object.__setattr__(self, "expression", expression)

    def __getattr__(self, name: str) -> Written:
        if name.startswith(("__", "_repr_", "_ipython_")):
            raise AttributeError(name)  # Python and notebooks look these up; write ["_repr_x"] for such a field.
        return Written(s.Select(self.expression, name))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise RuleError(f"an expression cannot be changed: .{name} = ... ")

    def __getitem__(self, key: Any) -> Written:
        return Written(s.Index(self.expression, expression(key)))

    def __iter__(self) -> NoReturn:
        raise RuleError("an expression has no items to go through: write .all('x', lambda x: ...) or .map(...)")

    def __len__(self) -> NoReturn:
        raise RuleError("len() is not asked of an expression: write .size(), or function('size', ...)")

    def __abs__(self) -> NoReturn:
        raise RuleError("abs() is not asked of an expression: write root('math').abs(...)")

    def __call__(self, *args: Any) -> Written:
        """Return a call of a function or a macro.

        A macro takes the names of its variables, and a Python function of them that returns the body.
        """
        own = self.expression
        if not isinstance(own, s.Select):
            raise RuleError(f"{self} is no function")
        if own.name in MACROS and args and callable(args[-1]) and not isinstance(args[-1], Written):
            return Written(s.Invoke(own.name, _macro(args), own.of))
        return Written(s.Invoke(own.name, tuple(map(expression, args)), own.of))

    def __bool__(self) -> NoReturn:
        raise RuleError("a rule is not true or false while it is written: join conditions by & and |, deny one by ~")

    __lt__, __le__, __gt__, __ge__ = _operator("<"), _operator("<="), _operator(">"), _operator(">=")
    __eq__, __ne__ = _operator("=="), _operator("!=")  # type: ignore[assignment]
    __add__, __sub__, __mul__ = _operator("+"), _operator("-"), _operator("*")
    __truediv__, __mod__ = _operator("/"), _operator("%")
    __radd__, __rsub__, __rmul__ = (
        _operator("+", turned=True),
        _operator("-", turned=True),
        _operator("*", turned=True),
    )
    __rtruediv__, __rmod__ = _operator("/", turned=True), _operator("%", turned=True)
    __and__, __or__ = _operator("&&"), _operator("||")
    __rand__, __ror__ = _operator("&&", turned=True), _operator("||", turned=True)
    __hash__ = None  # type: ignore[assignment]  # equality is an expression

    def __invert__(self) -> Written:
        return Written(s.Invoke("!", (self.expression,)))

    def __neg__(self) -> Written:
        return Written(s.Invoke("-", (self.expression,)))

    def is_in(self, items: Any) -> Written:
        """Return the condition that this value is in a list, or is a key of a map."""
        return Written(s.Invoke("in", (self.expression, expression(items))))

    def __str__(self) -> str:
        return write_cel(self.expression)

    def __repr__(self) -> str:
        return f"Written({str(self)!r})"


def root(name: str) -> Written:
    """Return the expression of a root: `call`, `facts`, `said`, `now`, `done` or `tables`."""
    return Written(s.Ident(name))


def function(name: str, *args: Any) -> Written:
    """Return a call of a function: `function("size", call.lines)`."""
    return Written(s.Invoke(name, tuple(map(expression, args))))


def has(field: Written) -> Written:
    """Return the condition that an optional field exists."""
    match field.expression:
        case s.Index(of, s.Constant(str(name))):
            return function("has", Written(s.Select(of, name)))
    return function("has", field)


def choose(condition: Written, then: Any, otherwise: Any) -> Written:
    """Return CEL's conditional expression `condition ? then : otherwise`."""
    return Written(s.Invoke("?:", (condition.expression, expression(then), expression(otherwise))))


def expression(value: Any) -> s.Expression:
    """Return the expression of a Python value. Raises `RuleError` for a value that rules do not have."""
    match value:
        case Written():
            return value.expression
        case None | bool() | int() | str() | Fraction():
            return s.Constant(value)
        case float() | Decimal():
            written = Decimal(repr(value)) if isinstance(value, float) else value
            if not written.is_finite():
                raise RuleError(f"{value!r} is no number that a rule can say")
            return s.Constant(Fraction(written))
        case date() | time() | timedelta():
            return _moment(value)
        case list() | tuple():
            return s.Items(tuple(map(expression, value)))
        case Mapping():
            return s.Entries(tuple((expression(key), expression(own)) for key, own in value.items()))
    raise RuleError(f"no rule can say {value!r:.80}")


def _moment(value: date | time | timedelta) -> s.Expression:
    """Return a date, time, moment or duration as a call of CEL's function that reads it from a text."""
    match value:
        case datetime():
            return s.Invoke("timestamp", (s.Constant(value.isoformat()),))
        case date():
            return s.Invoke("date", (s.Constant(value.isoformat()),))
        case time():
            if value.tzinfo is not None:
                raise RuleError(f"a time of day has no zone in rules: {value}")
            return s.Invoke("time", (s.Constant(value.isoformat()),))
    micro = value // timedelta(microseconds=1)
    return s.Invoke("duration", (s.Constant(f"{micro // 10**6}s" if micro % 10**6 == 0 else f"{micro}us"),))


def _macro(args: tuple[Any, ...]) -> tuple[s.Expression, ...]:
    """Return the operands of a macro: its variables, and the body that the function returns for them."""
    names = args[:-1]
    if not names or not all(isinstance(own, str) for own in names):
        raise RuleError("a macro takes the names of its variables and a function: .all('x', lambda x: x.price > 0)")
    variables = [s.Ident(own) for own in names]
    return (*variables, expression(args[-1](*map(Written, variables))))
