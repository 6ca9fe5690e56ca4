"""The prompts that ask a model to write a whole question as one program of logic, in one reply.

A program has one of four forms. `declared` declares predicates and functions with their meanings, and has a formula for
each sentence (Logic-LM, Pan et al. 2023). `bare` has formulas alone (LINC, Olausson et al. 2023). `typed` declares
sorts, things, predicates and functions, and has any number of rules (Proof of Thought, Ganguly et al. 2024). `script`
is SMT-LIB (the baseline DSB of VERGE).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from holdtrue.language.asking import one_line
from holdtrue.models.chat import Message, assistant, system, user
from holdtrue.world.answer_shape import object_schema
from holdtrue_claims.fol.naming import name_text
from holdtrue_claims.fol.vocabulary import Entity, Function, Predicate, Vocabulary
from holdtrue_claims.kind.prompts.logic_text import example_json, list_schema

ProgramForm = Literal["declared", "bare", "typed", "script"]
SENTENCES = "Sentences:"
STATEMENTS = "Statements:"
NOT_RUN = "The program could not be run:"
_AGAIN = "Write the whole program again, without these mistakes."
_MOST_NAMES = 40
_MOST_RULES = 20
"""A typed program may have this many more rules than there are sentences."""
_LONGEST = 800
"""The largest number of characters of a formula, if the backend enforces the schema."""
_LONGEST_SCRIPT = 12_000

_SIGNS = (
    "Signs: forall x (...), exists x (...), not, and, or, xor (either ... or ..., but not both), -> (if ... then), "
    "<-> (if and only if), = , != , and between numbers also <, <=, >, >=, +, -. A variable is x, y or z. "
    "Only what the sentences say is known: ranges and differences that they tell have to be written down."
)
_NAMES = "The same thing, quality or relation has the same name everywhere. A thing's name is one word, as in RedLamp."
SYSTEM: Mapping[ProgramForm, str] = {
    "declared": (
        "You write sentences and statements as a program of first-order logic. Declare every predicate and every "
        "function (a number that each thing has) with what it means, then write one formula for each sentence and one "
        f"for each statement, with declared names alone. {_NAMES} {_SIGNS} Return only JSON."
    ),
    "bare": (
        "You write sentences and statements as formulas of first-order logic: one formula for each sentence and one "
        f"for each statement. {_NAMES} {_SIGNS} Return only JSON."
    ),
    "typed": (
        "You write sentences and statements as a typed program of first-order logic. Declare the sorts of things, "
        "every named thing with its sort, every predicate and every function (a number that each thing has) with the "
        "sorts of its arguments. Rules are formulas that say what the sentences say, with declared names alone; then "
        f"write one formula for each statement. {_NAMES} {_SIGNS} Return only JSON."
    ),
    "script": (
        "You write sentences and statements in SMT-LIB 2. The script declares sorts, constants and functions, and "
        "asserts what the sentences say, different things with distinct. Then write one SMT-LIB formula for each "
        "statement, with declared names alone. Leave out check-sat. Only what the sentences say is known. Return only "
        "JSON."
    ),
}


@dataclass(frozen=True, slots=True)
class ProgramPrompt:
    """The contents of a prompt for a program.

    `sentences` are the context, and `statements` the sentences that the program must express, by name. `previous` is
    the model's last reply, and `faults` are the errors in it.
    """

    form: ProgramForm
    sentences: tuple[str, ...]
    question: str
    statements: Mapping[str, str]
    previous: str = ""
    faults: tuple[str, ...] = ()

    def messages(self) -> tuple[Message, ...]:
        """Return the instructions with two examples, the question, and the last program with its errors, if there is
        one.
        """
        found = [system(SYSTEM[self.form])]
        for each in _EXAMPLES:
            asked = user(_asked(each.sentences, each.statements))
            found += [asked, assistant(example_json(each.shown(self.form)))]
        found.append(user(_asked(self.sentences, self.statements, self.question)))
        if self.faults:
            told = [NOT_RUN, *(f"- {one_line(fault)}" for fault in self.faults), _AGAIN]
            found += [assistant(self.previous), user("\n".join(told))]
        return tuple(found)

    def schema(self) -> dict[str, Any]:
        """Return the JSON schema of a program of this form about these sentences and statements."""
        formula, count = {"type": "string", "maxLength": _LONGEST}, len(self.sentences)
        statements = object_schema(dict.fromkeys(self.statements, formula))
        if self.form == "script":
            script = {"type": "string", "maxLength": _LONGEST_SCRIPT}
            return object_schema({"script": script, "statements": statements})
        if self.form == "typed":
            declared = _typed_schema()
            return object_schema(
                {**declared, "rules": list_schema(formula, count + _MOST_RULES), "statements": statements}
            )
        named = list_schema(object_schema({"form": _TEXT, "meaning": _TEXT}), _MOST_NAMES)
        declared = {"predicates": named, "functions": named} if self.form == "declared" else {}
        return object_schema({**declared, "premises": list_schema(formula, count, count), "statements": statements})


_TEXT = {"type": "string", "maxLength": 100}
_SORT = {"type": "string", "pattern": "^[a-z]+$"}


def _typed_schema() -> dict[str, Any]:
    sorts = list_schema(_SORT, 3)
    thing = object_schema({"name": _TEXT, "sort": _SORT})
    said = object_schema({"name": _TEXT, "sorts": sorts, "meaning": _TEXT})
    return {
        "sorts": list_schema(_SORT, _MOST_NAMES),
        "things": list_schema(thing, _MOST_NAMES),
        "predicates": list_schema(said, _MOST_NAMES),
        "functions": list_schema(said, _MOST_NAMES),
    }


def _asked(sentences: Sequence[str], statements: Mapping[str, str], question: str = "") -> str:
    numbered = [f"{place}) {one_line(text)}" for place, text in enumerate(sentences, start=1)]
    named = [f"{name}) {one_line(text)}" for name, text in statements.items()]
    asked = [f"Question: {one_line(question)}"] if question else []
    return "\n".join([SENTENCES, *numbered, *asked, STATEMENTS, *named])


def program_json(
    vocabulary: Vocabulary, form: ProgramForm, premises: Sequence[str], statements: Mapping[str, str]
) -> dict[str, Any]:
    """Return the JSON object of a program of these formulas. `form` is not `script`."""
    declared: dict[str, Any] = {}
    if form == "declared":
        declared = {
            "predicates": list(map(_declared, vocabulary.predicates)),
            "functions": list(map(_declared, vocabulary.functions)),
        }
    elif form == "typed":
        declared = {
            "sorts": list(dict.fromkeys(each.sort for each in vocabulary.entities)),
            "things": [{"name": each.name, "sort": each.sort} for each in vocabulary.entities],
            "predicates": list(map(_typed, vocabulary.predicates)),
            "functions": list(map(_typed, vocabulary.functions)),
        }
    return {**declared, "rules" if form == "typed" else "premises": list(premises), "statements": dict(statements)}


def _declared(named: Predicate | Function) -> dict[str, str]:
    variables = ", ".join("xyzuvw"[: len(named.sorts)])
    return {"form": f"{name_text(named.name)}({variables})", "meaning": named.meaning}


def _typed(named: Predicate | Function) -> dict[str, Any]:
    return {"name": named.name, "sorts": list(named.sorts), "meaning": named.meaning}


@dataclass(frozen=True, slots=True)
class _Example:
    """A question with its program. `script` and `terms` give the same program in SMT-LIB."""

    sentences: tuple[str, ...]
    statements: Mapping[str, str]
    vocabulary: Vocabulary
    premises: tuple[str, ...]
    formulas: Mapping[str, str]
    script: str
    terms: Mapping[str, str]

    def shown(self, form: ProgramForm) -> dict[str, Any]:
        if form == "script":
            return {"script": self.script, "statements": dict(self.terms)}
        return program_json(self.vocabulary, form, self.premises, self.formulas)


_EXAMPLES = (
    _Example(
        (
            "Everyone who works at the opera is either a musician or a dancer.",
            "No dancer practises daily.",
            "Mia works at the opera, and she practises daily.",
        ),
        {"statement": "Mia teaches some musician."},
        Vocabulary(
            (Entity("Mia", "person"),),
            (
                Predicate("WorksAtOpera", ("person",), "x works at the opera"),
                Predicate("Musician", ("person",), "x is a musician"),
                Predicate("Dancer", ("person",), "x is a dancer"),
                Predicate("PractisesDaily", ("person",), "x practises daily"),
                Predicate("Teaches", ("person", "person"), "x teaches y"),
            ),
        ),
        (
            "forall x (WorksAtOpera(x) -> (Musician(x) xor Dancer(x)))",
            "forall x (Dancer(x) -> not PractisesDaily(x))",
            "WorksAtOpera(Mia) and PractisesDaily(Mia)",
        ),
        {"statement": "exists x (Musician(x) and Teaches(Mia, x))"},
        "(declare-sort Person 0) (declare-const Mia Person) (declare-fun WorksAtOpera (Person) Bool) "
        "(declare-fun Musician (Person) Bool) (declare-fun Dancer (Person) Bool) "
        "(declare-fun PractisesDaily (Person) Bool) (declare-fun Teaches (Person Person) Bool) "
        "(assert (forall ((x Person)) (=> (WorksAtOpera x) (xor (Musician x) (Dancer x))))) "
        "(assert (forall ((x Person)) (=> (Dancer x) (not (PractisesDaily x))))) "
        "(assert (and (WorksAtOpera Mia) (PractisesDaily Mia)))",
        {"statement": "(exists ((x Person)) (and (Musician x) (Teaches Mia x)))"},
    ),
    _Example(
        ("Two lamps stand in a row: the red lamp and the torch.", "The torch is the leftmost."),
        {"A": "The red lamp is the second from the left.", "B": "The torch stands to the right of the red lamp."},
        Vocabulary(
            (Entity("RedLamp", "lamp"), Entity("Torch", "lamp")),
            functions=(
                Function("place", ("lamp",), meaning="place of x in the row, 1 is the leftmost, 2 the rightmost"),
            ),
        ),
        (
            "place(RedLamp) >= 1 and place(RedLamp) <= 2 and place(Torch) >= 1 and place(Torch) <= 2 "
            "and place(RedLamp) != place(Torch)",
            "place(Torch) = 1",
        ),
        {"A": "place(RedLamp) = 2", "B": "place(Torch) > place(RedLamp)"},
        "(declare-sort Lamp 0) (declare-const RedLamp Lamp) (declare-const Torch Lamp) "
        "(assert (distinct RedLamp Torch)) (declare-fun place (Lamp) Int) "
        "(assert (and (<= 1 (place RedLamp) 2) (<= 1 (place Torch) 2) (distinct (place RedLamp) (place Torch)))) "
        "(assert (= (place Torch) 1))",
        {"A": "(= (place RedLamp) 2)", "B": "(> (place Torch) (place RedLamp))"},
    ),
)
