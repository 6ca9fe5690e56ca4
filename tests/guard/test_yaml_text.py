"""Tests of reading YAML for policies: every place, and none of the surprises of YAML 1.1."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.guard import yaml_text
from holdtrue.guard.policy_file import PolicyError, read_policy
from holdtrue.guard.yaml_text import DEEPEST, YamlError, read_yaml
from holdtrue.rules.syntax import Place

TEXT = """\
rules:
  - id: a
    hold: >-
      call.n > 1
      && call.m
  - {id: "b", hold: 'x'}
empty:
"""


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (("rules",), Place(2, 3)),
        (("rules", 0), Place(2, 5)),
        (("rules", 0, "id"), Place(2, 9)),
        (("rules", 0, "hold"), Place(4, 1)),  # the first line of the text, not that of the sign before it
        (("rules", 1, "id"), Place(6, 11)),  # within the quotes
        (("rules", 1, "hold"), Place(6, 22)),
        (("rules", 1, "nothing", 3), Place(6, 5)),  # what would stand in it is there where it is
        (("nothing",), Place(1, 1)),
    ],
)
def test_every_value_has_its_place(path: tuple[str | int, ...], place: Place) -> None:
    assert read_yaml(TEXT).place(path) == place


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (("rules",), Place(1, 1)),
        (("rules", 0, "hold"), Place(3, 5)),
        (("rules", 1, "hold"), Place(6, 15)),
        (("rules", 1), Place(6, 5)),  # an item has no key
        (("empty",), Place(7, 1)),
    ],
)
def test_every_key_has_its_place(path: tuple[str | int, ...], place: Place) -> None:
    assert read_yaml(TEXT).key_place(path) == place


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("on", "on"),
        ("yes", "yes"),
        ("No", "No"),
        ("off", "off"),
        ("y", "y"),
        ("True", "True"),
        ("true", True),
        ("false", False),
        ("'true'", "true"),
        ("null", None),
        ("~", None),
        ("Null", "Null"),
        ("2026-03-02", "2026-03-02"),
        ("2026-03-02T12:00:00Z", "2026-03-02T12:00:00Z"),
        ("12:30", "12:30"),
        ("1_000", "1_000"),
        ("0x1F", "0x1F"),
        ("1e3", "1e3"),
        ("12", 12),
        ("-12", -12),
        ("'12'", "12"),
        ("!!str 12", "12"),
        ("!!int '12'", "12"),
        ("1.50", Decimal("1.50")),
        ("-0.5", Decimal("-0.5")),
        (".5", Decimal("0.5")),
        (".inf", ".inf"),
        (".nan", ".nan"),
        ("!!python/object/apply:os.system ['true']", ["true"]),
        ("!!binary aGk=", "aGk="),
        ("|\n  a\n  b", "a\nb"),
    ],
)
def test_scalars_are_what_people_mean(text: str, value: Any) -> None:
    found = read_yaml(f"value: {text}").value["value"]
    assert (found, type(found)) == (value, type(value))


def test_keys_are_texts_whatever_they_look_like() -> None:
    assert read_yaml("{on: 1, 5: 2, true: 3, 2026-03-02: 4, no: 5}").value == {
        "on": 1,
        "5": 2,
        "true": 3,
        "2026-03-02": 4,
        "no": 5,
    }


BILLION = "a: &a [x, x]\n" + "\n".join(
    f"{chr(98 + place)}: &{chr(98 + place)} [*{chr(97 + place)}, *{chr(97 + place)}, *{chr(97 + place)}]"
    for place in range(22)
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nb: 2\na: 3", "line 3, column 1: 'a' stands twice"),
        ("a: {b: 1,\n  b: 2}", "line 2, column 3: 'b' stands twice"),
        ("[a]: 1", "line 1, column 1: a key has to be a text"),
        ("a: &x {b: 1}\nc: {<<: *x}", "line 2, column 5: merge keys"),
        ("a: [1, 2", "line 1, column 9: no YAML: expected ',' or ']'"),
        (
            "a: b: c",
            "line 1, column 5: no YAML: mapping values are not allowed here; a text with ': ' in it goes in quotes",
        ),
        ("a: {b: c: d}", "; a text with ': ' in it goes in quotes"),
        ("a:\n  - b\n c: d", "but found '<block mapping start>'; look at the indentation"),
        ("a: {b: why?}", "in braces a text that ends in ? goes in quotes"),
        ("a: 1\n\tb: 2", "line 2, column 1: no YAML"),
        ("a: *nobody", "line 1, column 4: no YAML: found undefined alias 'nobody'"),
        ("a: 1\n---\nb: 2", "no YAML"),
        ("a: \x00", "no YAML"),
        ("a: \ud800", "no YAML"),
        ("a: &a [*a]", "nested too deep"),
        (BILLION, "too large"),
        ("[" * 1_000, "no YAML"),
        ("a: " + "[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), "nested too deep"),
        ("a: " + "9" * 5_000, "line 1, column 4: a number of 5,000 digits"),
        ("x" * 5_000_001, "5,000,001 characters"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(text: str, message: str) -> None:
    with pytest.raises(YamlError) as error:
        read_yaml(text)
    assert message in str(error.value)


def test_aliases_are_values_of_their_own_with_the_place_of_their_anchor() -> None:
    found = read_yaml("a: &x [1]\nb: *x")
    assert found.value == {"a": [1], "b": [1]}
    assert found.place(("b", 0)) == Place(1, 8)
    found.value["a"].append(2)
    assert found.value["b"] == [1]


def test_many_values_are_read_and_too_many_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(read_yaml("[" + "1, " * 1000 + "]").value) == 1000
    monkeypatch.setattr(yaml_text, "MOST_NODES", 1_000)
    assert len(read_yaml("[" + "1, " * 999 + "]").value) == 999
    aliases = "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\nb: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]\n"
    assert len(read_yaml(aliases).value["b"]) == 10
    for text in ("[" + "1, " * 1000 + "]", aliases + "c: [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]"):
        with pytest.raises(YamlError, match="too large"):
            read_yaml(text)


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text("abc on\n:#'\"{}-?", max_size=8),
    lambda own: st.lists(own, max_size=3) | st.dictionaries(st.text("ab :#'\"?-", max_size=4), own, max_size=3),
    max_leaves=8,
)


@given(PLAIN)
@settings(max_examples=200)
def test_what_is_written_as_yaml_is_read_as_it_was(value: Any) -> None:
    import json

    # JSON is YAML, and the safest way to write it.
    assert read_yaml(json.dumps({"value": value})).value == {"value": value}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a: >-\n  call.n > 1\n  && call.m\n", "  call.n > 1\n  && call.m"),
        ("a: |\n    call.n > 1\n\n    && call.m\n\nb: 1", "    call.n > 1\n\n    && call.m"),
        ("a: call.n > 1\n   && call.m", "call.n > 1\n   && call.m"),
        ("a: 'call.n > 1\n  && call.m'", "call.n > 1\n  && call.m"),
        # If more than the white space differs, the value counts.
        ("a: >-\n  call.n == 'x\n  y'\n", None),
        ('a: "call.n > 1\\n\n  && call.m"', None),
        ("a: call.n > 1", None),
    ],
)
def test_a_text_of_several_lines_is_known_as_it_stands_in_the_file(text: str, lines: str | None) -> None:
    found = read_yaml(text)
    assert found.lines.get(("a",)) == lines
    assert found.as_written(("a",), "the value") == (lines or "the value")


TRAPS = {
    "No more, please": "has no value: in braces a comma",
    "Note: no more": "goes in quotes",
    "true": "true is a flag",
    "2.50": "2.50 is a number",
    "null": "nothing stands here",
    "": "nothing stands here",
    "# 5 at most": "nothing stands here",
    "[a] is enough": "goes in quotes",
    "{a} is enough": "goes in quotes",
    "! never": "begins with !",
    "!never more": "begins with !",
    "&never more": "begins with &",
    "*": "goes in quotes",
    "@home no more": "goes in quotes",
    "%5 no more": "goes in quotes",
    "`x` no more": "goes in quotes",
    "- no more": "goes in quotes",
    "? no more": "goes in quotes",
    "> no more": "goes in quotes",
    "| no more": "goes in quotes",
    "'No' more": "goes in quotes",
    '"No" more': "goes in quotes",
    "\tno more": "goes in quotes",
}


@pytest.mark.parametrize("text", TRAPS)
@pytest.mark.parametrize("form", ["- {{id: r, hold: 'true', say: {}}}", "- id: r\n  hold: 'true'\n  say: {}"])
def test_a_text_that_yaml_takes_for_something_else_is_told_with_its_line(form: str, text: str) -> None:
    """Any text is read as written, or an error names its line and recommends quotes."""
    written = f"policy: p\nobligations:\n{form.format(text)}\n"
    line = 3 + form.count("\n")
    try:
        (rule,) = read_policy(written).obligations
    except PolicyError as error:
        # An unclosed bracket is noticed on the next line.
        assert error.faults[0][0].line in (line, line + 1), error
        assert TRAPS[text] in str(error) or "goes in quotes" in str(error), error
    else:
        assert rule.say == text.strip()
