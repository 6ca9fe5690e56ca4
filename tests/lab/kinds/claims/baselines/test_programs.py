"""Methods that write programs of logic: what is executed, asked for again, voted on, and answered without a program."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import product

import pytest

from holdtrue.errors import SettingsError
from holdtrue.record import TurnOutcome
from holdtrue_claims.fol.signature import names_in
from holdtrue_lab.kinds.claims.baselines.prompts.program_prompt import _EXAMPLES, ProgramForm, _Example
from holdtrue_lab.kinds.claims.baselines.prompts.program_reading import read_program, read_script_program
from holdtrue_lab.kinds.claims.baselines.strategies import NONE_PROVED, NOTHING_STATED
from holdtrue_lab.kinds.claims.method import METHODS, BaselineMethod
from tests.claims.kind.world import FORMULAS, OPTIONS, SENTENCES, VOCABULARY, play, said, scripted
from tests.lab.kinds.claims.baselines.lightened import light

TRUTHS = {"A": "True", "B": "False", "C": "Uncertain"}


def program(
    form: ProgramForm = "declared", formulas: Mapping[str, str] = FORMULAS, statements: Mapping[str, str] = OPTIONS
) -> str:
    """A program about the world in these formulas."""
    premises = [formulas[text.strip(".")] for text in SENTENCES]
    asked = {name: formulas[text] for name, text in statements.items()}
    predicates = VOCABULARY.predicates
    if form == "declared":
        named = [{"form": f"{each.name}(x)", "meaning": each.meaning} for each in predicates]
        return json.dumps({"predicates": named, "functions": [], "premises": premises, "statements": asked})
    if form == "bare":
        return json.dumps({"premises": premises, "statements": asked})
    typed = {
        "sorts": ["animal"],
        "things": [{"name": each.name, "sort": each.sort} for each in VOCABULARY.entities],
        "predicates": [{"name": each.name, "sorts": ["animal"], "meaning": each.meaning} for each in predicates],
        "functions": [],
    }
    return json.dumps({**typed, "rules": premises, "statements": asked})


MISREAD = program(formulas={**FORMULAS, "Rex barks": "not Barks(Rex)", "Rex does not bark": "Barks(Rex)"})
CLASHING = program(formulas={**FORMULAS, "Tom is a cat": "Dog(Tom) and Cat(Tom)"})
UNREAD = program(formulas={**FORMULAS, "Tom is a cat": "Cat(Tom) ->"})
UNDECLARED = program(formulas={**FORMULAS, "Tom is a cat": "Feline(Tom)"})
OPEN = program(formulas={**FORMULAS, "All dogs bark": "forall x (Dog(x) -> Dog(x))"})
FAULTY = {
    UNREAD: "sentence 3 cannot be read",
    UNDECLARED: "sentence 3: Feline is no predicate of the vocabulary",
    CLASHING: "the formulas 3, 4 cannot all hold",
    "No program.": "there is no JSON object",
    program(formulas={**FORMULAS, "Rex barks": ""}): "statement B has no formula",
    program(formulas={**FORMULAS, "Rex barks": "Barks(x)"}): "no quantifier binds",
}


@pytest.mark.parametrize(("name", "form"), [("logic_lm", "declared"), ("proof_of_thought", "typed"), ("linc", "bare")])
async def test_a_program_that_runs_is_the_answer(name: str, form: ProgramForm) -> None:
    model = scripted([program(form)] * METHODS[name].samples)
    played = await play(light(name), model, measured=False)
    assert played.attempts[-1].answer == {"option": "B"} and played.delivered == "Rex barks"
    ran = [attempt.program for attempt in played.attempts if attempt.program is not None]
    assert {each.status for each in ran} == {"executed"} and len(ran) == (10 if name == "linc" else 1)
    assert {request.purpose for request in model.requests} == {"program"}


@pytest.mark.parametrize("faulty", FAULTY)
async def test_an_error_is_told_and_another_program_asked_for(faulty: str) -> None:
    model = scripted([faulty, program()])
    played = await play(light("logic_lm"), model, measured=False)
    assert [attempt.kind for attempt in played.attempts] == ["program", "refine"]
    assert played.attempts[-1].answer == {"option": "B"}
    first = played.attempts[0]
    assert first.program is not None and first.program.status == "error" and first.answer is None
    assert any(FAULTY[faulty] in fault for fault in first.program.faults)
    *_, own, report = model.requests[1].messages
    assert own.content == faulty and own.role == "assistant"
    assert all(f"- {fault}" in report.content for fault in first.program.faults)


async def test_the_model_answers_where_no_program_could_be_run() -> None:
    model = scripted([UNREAD, CLASHING, UNDECLARED, said("C", "Tom is a dog")])
    played = await play(light("logic_lm"), model, measured=False)
    assert [attempt.kind for attempt in played.attempts] == ["program", "refine", "refine", "fallback"]
    assert played.attempts[-1].answer == {"option": "C"}
    assert [request.purpose for request in model.requests] == ["program"] * 3 + ["answer"]
    cot = scripted([said("C")])
    await play(light("cot"), cot, measured=False)
    assert cot.requests[0].messages == model.requests[-1].messages, "one call of both methods"


async def test_a_program_that_proves_nothing_is_not_asked_for_again() -> None:
    model = scripted([OPEN, said("A")])
    played = await play(light("logic_lm"), model, measured=False)
    assert [attempt.kind for attempt in played.attempts] == ["program", "fallback"]
    first = played.attempts[0].program
    assert first is not None and (first.status, first.faults) == ("undecided", (NONE_PROVED,))


async def test_without_a_fallback_there_is_no_answer() -> None:
    played = await play(light("proof_of_thought"), scripted([UNREAD] * 3), measured=False)
    assert [attempt.kind for attempt in played.attempts] == ["program", "refine", "refine"]
    assert played.attempts[-1].answer is None
    assert played.attempts[-1].verdict.outcome is TurnOutcome.UNPARSED


@pytest.mark.parametrize("drawn", list(product((program("bare"), MISREAD, UNREAD), repeat=3)))
async def test_the_option_that_most_programs_prove_wins(drawn: Sequence[str]) -> None:
    played = await play(light("linc", samples=3), scripted(list(drawn)), measured=False)
    votes = [{program("bare"): "B", MISREAD: "A"}.get(each) for each in drawn]
    given = [vote for vote in votes if vote is not None]
    most = max(given, key=lambda vote: (given.count(vote), -given.index(vote)), default=None)
    assert played.attempts[-1].answer == (None if most is None else {"option": most})
    assert [attempt.kind for attempt in played.attempts] == ["program"] * 3 + (["vote"] if given else [])


async def test_programs_are_draws_of_their_own_at_the_published_temperature() -> None:
    model = scripted([program("bare")] * 10)
    await play(light("linc"), model, measured=False)
    assert [request.sample for request in model.requests] == list(range(10))
    assert {request.temperature for request in model.requests} == {0.8}


@pytest.mark.parametrize(("formula", "option"), [("Barks(Rex)", "A"), ("not Barks(Rex)", "B"), ("Sleeps(Tom)", "C")])
async def test_truth_values_follow_from_the_statement(formula: str, option: str) -> None:
    written = json.loads(program("bare")) | {"statements": {"statement": formula}}
    model = scripted([json.dumps(written)])
    played = await play(light("linc", samples=1), model, measured=False, options=TRUTHS, statement="Rex barks.")
    assert played.attempts[-1].answer == {"option": option}
    assert "Statements:\nstatement) Rex barks." in model.prompts[0]


@pytest.mark.parametrize("name", ["logic_lm", "proof_of_thought", "linc", "dsb"])
async def test_a_question_without_a_statement_is_answered_without_a_program(name: str) -> None:
    model = scripted([said("A")])
    played = await play(light(name), model, measured=False, options=TRUTHS)
    if METHODS[name].fallback:
        assert [attempt.kind for attempt in played.attempts] == ["fallback"]
        return
    [attempt] = played.attempts
    assert attempt.answer is None and not model.requests
    assert attempt.program is not None and attempt.program.faults == (NOTHING_STATED,)


SCRIPT = """(set-logic ALL) (declare-sort Animal 0) (declare-const Rex Animal) (declare-const Tom Animal)
(declare-fun Dog (Animal) Bool) (declare-fun Barks (Animal) Bool) (assert (distinct Rex Tom)) (assert (Dog Rex))
(assert (forall ((x Animal)) (=> (Dog x) (Barks x)))) (check-sat)"""
TERMS = {"A": "(not (Barks Rex))", "B": "(Barks Rex)", "C": "(Dog Tom)"}


@pytest.mark.parametrize(
    ("script", "terms", "fault"),
    [
        (SCRIPT, {}, None),
        (SCRIPT.replace("(Dog x)", "(Cat x)"), {}, "the script cannot be read: line 3"),
        (SCRIPT.replace("(assert (Dog Rex))", "(assert (Dog Rex)) (assert (not (Barks Rex)))"), {}, "cannot all hold"),
        (SCRIPT.replace("(check-sat)", "(exit)"), {}, "a statement is not one formula"),
        (SCRIPT.replace("(set-logic ALL)", '(include "/etc/passwd")'), {}, "the script cannot be read: line 1"),
        (SCRIPT, {"C": "true)) (assert (=> true (Dog Tom)"}, "a statement is not one formula"),
        (SCRIPT, {"C": " "}, "statement C has no formula"),
    ],
)
async def test_a_script_is_run_once_and_what_is_wrong_with_it_is_no_answer(
    script: str, terms: dict[str, str], fault: str | None
) -> None:
    model = scripted([json.dumps({"script": script, "statements": TERMS | terms})])
    [attempt] = (await play(light("dsb"), model, measured=False)).attempts
    assert attempt.program is not None
    assert (attempt.answer, attempt.program.status) == (({"option": "B"}, "executed") if not fault else (None, "error"))
    assert fault is None or fault in attempt.program.faults[0]


async def test_what_a_script_leaves_open_may_be_one_thing() -> None:
    script, terms = SCRIPT.replace("(assert (distinct Rex Tom))", ""), {"A": "(distinct Rex Tom)", "B": "(= Rex Tom)"}
    model = scripted([json.dumps({"script": script, "statements": TERMS | terms})])
    [attempt] = (await play(light("dsb"), model, measured=False)).attempts
    assert attempt.program is not None and (attempt.answer, attempt.program.faults) == (None, (NONE_PROVED,))


@pytest.mark.parametrize("example", _EXAMPLES)
def test_the_examples_of_scripts_say_what_those_of_formulas_do(example: _Example) -> None:
    statements, count = example.statements, len(example.sentences)
    read = read_script_program(json.dumps(example.shown("script")), statements)
    assert not read.faults and len(read.premises) == count and set(read.statements) == set(statements)
    typed = read_program(json.dumps(example.shown("typed")), "typed", count, statements)
    assert [names_in(each) for each in read.premises.values()] == [names_in(each) for each in typed.premises.values()]


async def test_functions_are_numbers() -> None:
    written = {
        "predicates": [],
        "functions": [{"form": "place(x)", "meaning": "place of x"}],
        "premises": ["place(Rex) < place(Tom)", "place(Tom) <= 2", "place(Rex) >= 1", "Rex = Rex", "Tom = Tom"],
        "statements": {"A": "place(Tom) = 1", "B": "place(Tom) = 2", "C": "place(Rex) = 2"},
    }
    played = await play(light("logic_lm"), scripted([json.dumps(written), said("A")]), measured=False)
    assert played.attempts[-1].answer == {"option": "B"}


def test_an_unknown_form_is_refused() -> None:
    with pytest.raises(SettingsError, match="unknown form 'prolog'; there are declared, bare, typed"):
        BaselineMethod("own", "program", form="prolog")  # type: ignore[arg-type]
