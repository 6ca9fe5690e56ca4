from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from bench.programs.ordering import read_ordering

PROGRAM = """Domain:
1: oldest
3: newest
Variables:
bus [IN] [1, 2, 3]
truck [IN] [1, 2, 3]
Constraints:
bus > truck ::: The bus is newer than the truck.
bus == 3 or bus == 2 ::: The bus is not the oldest.
AllDifferentConstraint([bus, truck]) ::: All vehicles have different values.
Query:
A) bus == 1 ::: The bus is the oldest.
B) truck == 1 ::: The truck is the oldest."""


def test_values_with_gaps_are_a_law() -> None:
    read = read_ordering("Variables:\nbus [in] [1, 4, 2]\nConstraints:\nbus > 1\nQuery:\nbus == 2")
    (law,) = read.laws
    assert [value for value in range(1, 5) if law.holds({"bus": value})] == [1, 2, 4]
    assert list(read.asked) == ["Q1"]


def test_a_declaration_in_the_domain_counts() -> None:
    read = read_ordering("Domain:\nbus [IN] [1, 2]\n1: oldest\nConstraints:\nbus > 1\nQuery:\nA) bus == 2")
    assert str(read.theory["P1"]) == "(bus > 1)" and list(read.asked) == ["A"]
    assert read.alerts == ()


def test_faults_are_told_with_their_place() -> None:
    read = read_ordering(PROGRAM.replace("bus > truck", "bus > car").replace("A) bus == 1", "A) bus = = 1"))
    assert read.unread == ("P1", "A")
    assert [(alert.kind, alert.text, alert.position) for alert in read.alerts] == [
        ("undeclared", "bus > car", 6),
        ("unparsed", "A) bus = = 1", 9),
    ]
    assert list(read.theory) == ["P2", "P3"] and list(read.asked) == ["B"]


def test_doubled_names_and_letters() -> None:
    read = read_ordering(PROGRAM.replace("truck [IN] [1, 2, 3]", "bus [IN] [1, 2]").replace("B)", "A)"))
    assert [alert.kind for alert in read.alerts].count("name_clash") == 2
    assert [str(variable.sort) for variable in read.variables] == ["1..3"]


def test_declarations_that_are_refused() -> None:
    for declared in ("bus [IN] [1, x]", "bus [IN] []", "bus [IN] [1, 9999999]", "bus [IN] 1..3", "bus [IN] [0, 5000]"):
        read = read_ordering(f"Variables:\n{declared}\nConstraints:\nbus > 1\nQuery:\nA) bus == 2")
        assert not read.variables and read.unread == ("P1", "A")
        assert {alert.kind for alert in read.alerts[:1]} <= {"unparsed", "unsupported"}


def test_code_stays_text() -> None:
    read = read_ordering("Variables:\nbus [IN] [1, 2]\nConstraints:\n__import__('os').abort()\nQuery:\nA) exit()")
    assert [(alert.kind, alert.position) for alert in read.alerts] == [("unparsed", 11), ("undeclared", 3)]
    assert not read.theory and not read.asked


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_no_text_makes_it_raise(data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(PROGRAM)))
    end = data.draw(st.integers(start, min(len(PROGRAM), start + 20)))
    read = read_ordering(PROGRAM[:start] + data.draw(st.text(max_size=10)) + PROGRAM[end:])
    for statement in (*read.premises, *read.queries):
        assert statement.formula is not None or read.alerts
