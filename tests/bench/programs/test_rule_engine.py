from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from bench.programs.rule_engine import read_rule_engine
from holdtrue.budget import UNLIMITED
from holdtrue_claims.claim_record import ClaimVerdict
from holdtrue_claims.kind.entailment import verify_claim

PROGRAM = """Predicates:
Red($x, bool) ::: Is x red?
Big($x, bool) ::: Is x big?
Sees($x, $y) ::: Does x see y?

Facts:
Red(cat, True) ::: The cat is red.
Sees(cat, bald eagle) ::: The cat sees the bald eagle.

Rules:
Red($x, True) && Sees($x, bald eagle) >>> Big($x, True) ::: If something is red and sees the bald eagle then it is big.
Big($x, True) >>> !Red(bald eagle, True) ::: If something is big then the bald eagle is not red.

Query:
Big(cat, True) ::: The cat is big."""


def verdict(program: str) -> ClaimVerdict:
    read = read_rule_engine(program)
    context = read.context(UNLIMITED)
    (claim,) = read.asked.values()
    return verify_claim(context, claim).verdict


def kinds(program: str) -> list[str]:
    return [alert.kind for alert in read_rule_engine(program).alerts]


def test_a_program() -> None:
    read = read_rule_engine(PROGRAM)
    assert read.alerts == () and read.unread == ()
    assert [one.id for one in (*read.premises, *read.queries)] == ["P1", "P2", "P3", "P4", "Q1"]
    assert read.premises[1].words == "The cat sees the bald eagle."


def test_a_truth_value_is_no_argument() -> None:
    assert kinds(PROGRAM.replace("Sees($x, $y) :::", "Sees($x, $y, bool) :::")) == []
    assert kinds(PROGRAM.replace("Sees(cat, bald eagle) :::", "Sees(cat, bald eagle, True) :::")) == []
    assert kinds(PROGRAM.replace("Sees(cat, bald eagle) :::", "Sees(cat, True) :::")).count("arity_clash") == 2


def test_faults_are_told() -> None:
    assert kinds(PROGRAM.replace("Big($x, bool) ::: Is x big?\n", "")) == ["undeclared"]
    assert kinds(PROGRAM.replace("Red(cat, True) :::", "Red($x, True) :::")) == ["free_variable"]
    assert kinds(PROGRAM.replace("Red(cat, True) :::", "Red(something, True) :::")) == ["free_variable"]
    assert kinds(PROGRAM.replace("Red(cat, True) :::", "Red(Cat, True) :::")) == ["name_clash"]
    read = read_rule_engine(PROGRAM.replace("Sees(cat, bald eagle) :::", "The cat sees the bald eagle. :::"))
    assert read.unread == ("P2",)
    assert [(alert.kind, alert.position) for alert in read.alerts] == [("unparsed", 27)]


def test_an_answer_of_the_model_is_no_query() -> None:
    read = read_rule_engine(f"{PROGRAM}\nAnswer:\nTrue.")
    assert list(read.asked) == ["Q1"]
    assert [alert.text for alert in read.alerts] == ["Answer:", "True."]


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_no_text_makes_it_raise(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(PROGRAM)))
    end = data.draw(st.integers(start, min(len(PROGRAM), start + 20)))
    read = read_rule_engine(PROGRAM[:start] + data.draw(st.text(max_size=10)) + PROGRAM[end:])
    assert not read.unread or read.alerts
