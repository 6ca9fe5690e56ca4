from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from bench.programs.first_order import read_first_order
from bench.programs.grounding import MOST_THINGS
from holdtrue.budget import UNLIMITED
from holdtrue_claims.claim_record import ClaimVerdict
from holdtrue_claims.kind.entailment import verify_claim

PROGRAM = """Predicates:
Student(x) ::: x is a student.
Reads(x, y) ::: x reads y.
Premises:
∀x (Student(x) → ∃y Reads(x, y)) ::: All students read something.
Student(ann) ∧ ¬Reads(ann, news) ::: Ann is a student and does not read the news.
Conclusion:
∃y (Reads(ann, y) ∧ y ≠ news) ::: Ann reads something else."""


def verdict(program: str) -> ClaimVerdict:
    read = read_first_order(program)
    context = read.context(UNLIMITED)
    (claim,) = read.asked.values()
    return verify_claim(context, claim).verdict


def kinds(program: str) -> list[str]:
    return [alert.kind for alert in read_first_order(program).alerts]


def test_a_program() -> None:
    read = read_first_order(PROGRAM)
    assert read.alerts == () and read.unread == ()
    assert [one.id for one in (*read.premises, *read.queries)] == ["P1", "P2", "Q1"]
    assert read.premises[1].words == "Ann is a student and does not read the news."
    assert {"Student(ann)", "Reads(ann, news)", "Reads(ann, ?1)"} < {variable.name for variable in read.variables}
    assert verdict(PROGRAM) is ClaimVerdict.ENTAILED


def test_what_is_left_free_stands_for_all_and_is_told() -> None:
    loose = PROGRAM.replace("∀x (Student(x) → ∃y Reads(x, y))", "Student(x) → ∃y Reads(x, y)")
    assert kinds(loose) == ["free_variable"]
    assert verdict(loose) is ClaimVerdict.ENTAILED


def test_what_is_used_otherwise_than_declared_is_told() -> None:
    assert kinds(PROGRAM.replace("Reads(x, y) :::", "Reads(x) :::")) == ["arity_clash"]
    assert kinds(PROGRAM.replace("Student(x) ::: x", "Pupil(x) ::: x")) == ["undeclared"]
    assert kinds(PROGRAM.replace("Student(x) ::: x", "Student ::: x"))[0] == "unparsed"


def test_what_has_no_meaning_has_no_formula() -> None:
    read = read_first_order(PROGRAM.replace("Student(ann)", "Student(sister(ann))"))
    assert read.unread == ("P2",)
    assert {alert.kind for alert in read.alerts} == {"function", "unsupported"}
    broken = read_first_order(PROGRAM.replace("Student(ann)", "Student(ann) →"))
    assert broken.unread == ("P2",)


def test_quantifiers_without_end_are_refused() -> None:
    many = " ∧ ".join(f"Likes({name}, {other})" for name in "abcdefgh" for other in "ijklmnop")
    deep = "".join(f"∀{letter}{number} " for letter in "uvwxyz" for number in range(9))
    inner = " ∧ ".join(f"Likes({letter}1, {letter}2)" for letter in "uvwxyz")
    read = read_first_order(f"Predicates:\nLikes(x, y)\nPremises:\n{many}\n{deep} ({inner})\nConclusion:\nLikes(a, b)")
    assert read.unread == ("P2",)
    loose = " ∧ ".join(f"P({letter}{number})" for letter in "uvwxyz" for number in range(10))
    assert read_first_order(f"Premises:\n{loose}\nConclusion:\nP(a)").unread == ("P1",)


def test_programs_that_would_become_too_large_are_refused() -> None:
    names = ", ".join(f"c{number}" for number in range(MOST_THINGS + 1))
    crowded = read_first_order(f"Premises:\nP({names})\n∀x Q(x)\nConclusion:\nQ(c1)")
    assert crowded.unread == ("P1", "P2", "Q1")
    named = ", ".join(f"c{number}" for number in range(20))
    rules = "\n".join(["∀x ∀y ∀z R(x, y, z)"] * 20)
    large = read_first_order(f"Premises:\nP({named})\n{rules}\nConclusion:\nP({named})")
    assert "P2" not in large.unread and "Q1" in large.unread
    assert {alert.kind for alert in large.alerts} == {"unsupported", "undeclared"}


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_no_text_makes_it_raise(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(PROGRAM)))
    end = data.draw(st.integers(start, min(len(PROGRAM), start + 20)))
    read = read_first_order(PROGRAM[:start] + data.draw(st.text(max_size=10)) + PROGRAM[end:])
    assert not read.unread or read.alerts
