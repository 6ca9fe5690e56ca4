"""Turn S-expressions into typed terms; an unknown symbol, or an operand of a wrong sort, raises an error."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

from holdtrue.errors import FormulaError, SmtLibError
from holdtrue.logic.smtlib import typed_terms as smt
from holdtrue.logic.smtlib.sexpr import Group, SExpr, Source, Token, excerpt
from holdtrue.logic.smtlib.symbols import OPERATORS, TAKEN
from holdtrue.logic.smtlib.typed_terms import SortFault, apply_operator, fit

Locals = Mapping[str, smt.Local]
_NEGATIVE = "0123456789."


class TermReader:
    """A `TermReader` reads terms over the sorts and functions of `find_sort` and `find_function`.

    The two return None for an unknown name. `find_function` may raise a `FormulaError` with a reason, which becomes an
    `SmtLibError` with the place.
    """

    def __init__(
        self,
        source: Source,
        find_sort: Callable[[str], smt.SmtSort | None],
        find_function: Callable[[str], smt.Function | None],
    ) -> None:
        self._source = source
        self._find_sort = find_sort
        self._find_function = find_function

    def term(self, expr: SExpr, wanted: smt.SmtSort, locals: Locals | None = None) -> smt.SmtTerm:
        """Return the term of an expression of the sort `wanted`. Raises `SmtLibError` for another sort.

        `locals` are the bound variables that the expression may use.
        """
        term = self._term(expr, locals or {})
        fitted = fit(term, wanted)
        if fitted is None:
            raise self._fault(expr, f"a term of sort {excerpt(wanted.name)} is needed, not {excerpt(term.sort.name)}")
        return fitted

    def sort(self, expr: SExpr) -> smt.SmtSort:
        """Return the sort that an expression names. Raises `SmtLibError`."""
        if isinstance(expr, Group):
            raise self._fault(expr, "a sort is a single symbol: Bool, Int, Real or a declared one")
        found = self._find_sort(expr.text) if expr.kind == "symbol" else None
        if found is None:
            raise self._fault(expr, f"unknown sort {excerpt(expr.text)}")
        return found

    def symbol(self, expr: SExpr, what: str) -> str:
        """Return a symbol that becomes a new name. Raises `SmtLibError` if SMT-LIB gives it a meaning already.

        `what` describes the named thing in the message: "a variable".
        """
        if isinstance(expr, Group) or expr.kind != "symbol":
            raise self._fault(expr, f"{what} must be a symbol")
        if expr.text in TAKEN:
            raise self._fault(expr, f"{expr.text} has a meaning in SMT-LIB and cannot be {what}")
        return expr.text

    def sorted_variables(self, expr: SExpr) -> tuple[smt.Local, ...]:
        """Read a list of variables with their sorts, such as `((x Int) (y Person))`. Raises `SmtLibError`."""
        found: dict[str, smt.Local] = {}
        for item in self._group(expr, "a list of variables and sorts, as in ((x Int)), is needed").items:
            pair = self._group(item, "a variable and its sort, as in (x Int), are needed").items
            if len(pair) != 2:
                raise self._fault(item, "a variable and its sort, as in (x Int), are needed")
            name = self.symbol(pair[0], "a variable")
            if name in found:
                raise self._fault(item, f"the variable {excerpt(name)} is named twice")
            found[name] = smt.Local(name, self.sort(pair[1]))
        return tuple(found.values())

    # `_term` and `_compound` call each other and take two frames for each level, since Python limits the frames.
    def _term(self, expr: SExpr, locals: Locals) -> smt.SmtTerm:
        if isinstance(expr, Group):
            return self._compound(expr, locals)
        match expr.kind:
            case "numeral":
                return smt.Literal(int(expr.text), smt.INT)
            case "decimal":
                return smt.Literal(Fraction(expr.text), smt.REAL)
            case "symbol":
                return self._constant(expr, locals)
            case "string":
                raise self._fault(expr, "strings are not supported")
        raise self._fault(expr, f"a term is needed, not {excerpt(expr.text)}")

    def _constant(self, token: Token, locals: Locals) -> smt.SmtTerm:
        name = token.text
        if name in locals:
            return locals[name]
        if name in ("true", "false"):
            return smt.Literal(name == "true", smt.BOOL)
        if name in TAKEN:
            raise self._fault(token, f"{name} is no term by itself")
        function = self._known(token)
        if function is None:
            if name[:1] == "-" and name[1:2] in _NEGATIVE and len(name) > 1:
                raise self._fault(token, f"unknown symbol {excerpt(name)}; a negative number is written (- 3)")
            raise self._fault(token, f"unknown symbol {excerpt(name)}")
        if function.arguments:
            raise self._fault(token, f"{excerpt(name)} takes {len(function.arguments)} operand(s), got 0")
        return smt.Call(function)

    def _compound(self, group: Group, locals: Locals) -> smt.SmtTerm:
        if not group.items:
            raise self._fault(group, "an empty list is no term")
        head = group.items[0]
        if isinstance(head, Group) or head.kind != "symbol":
            raise self._fault(head, self._odd_head(head))
        match head.text:
            case "let":
                bindings = []
                inner = dict(locals)
                for name, item in self._let_bindings(group):
                    bound = self._term(item, locals)
                    inner[name] = smt.Local(name, bound.sort)
                    bindings.append((inner[name], bound))
                return smt.Let(tuple(bindings), self._term(group.items[2], inner))
            case "forall" | "exists":
                variables = self._quantified(group)
                body = self._term(group.items[2], {**locals, **{own.name: own for own in variables}})
                if body.sort != smt.BOOL:
                    raise self._fault(group.items[2], f"{head.text} is about a formula, not {excerpt(body.sort.name)}")
                return smt.Quantified(head.text == "forall", variables, body)
        operands: list[smt.SmtTerm] = []
        function = self._applied(head, locals)
        for item in group.items[1:]:
            operands.append(self._term(item, locals))  # noqa: PERF401 - a comprehension is one more frame a level
        return self._apply(group, function, operands)

    def _applied(self, head: Token, locals: Locals) -> smt.Function | str:
        """Return the operator or function of a list. Raises `SmtLibError` before the operands are read."""
        name = head.text
        if name in locals:
            raise self._fault(head, f"{excerpt(name)} is a variable here and takes no operands")
        if name in OPERATORS:
            return name
        if name == "!":
            raise self._fault(head, "annotations (! ...) are not let in; labels such as :named are given by holdtrue")
        if name in TAKEN:
            raise self._fault(head, f"the function {excerpt(name)} is not supported")
        function = self._known(head)
        if function is None:
            raise self._fault(head, f"the function {excerpt(name)} is unknown")
        if not function.arguments:
            raise self._fault(head, f"{excerpt(name)} is a constant: it stands without parentheses")
        return function

    def _known(self, token: Token) -> smt.Function | None:
        try:
            return self._find_function(token.text)
        except FormulaError as error:
            raise self._fault(token, str(error)) from None

    def _apply(self, group: Group, function: smt.Function | str, operands: list[smt.SmtTerm]) -> smt.SmtTerm:
        if isinstance(function, str):
            try:
                return apply_operator(function, operands)
            except SortFault as fault:
                place = group if fault.operand is None else group.items[fault.operand + 1]
                raise self._fault(place, str(fault)) from None
        name, wanted = excerpt(function.name), function.arguments
        if len(operands) != len(wanted):
            raise self._fault(group, f"{name} takes {len(wanted)} operand(s), got {len(operands)}")
        fitted = []
        for index, (operand, sort) in enumerate(zip(operands, wanted, strict=True)):
            own = fit(operand, sort)
            if own is None:
                sorts = f"{excerpt(sort.name)}, not {excerpt(operand.sort.name)}"
                raise self._fault(group.items[index + 1], f"operand {index + 1} of {name} is of sort {sorts}")
            fitted.append(own)
        return smt.Call(function, tuple(fitted))

    def _let_bindings(self, group: Group) -> list[tuple[str, SExpr]]:
        found: dict[str, SExpr] = {}
        if len(group.items) != 3:
            raise self._fault(group, "let takes bindings and a term, as in (let ((x (+ a 1))) (< x b))")
        for item in self._group(group.items[1], "the bindings of let are a list, as in ((x (+ a 1)))").items:
            pair = self._group(item, "a binding of let is a name and a term, as in (x (+ a 1))").items
            if len(pair) != 2:
                raise self._fault(item, "a binding of let is a name and a term, as in (x (+ a 1))")
            name = self.symbol(pair[0], "a variable")
            if name in found:
                raise self._fault(item, f"the variable {excerpt(name)} is named twice")
            found[name] = pair[1]
        if not found:
            raise self._fault(group.items[1], "let without a binding")
        return list(found.items())

    def _quantified(self, group: Group) -> tuple[smt.Local, ...]:
        if len(group.items) != 3:
            raise self._fault(group, "a quantifier takes variables and a formula, as in (forall ((x Int)) (< x a))")
        variables = self.sorted_variables(group.items[1])
        if not variables:
            raise self._fault(group.items[1], "a quantifier without a variable")
        return variables

    def _group(self, expr: SExpr, message: str) -> Group:
        if not isinstance(expr, Group):
            raise self._fault(expr, message)
        return expr

    def _odd_head(self, head: SExpr) -> str:
        if isinstance(head, Group) and head.items and not isinstance(head.items[0], Group):
            if head.items[0].text in ("_", "as"):
                return f"({head.items[0].text} ...) is not supported"
            return "a list begins with the name of a function, not with a list: is there a parenthesis too many?"
        return "a list begins with the name of a function"

    def _fault(self, expr: SExpr, message: str) -> SmtLibError:
        return self._source.fault(expr.at, message)
