"""Ask a model to write a sentence as one formula in a pinned vocabulary, and read its reply.

In SMT-LIB the declarations are the vocabulary's, so all that a text may hold is `(assert ...)`: any other command is an
alert. The text is read by our own reader and becomes a value; nothing of it is ever given to a solver as text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from holdtrue.errors import FormulaError, SmtLibError
from holdtrue.kinds.claims.prompts.formula_pattern import offer_pattern
from holdtrue.kinds.claims.prompts.formula_prompt import Refused, formula_messages
from holdtrue.kinds.claims.prompts.offered import Offer, offer, value_doubts
from holdtrue.kinds.claims.settings import Notation
from holdtrue.language.asking import Asking
from holdtrue.language.replies import reply_object
from holdtrue.logic.fol import syntax as fol
from holdtrue.logic.fol.alert import Alert, AlertKind
from holdtrue.logic.fol.meaning import settled
from holdtrue.logic.fol.notation import Read, read_fol
from holdtrue.logic.fol.syntax import DEEPEST, Sentence
from holdtrue.logic.fol.vocabulary import Vocabulary
from holdtrue.logic.fol.vocabulary_check import check
from holdtrue.logic.smtlib.sentence_translation import SentenceTranslation
from holdtrue.logic.smtlib.sexpr import Group, ReadLimits, SExpr, Source, excerpt, read_sexprs
from holdtrue.logic.smtlib.symbols import symbol_of
from holdtrue.logic.smtlib.term_reader import TermReader
from holdtrue.logic.smtlib.typed_terms import BOOL, INT, Function, SmtSort
from holdtrue.world.jsonscan import strip_thinking
from holdtrue.world.schema import object_schema

MEANINGLESS: frozenset[AlertKind] = frozenset(
    {"undeclared", "arity_clash", "sort_clash", "free_variable", "function", "unsupported", "unparsed"}
)
"""What a formula may not have; a repaired bracket is only told."""
_TOKENS = 200


@dataclass(frozen=True, slots=True)
class Formalization:
    """The text that a model wrote, the first-order sentence in it (None if it cannot be read), and its faults."""

    text: str
    sentence: Sentence | None
    alerts: tuple[Alert, ...] = ()

    @property
    def sound(self) -> bool:
        """Return whether there is a sentence with a meaning in the vocabulary; it need not be the right one."""
        return self.sentence is not None and not any(alert.kind in MEANINGLESS for alert in self.alerts)


async def formalize(
    asking: Asking,
    vocabulary: Vocabulary,
    sentence: str,
    *,
    notation: Notation = "fol",
    temperature: float = 0.0,
    sample: int = 0,
    purpose: str = "formalize",
    refused: Refused | None = None,
) -> Formalization:
    """Ask a model for the formula of a sentence; a faulty one is returned with alerts.

    `refused` is an earlier formula with the reason, which the prompt shows. Raises `ModelError`.
    """
    offered = offer(vocabulary, sentence)
    messages = formula_messages(vocabulary, sentence, notation, refused, offered.values)
    reply = await asking.ask(
        purpose,
        messages,
        formula_schema(offered, notation),
        temperature=temperature,
        sample=sample,
        max_tokens=_TOKENS,
        frame=len(messages) - 1,
    )
    found = read_formalization(reply_formula(reply), vocabulary, notation)
    return replace(found, alerts=(*found.alerts, *value_doubts(sentence)))


def formula_schema(offered: Offer, notation: Notation = "fol") -> Mapping[str, Any]:
    """The schema of a reply: an object whose `formula` is one that is offered, or begins and ends as an assertion."""
    pattern = offer_pattern(offered) if notation == "fol" else r"^\(assert .*\)$"
    return object_schema({"formula": {"type": "string", "pattern": pattern}})


def reply_formula(reply: str) -> str:
    """Return the formula in a reply, or the whole reply if it has none, so that an alert can quote it."""
    formula = reply_object(reply, "formula").get("formula")
    return formula.strip() if isinstance(formula, str) else strip_thinking(reply).strip()


def read_formalization(text: str, vocabulary: Vocabulary, notation: Notation = "fol") -> Formalization:
    """Read a formula and check it against the vocabulary. Never raises."""
    read = read_fol(text) if notation == "fol" else read_smtlib(text, vocabulary)
    if read.sentence is None:
        return Formalization(text, None, read.alerts)
    sentence = settled(read.sentence, vocabulary)
    # Reading tells of free variables and functions already.
    known_kinds = {alert.kind for alert in read.alerts}
    faults = check(vocabulary, sentence, text if notation == "fol" else "")
    return Formalization(text, sentence, (*read.alerts, *(alert for alert in faults if alert.kind not in known_kinds)))


THING = SmtSort("Thing")
"""The one sort of things here: what sorts the vocabulary has is checked on the sentence."""
LIMITS = ReadLimits(max_bytes=20_000, max_depth=DEEPEST, max_nodes=1_000, max_commands=20, max_digits=9)


def read_smtlib(text: str, vocabulary: Vocabulary) -> Read:
    """The sentence that the assertions of a text make together. Never raises.

    Alerts have the offset of what is at fault: `undeclared` for an unknown name, `unsupported` for what is SMT-LIB and
    cannot be said here (other commands, quantifiers over numbers, unknown divisors), `unparsed` for the rest.
    """
    unknown: list[str] = []
    try:
        return Read(_read(text, vocabulary, unknown))
    except SmtLibError as error:
        at = _offset(text, error)
        kind: AlertKind = "undeclared" if unknown else "unparsed"
        return Read(None, (Alert(kind, str(error), text, at),))
    except _Unsupported as error:
        return Read(None, (Alert("unsupported", str(error), text, error.at),))


class _Unsupported(FormulaError):
    """A text can be read but not be said as a sentence; `at` is the offset of the command that it is in."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


def _read(text: str, vocabulary: Vocabulary, unknown: list[str]) -> fol.Sentence:
    source = Source(text)
    commands = read_sexprs(source, LIMITS)
    if len(commands) > LIMITS.max_commands:
        raise source.fault(commands[LIMITS.max_commands].at, f"more than {LIMITS.max_commands} commands")
    names = {symbol_of(own.name): own.name for own in (*vocabulary.entities, *vocabulary.applied)}
    functions = _functions(vocabulary)

    def find(name: str) -> Function | None:
        if name not in functions:
            unknown.append(name)
        return functions.get(name)

    reader = TermReader(source, {sort.name: sort for sort in (BOOL, INT, THING)}.get, find)
    things = [symbol for symbol, function in functions.items() if function.result == THING]
    translation = SentenceTranslation(names, things, {THING.name: None})
    found: list[fol.Sentence] = []
    for command in commands:
        term = reader.term(_asserted(source, command), BOOL)
        try:
            found.append(translation.stated(term))
        except FormulaError as error:
            raise _Unsupported(str(error), command.at) from None
    if not found:
        raise source.fault(0, "there is no assertion")
    return found[0] if len(found) == 1 else fol.And(tuple(found))


def _asserted(source: Source, command: SExpr) -> SExpr:
    """The formula of an `assert`, the only command that is let in."""
    head = command.items[0] if isinstance(command, Group) and command.items else None
    if not isinstance(command, Group) or head is None or isinstance(head, Group):
        raise source.fault(command.at, "a command is needed: (assert ...)")
    if head.text != "assert" or head.kind != "symbol":
        raise _Unsupported(f"the command {excerpt(head.text)} is not let in, only (assert ...)", command.at)
    if len(command.items) != 2:
        raise source.fault(command.at, "assert takes one formula")
    return command.items[1]


def _functions(vocabulary: Vocabulary) -> dict[str, Function]:
    found = [Function(symbol_of(entity.name), (), THING) for entity in vocabulary.entities]
    for named, result in ((vocabulary.predicates, BOOL), (vocabulary.functions, INT)):
        found += [Function(symbol_of(own.name), (THING,) * len(own.sorts), result) for own in named]
    # A thing that is called like a predicate cannot be told from it here: the predicate stays.
    return {function.name: function for function in found}


def _offset(text: str, error: SmtLibError) -> int:
    before = text.split("\n")[: error.line - 1]
    return min(sum(len(line) + 1 for line in before) + error.column - 1, len(text))
