from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from bench.programs.sections import LONGEST, MOST_LINES, Line, split_sections

TITLES = {"facts": "facts", "fact": "facts", "query": "query"}
NEEDED = ("facts", "query")


def test_lines_go_under_their_titles() -> None:
    found = split_sections("Facts:\nRed(a) ::: A is red.\n\n  Red(b)  \nQuery: \nRed(c) ::: ", TITLES, NEEDED)
    assert found.lines == {
        "facts": (Line("Red(a)", "A is red."), Line("Red(b)", "")),
        "query": (Line("Red(c)", ""),),
    }
    assert found.alerts == ()


def test_titles_may_be_decorated_and_repeated() -> None:
    found = split_sections("### Facts:\na\n**Query:**\nb\nFact:\nc", TITLES, NEEDED)
    assert [line.text for line in found.lines["facts"]] == ["a", "c"]
    assert [line.text for line in found.lines["query"]] == ["b"]


def test_the_last_separator_counts() -> None:
    found = split_sections("Facts:\nRed(x) ::: Big(x) ::: Red things are big.", TITLES, NEEDED)
    assert found.lines["facts"] == (Line("Red(x) ::: Big(x)", "Red things are big."),)


def test_what_is_skipped_is_told() -> None:
    found = split_sections("Here is the program.\nFacts:\na\nAnswer:\nTrue.", TITLES, NEEDED)
    assert [(alert.kind, alert.text) for alert in found.alerts] == [
        ("unsupported", "Here is the program."),
        ("unsupported", "Answer:"),
        ("unsupported", "True."),
        ("unparsed", ""),
    ]
    assert "no query" in found.alerts[-1].message


def test_a_program_without_end_is_refused() -> None:
    for program in ("Facts:\n" + "a" * LONGEST, "Facts:\n" + "a\n" * MOST_LINES):
        found = split_sections(program, TITLES, NEEDED)
        assert not found.lines
        assert [alert.kind for alert in found.alerts] == ["unsupported"]


@given(st.lists(st.sampled_from(["Facts:", "Query:", "Notes:", "a ::: b", "a", "", " : "]), max_size=12).map("\n".join))
@settings(max_examples=60, deadline=None)
def test_no_line_is_lost_silently(program: str) -> None:
    found = split_sections(program, TITLES, NEEDED)
    kept = sum(len(lines) for lines in found.lines.values())
    skipped = sum(alert.kind == "unsupported" for alert in found.alerts)
    titles = sum(line.strip() in ("Facts:", "Query:") for line in program.split("\n"))
    assert kept + skipped + titles == sum(bool(line.strip()) for line in program.split("\n"))
