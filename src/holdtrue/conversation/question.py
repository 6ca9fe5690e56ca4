"""This module has the `Question`s that a turn of a `QuerySession` takes, and checks those that it is given."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

from holdtrue.conversation.arguments import check_kind, check_text, described
from holdtrue.errors import InputError
from holdtrue.logic.formula import Formula, Variable, expect_formula
from holdtrue.logic.named import check_about


@dataclass(frozen=True, slots=True)
class Question:
    """A `Question` has a `text`, as it is asked, and is about a `statement`, which is a sentence.

    `formula` says the same as the statement, if somebody knows it. If `statement` is None, it is the text itself.
    """

    id: str
    text: str
    formula: Formula | None = None
    statement: str | None = None

    def __post_init__(self) -> None:
        check_text("id of a query", self.id)
        check_text(f"text of the query {self.id!r:.60}", self.text)
        if self.formula is not None:
            expect_formula(self.formula, f"query {self.id!r}")
        if self.statement is not None:
            check_text(f"statement of the query {self.id!r:.60}", self.statement)

    @property
    def sentence(self) -> str:
        """Return in a sentence what is asked about."""
        return self.statement or self.text


def check_questions(given: object, known: Container[str], variables: Sequence[Variable]) -> tuple[Question, ...]:
    """Return the questions of a turn, whose formulas are over `variables` and whose ids are not `known`.

    Raises `InputError`, and `SettingsError` for what is no `Question`.
    """
    if isinstance(given, Question | str) or not isinstance(given, Iterable):
        raise InputError(f"a turn takes a list of queries, [Question(...)], not {described(given)}")
    questions = tuple(check_kind("each query of a turn", question, Question) for question in given)
    ids = [question.id for question in questions]
    if not ids:
        raise InputError("a turn needs a query")
    double = next((id for id in ids if id in known or ids.count(id) > 1), None)
    if double is not None:
        raise InputError(f"the query {double!r} was asked before; give each its own id")
    for question in questions:
        if question.formula is not None:
            check_about(f"the query {question.id!r:.60}", question.formula, variables)
    return questions
