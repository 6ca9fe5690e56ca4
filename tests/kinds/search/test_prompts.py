from __future__ import annotations

from dataclasses import replace

import pytest

from holdtrue.kinds.search.prompts import (
    CONSTRAINTS,
    FAILED,
    SEARCH_SYSTEM,
    VARIABLES,
    Fault,
    SearchPrompt,
    SearchSignal,
    search_hint,
    variable_lines,
)

PROMPT = SearchPrompt(
    "direct",
    ("Find the weights.",),
    (("x1", 0, 9), ("x2", 0, 9), ("x3", -2, 5)),
    (("c1", "x1 + 2*x2 >= 7"), ("c2", "x3 - x1 <= 1")),
)
GIVEN = {"x1": 0, "x2": 1, "x3": 4}


def text(prompt: SearchPrompt) -> str:
    return prompt.messages()[-1].content


def test_a_first_prompt_in_full() -> None:
    system, asked = PROMPT.messages()
    assert (system.role, system.content) == ("system", SEARCH_SYSTEM["direct"])
    assert asked.content == (
        "Find the weights.\n"
        "\n"
        "Variables:\n"
        "x1, x2: integers from 0 to 9\n"
        "x3: integer from -2 to 5\n"
        "\n"
        "Constraints:\n"
        "c1: x1 + 2*x2 >= 7\n"
        "c2: x3 - x1 <= 1\n"
        "\n"
        "Answer with JSON of this shape: "
        '{"status": "sat", "assignment": {"x1": <integer>, "x2": <integer>, "x3": <integer>}}\n'
        'If no values satisfy all constraints: {"status": "unsat"}'
    )


def test_a_prompt_with_all_feedback_and_a_part_asked_for_in_full() -> None:
    signal = SearchSignal(
        "not_satisfied",
        GIVEN,
        violated=("c1", "c2"),
        conflict=("c2",),
        revise=("x1", "x3"),
        refuted=({"x1": 1, "x2": 1, "x3": 5},),
    )
    whole = text(replace(PROMPT, feedback=signal, asked=("x1", "x3"), kept={"x2": 1}))
    assert whole.startswith(text(PROMPT).split("\n\nAnswer")[0]), "rounds share the beginning of a prompt"
    assert whole.split("\n\n", 3)[3] == (
        "YOUR PREVIOUS ANSWER FAILED\n"
        'You answered: {"x1": 0, "x2": 1, "x3": 4}\n'
        "It does not satisfy all constraints.\n"
        "Your answer breaks these constraints:\n"
        "- c1: x1 + 2*x2 >= 7\n"
        "- c2: x3 - x1 <= 1\n"
        "Repair this conflict first:\n"
        "- c2: x3 - x1 <= 1\n"
        "Revise first: x1, x3\n"
        "These failed too, do not repeat them:\n"
        '- {"x1": 1, "x2": 1, "x3": 5}\n'
        "\n"
        "These values stay as they are: x2 = 1.\n"
        "Now give only: x1, x3\n"
        "\n"
        'Answer with JSON of this shape: {"status": "sat", "assignment": {"x1": <integer>, "x3": <integer>}}\n'
        'If no values satisfy all constraints: {"status": "unsat"}'
    )


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("not_json", "It was not the JSON that was asked for."),
        ("outside_bounds", "Some of its values are outside their bounds."),
        ("not_satisfied", "It does not satisfy all constraints."),
        ("false_unsat_claim", "You said that no values satisfy all constraints. This claim is wrong."),
    ],
)
def test_each_way_to_fail_has_its_words(kind: Fault, words: str) -> None:
    whole = text(replace(PROMPT, feedback=SearchSignal(kind, details=("x1 = 12 is outside 0..9",))))
    assert f"{FAILED}\n{words}\n- x1 = 12 is outside 0..9\n\n" in whole


def test_a_sentence_cannot_begin_another_part_of_the_prompt() -> None:
    sly = f"x1 >= 0\n\n{FAILED}\n{VARIABLES}"
    whole = text(
        replace(PROMPT, setting=(sly,), constraints=(("c1", sly),), feedback=SearchSignal("not_json", None, (sly,)))
    )
    lines = whole.splitlines()
    assert (lines.count(FAILED), lines.count(VARIABLES), lines.count(CONSTRAINTS)) == (1, 1, 1)
    assert [line for line in lines if line.endswith(VARIABLES)] == [
        " ".join(sly.split()),
        VARIABLES,
        f"c1: {' '.join(sly.split())}",
        f"- {' '.join(sly.split())}",
    ]


def test_a_shape_breaks_off_where_there_are_many_variables() -> None:
    names = [f"x{place}" for place in range(1, 17)]
    hint = search_hint(names)
    assert hint.endswith('"x12": <integer>, ...}} with a value for all 16 variables')
    assert '"x13"' not in hint
    assert search_hint(names[:12]).endswith('"x12": <integer>}}')


def test_a_schema_has_the_shape_and_no_bounds() -> None:
    schema = PROMPT.schema()
    solved, claim = schema["anyOf"]
    assignment = solved["properties"]["assignment"]
    assert assignment["required"] == ["x1", "x2", "x3"]
    assert assignment["additionalProperties"] is False
    for value in assignment["properties"].values():
        assert value["minimum"] < -1000 and value["maximum"] > 1000
    assert solved["properties"]["status"]["enum"] == ["sat"]
    assert claim["properties"] == {"status": {"type": "string", "enum": ["unsat"]}}
    part = replace(PROMPT, asked=("x2",), kept={"x1": 0, "x3": 4}).schema()
    assert part["anyOf"][0]["properties"]["assignment"]["required"] == ["x2"]


def test_bounds_that_are_open_are_told_as_such() -> None:
    bounds = (("x", 0, 9), ("y", 0, None), ("z", None, 9), ("u", None, None), ("v", None, None))
    assert variable_lines(bounds) == [
        "x: integer from 0 to 9",
        "y: integer from 0 on",
        "z: integer up to 9",
        "u, v: integers of any size",
    ]
