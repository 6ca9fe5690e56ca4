"""Read the program of logic in a model's reply, and name its errors. Reading never raises."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from holdtrue.errors import FormulaError, SmtLibError
from holdtrue.language.replies import reply_object
from holdtrue_claims.fol.meaning import state
from holdtrue_claims.fol.naming import name_words
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.signature import signature
from holdtrue_claims.fol.syntax import Bound, Holds, Sentence
from holdtrue_claims.fol.vocabulary import ANY, Entity, Function, Predicate, Vocabulary
from holdtrue_claims.smtlib.sentence_reader import read_sentences
from holdtrue_lab.kinds.claims.baselines.prompts.program_prompt import ProgramForm

MOST_FAULTS = 6
"""The largest number of errors that are reported for one program, because one wrong name can be in every formula."""
NO_PROGRAM = "there is no JSON object with formulas of the sentences and of the statements"


@dataclass(frozen=True, slots=True)
class Program:
    """A model's program for a whole question. It can be run if it has no `faults`.

    `premises` maps P1, P2 and so on, the numbers of sentences or of rules in a typed program, to formulas. `statements`
    maps the names of the statements to formulas. A formula without a meaning has an entry in `faults` instead.
    """

    vocabulary: Vocabulary
    premises: Mapping[str, Sentence]
    statements: Mapping[str, Sentence]
    faults: tuple[str, ...] = ()


def read_program(reply: str, form: ProgramForm, sentences: int, statements: Iterable[str]) -> Program:
    """Read a program about this number of sentences, and about statements with these names."""
    key = "rules" if form == "typed" else "premises"
    found = reply_object(reply, key, "statements")
    given, said = found.get(key), found.get("statements")
    if not isinstance(given, list) or not isinstance(said, Mapping):
        return Program(Vocabulary(), {}, {}, (NO_PROGRAM,))
    count = len(given) if form == "typed" else sentences
    texts = {f"P{place + 1}": given[place] if place < len(given) else None for place in range(count)}
    reading = _Reading("rule" if form == "typed" else "sentence")
    if len(given) > count:
        reading.faults.append(f"there are {len(given)} formulas of {count} sentences")
    premises = reading.sentences(texts)
    asked = reading.sentences({name: said.get(name) for name in statements})
    vocabulary = reading.vocabulary(form, found, [*premises.values(), *asked.values()])
    try:
        vocabulary.refuse_ambiguous()
    except FormulaError as error:
        reading.faults.append(str(error))
    return Program(
        vocabulary,
        dict(reading.meant(premises, vocabulary)),
        dict(reading.meant(asked, vocabulary)),
        tuple(dict.fromkeys(reading.faults))[:MOST_FAULTS],
    )


class _Reading:
    """A `_Reading` reads the parts of a program and collects their errors. An error names a premise by `word` and its
    number.
    """

    def __init__(self, word: str) -> None:
        self._word = word
        self.faults: list[str] = []

    def sentences(self, texts: Mapping[str, object]) -> dict[str, Sentence]:
        """Return the formulas that can be read, by their ids."""
        found: dict[str, Sentence] = {}
        for id, text in texts.items():
            if not isinstance(text, str) or not text.strip():
                self.faults.append(f"{self._named(id)} has no formula")
                continue
            read = read_fol(text)
            if read.sentence is None:
                why = "; ".join(alert.message for alert in read.alerts) or "no sentence"
                self.faults.append(f"{self._named(id)} cannot be read, {text[:100]!r}: {why}")
            else:
                found[id] = read.sentence
        return found

    def meant(self, sentences: Mapping[str, Sentence], vocabulary: Vocabulary) -> Iterator[tuple[str, Sentence]]:
        """Yield the formulas that have a meaning in the vocabulary."""
        for id, sentence in sentences.items():
            try:
                state(sentence, vocabulary)
            except FormulaError as error:
                self.faults.append(f"{self._named(id)}: {error}")
            else:
                yield id, sentence

    def vocabulary(self, form: ProgramForm, found: Mapping[str, Any], said: Sequence[Sentence]) -> Vocabulary:
        """Return the declared names, together with those that follow from the formulas if the form need not declare
        them.
        """
        used = signature(said)
        things = tuple(Entity(name) for name in used.constants)
        if form == "bare":
            self.faults += [alert.message for alert in used.alerts if alert.kind == "arity_clash"]
            predicates = tuple(Predicate(name, (ANY,) * arity) for name, arity in used.predicates.items())
            functions = tuple(Function(name, (ANY,) * arity) for name, arity in used.functions.items())
            return Vocabulary(things, predicates, functions)
        if form == "declared":
            forms = {key: dict(self._forms(found.get(key), key)) for key in ("predicates", "functions")}
            predicates = tuple(
                Predicate(name, (ANY,) * arity, said) for name, (arity, said) in forms["predicates"].items()
            )
            functions = tuple(
                Function(name, (ANY,) * arity, meaning=said) for name, (arity, said) in forms["functions"].items()
            )
            return Vocabulary(things, predicates, functions)
        return Vocabulary(
            tuple(
                Entity(_text(own, "name"), _sort(own.get("sort")))
                for own in _objects(found.get("things"))
                if _text(own, "name")
            ),
            tuple(Predicate(name, sorts, said) for name, sorts, said in _typed(found.get("predicates"))),
            tuple(Function(name, sorts, meaning=said) for name, sorts, said in _typed(found.get("functions"))),
        )

    def _forms(self, listed: object, key: str) -> Iterator[tuple[str, tuple[int, str]]]:
        """Yield each declared name with its arity and meaning. `Likes(x, y)` has two arguments."""
        for own in _objects(listed):
            form = _text(own, "form")
            read = read_fol(form).sentence
            # A function that stands alone with its arguments is read as a predicate.
            if isinstance(read, Holds) and all(isinstance(each, Bound) for each in read.args):
                yield read.predicate, (len(read.args), _text(own, "meaning"))
            else:
                self.faults.append(f"{form[:60]!r} among the {key} is no name with variables in brackets")

    def _named(self, id: str) -> str:
        return f"{self._word} {id[1:]}" if id[:1] == "P" and id[1:].isdigit() else f"statement {id}"


def _typed(listed: object) -> Iterator[tuple[str, tuple[str, ...], str]]:
    for own in _objects(listed):
        sorts = own.get("sorts")
        if _text(own, "name"):
            listed_sorts = tuple(map(_sort, sorts)) if isinstance(sorts, list) else ()
            yield _text(own, "name"), listed_sorts, _text(own, "meaning")


def _sort(given: object) -> str:
    """Return the name of a sort in lower case."""
    words = name_words(given) if isinstance(given, str) else []
    return "_".join(word.lower() for word in words) or ANY


def _objects(listed: object) -> list[Mapping[str, Any]]:
    return [own for own in listed if isinstance(own, Mapping)] if isinstance(listed, list) else []


def _text(own: Mapping[str, Any], key: str) -> str:
    value = own.get(key)
    return value.strip() if isinstance(value, str) else ""


NO_SCRIPT = "there is no JSON object with a script of the sentences and formulas of the statements"


def read_script_program(reply: str, statements: Iterable[str]) -> Program:
    """Read an SMT-LIB program about statements with these names. The script's assertions are its premises."""
    found = reply_object(reply, "script", "statements")
    script, said = found.get("script"), found.get("statements")
    if not isinstance(script, str) or not isinstance(said, Mapping):
        return _faulty(NO_SCRIPT)
    asked = {name: said.get(name) for name in statements}
    without = [name for name, text in asked.items() if not isinstance(text, str) or not text.strip()]
    if without:
        return _faulty(*(f"statement {name} has no formula" for name in without))
    # Each statement becomes an implication, because a bare `distinct` would turn open constants into names.
    lines = "".join(f"\n(assert (=> true {text}))" for text in asked.values())
    try:
        told, whole = read_sentences(script), read_sentences(f"{script}{lines}")
        whole.vocabulary.refuse_ambiguous()
    except (SmtLibError, FormulaError) as error:
        return _faulty(f"the script cannot be read: {error}")
    count = len(told.sentences)
    if len(whole.sentences) != count + len(asked):
        return _faulty("a statement is not one formula")
    premises = {f"P{place}": sentence for place, sentence in enumerate(whole.sentences[:count], start=1)}
    return Program(whole.vocabulary, premises, dict(zip(asked, whole.sentences[count:], strict=True)))


def _faulty(*faults: str) -> Program:
    return Program(Vocabulary(), {}, {}, faults)
