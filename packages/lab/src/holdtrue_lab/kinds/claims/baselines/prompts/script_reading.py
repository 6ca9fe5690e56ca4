"""Read a program that a model wrote as an SMT-LIB script, with a formula for each statement, and tell what is wrong.

The allow-list of `logic.smtlib` reads it, so that no text of a model reaches a solver.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from holdtrue.errors import FormulaError, SmtLibError
from holdtrue.language.replies import reply_object
from holdtrue_claims.fol.vocabulary import Vocabulary
from holdtrue_claims.smtlib.sentence_reader import read_sentences
from holdtrue_lab.kinds.claims.baselines.prompts.program_reading import Program

NO_SCRIPT = "there is no JSON object with a script of the sentences and formulas of the statements"


def read_script_program(reply: str, statements: Iterable[str]) -> Program:
    """Read a program about statements of these names: the script's assertions are its premises. Never raises."""
    found = reply_object(reply, "script", "statements")
    script, said = found.get("script"), found.get("statements")
    if not isinstance(script, str) or not isinstance(said, Mapping):
        return _faulty(NO_SCRIPT)
    asked = {name: said.get(name) for name in statements}
    without = [name for name, text in asked.items() if not isinstance(text, str) or not text.strip()]
    if without:
        return _faulty(*(f"statement {name} has no formula" for name in without))
    # An implication, since a bare `distinct` would make names of what the script leaves open.
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
