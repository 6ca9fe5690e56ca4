from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.language.asking import Asking
from holdtrue.models.chat import Request
from holdtrue.models.scripted import ScriptModel
from holdtrue_claims.claim_record import ClaimType
from holdtrue_claims.kind.prompts.content_words import content_words
from holdtrue_claims.kind.prompts.decomposition import (
    MEANINGS,
    MOST_CLAIMS,
    TYPE_LIST,
    Decomposition,
    decompose,
    decompose_messages,
    read_decomposition,
    read_type,
)
from tests.patience import no_hang

ANSWER = (
    "The lamp is older than the chair. This means it is not the newest. Since the desk is older than the lamp, the "
    "chair is the newest. It is a lovely chair."
)
ITEMS = [
    {"text": "The lamp is older than the chair.", "type": "mathematical"},
    {"text": "The lamp is not the newest.", "type": "mathematical"},
    {"text": "The desk is older than the lamp.", "type": "mathematical"},
    {"text": "The chair is the newest.", "type": "logical"},
    {"text": "It is a lovely chair.", "type": "vague"},
]


def reply(*items: object) -> str:
    return json.dumps({"claims": list(items)})


def texts(found: Decomposition) -> list[str]:
    return [claim.text for claim in found.claims]


async def test_one_call_takes_an_answer_apart() -> None:
    asking = Asking(ScriptModel([reply(*ITEMS)]))
    found = await decompose(asking, ANSWER)
    assert texts(found) == [item["text"] for item in ITEMS[:4]]
    assert [call.purpose for call in asking.take_calls()] == ["decompose"]


def test_a_reply_of_good_claims_is_taken_as_it_is() -> None:
    # But for the last one, which begins with an open 'it': nobody could test that.
    found = read_decomposition(reply(*ITEMS), ANSWER)
    assert [(claim.id, claim.type.value) for claim in found.claims] == [
        ("C1", "mathematical"),
        ("C2", "mathematical"),
        ("C3", "mathematical"),
        ("C4", "logical"),
    ]
    assert texts(found) == [item["text"] for item in ITEMS[:4]]
    assert not found.fallback


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(ITEMS[:2]),
        "```json\n" + reply(*ITEMS[:2]) + "\n```",
        "".join(json.dumps(item) + "\n" for item in ITEMS[:2]),
        # Clipped in the third claim.
        reply(*ITEMS[:3])[:-30],
        "<think>"
        + reply({"text": "The chair is older than the lamp.", "type": "vague"})
        + "</think>"
        + reply(*ITEMS[:2]),
        reply({"claim": "The lamp is older than the chair."}, 7, None, {"statement": "The lamp is not the newest."}),
    ],
)
def test_replies_in_other_shapes_are_read(text: str) -> None:
    found = read_decomposition(text, "The lamp is older than the chair. The lamp is not the newest")
    assert texts(found) == ["The lamp is older than the chair.", "The lamp is not the newest."]
    assert not found.fallback


@pytest.mark.parametrize("text", ["", "I see no claims.", '{"claims": []}', '{"claims": "none"}', reply({"text": 3})])
def test_what_cannot_be_read_falls_back_to_the_answers_sentences(text: str) -> None:
    found = read_decomposition(text, ANSWER)
    assert found.fallback
    assert texts(found) == [
        "The lamp is older than the chair.",
        "The desk is older than the lamp.",
        "The chair is the newest.",
    ]


def test_nothing_that_the_answer_does_not_say_is_a_claim() -> None:
    copied = [
        {"text": "Nora practises every day.", "type": "logical"},
        # Words of two sentences that have nothing to do with each other.
        {"text": "The stool is older than the desk.", "type": "mathematical"},
        {"text": "The lamp is older than the chair.", "type": "mathematical"},
    ]
    found = read_decomposition(reply(*copied), "The lamp is older than the chair. The stool is green. The desk is old.")
    assert texts(found) == ["The lamp is older than the chair.", "The stool is green.", "The desk is old."]


def test_a_claim_may_put_a_name_for_a_pronoun() -> None:
    found = read_decomposition(reply({"text": "Mia is a dancer.", "type": "logical"}), "Mia came. So she is a dancer.")
    assert texts(found)[0] == "Mia is a dancer."


def test_the_same_claim_is_there_once() -> None:
    said = (
        "The owl cannot be the oldest.",
        "the owl is not the oldest",
        "The owl must be new.",
        "The owl is also new.",
    )
    found = read_decomposition(
        reply(*({"text": text, "type": "logical"} for text in said)),
        "The owl cannot be the oldest. The owl must be new.",
    )
    assert texts(found) == ["The owl cannot be the oldest.", "The owl must be new."]


def test_what_the_answer_ends_with_is_not_lost() -> None:
    found = read_decomposition(reply(ITEMS[0]), "The lamp is older than the chair. Therefore, the chair is the newest.")
    assert texts(found) == ["The lamp is older than the chair.", "The chair is the newest."]
    assert [claim.id for claim in found.claims] == ["C1", "C2"]


def test_an_end_with_a_pronoun_may_be_there_in_other_words() -> None:
    found = read_decomposition(
        reply({"text": "If Mia sings, Mia dances.", "type": "logical"}), "If Mia sings, she dances."
    )
    assert texts(found) == ["If Mia sings, Mia dances."]


def test_what_a_claim_leaves_out_of_a_clause_is_not_lost() -> None:
    stay = "You stay at Mill, and from Mill, where you stay, you drive three hours to Moss"
    found = read_decomposition(
        reply({"text": "They drive three hours to Moss.", "type": "temporal"}), f"Thanks. {stay}. Is that all right?"
    )
    assert texts(found) == ["They drive three hours to Moss.", f"{stay}."]
    assert found.untested == ("Thanks", "Is that all right?")


def test_the_end_is_what_is_said_before_the_talk() -> None:
    answer = "The lamp is older than the chair. Therefore, the chair is the newest. I hope this helps! Let me know."
    assert texts(read_decomposition(reply(ITEMS[0]), answer)) == [ITEMS[0]["text"], "The chair is the newest."]
    talk = [{"text": text, "type": "vague"} for text in ("I hope this helps!", "Let me know.")]
    assert texts(read_decomposition(reply(*ITEMS[:1], *talk), answer))[0] == ITEMS[0]["text"]


async def test_a_name_from_the_question_may_stand_for_a_pronoun() -> None:
    items = [{"text": text, "type": "logical"} for text in ("Pat is suspended.", "Nobody hears from Pat.")]
    question = "Why does nobody hear from Pat?"
    found = await decompose(Asking(ScriptModel([reply(*items)])), "She is suspended.", "", question)
    assert texts(found) == ["Pat is suspended."]
    assert read_decomposition(reply(*items), "She is suspended.").fallback


def test_what_others_make_up_is_left_out() -> None:
    said = ("Neither the owl nor the wren can be old.", "The owl is not old.", "The wren cannot be old.")
    found = read_decomposition(
        reply(*({"text": text, "type": "logical"} for text in said)), "Neither the owl nor the wren can be old."
    )
    assert texts(found) == ["The owl is not old.", "The wren cannot be old."]
    assert [claim.id for claim in found.claims] == ["C1", "C2"]


def test_there_are_never_too_many() -> None:
    answer = " ".join(f"Room {number} is locked." for number in range(30))
    many = reply(*({"text": f"Room {number} is locked.", "type": "logical"} for number in range(30)))
    for text in (many, ""):
        found = read_decomposition(text, answer)
        assert [claim.id for claim in found.claims] == [f"C{n}" for n in range(1, MOST_CLAIMS + 1)]
        assert found.clipped


def test_it_is_told_where_an_answer_states_more_than_became_claims() -> None:
    said = [f"Owl {number} is old." for number in range(1, MOST_CLAIMS + 2)]
    reply = json.dumps({"claims": [{"text": text, "type": "logical"} for text in said[:-1]]})
    for own in (reply, "nothing"):
        assert read_decomposition(own, " ".join(said)).clipped
        assert not read_decomposition(own, " ".join(said[:-1])).clipped
    # The same said again is nothing more, and neither is talk.
    assert not read_decomposition(reply, " ".join((*said[:-1], said[0], "I hope this helps."))).clipped


def test_long_answers_take_no_long_time() -> None:
    context = " ".join(f"Owl{number} likes Wren{number + 1}." for number in range(600))
    answer = " ".join(f"Owl{number} likes Wren{number + 1}, and it is old." for number in range(600))
    reply = json.dumps({"claims": [{"text": f"Wren {number} is old.", "type": "logical"} for number in range(12)]})
    with no_hang():
        read_decomposition(reply, answer, context, "Which is old?")
        read_decomposition("", answer)


async def test_options_are_spelled_out_before_the_model_sees_them() -> None:
    asked: list[Request] = []

    def answering(request: Request) -> str:
        asked.append(request)
        return ""

    options = {"A": "The lamp is the newest.", "B": "The chair is the newest."}
    answer = "The lamp is old, so option A is incorrect. Therefore, the answer is B."
    found = await decompose(Asking(ScriptModel(answering)), answer, "Things are old.", "Which one is new?", options)
    assert texts(found) == ["The lamp is old.", "The lamp is not the newest.", "The chair is the newest."]
    prompt = asked[0].messages[-1].content
    assert prompt == "Answer:\n- The lamp is old.\n- the lamp is not the newest.\n- Therefore, the chair is the newest."


async def test_a_truth_value_becomes_the_statement_that_has_it() -> None:
    said = {"A": "True", "B": "False", "C": "Uncertain"}
    asking = Asking(ScriptModel([""]))
    found = await decompose(asking, "The owl is old. Hence the answer is B.", "", "", said, "The owl is a chick.")
    assert texts(found) == ["The owl is old.", "The owl is not a chick."]


async def test_lines_and_bullets_are_sentences() -> None:
    answer = "**Reasons**\n- the lamp is old\n- the chair is new, so the desk is old\n\nTherefore:\nThe shelf is new"
    found = await decompose(Asking(ScriptModel([""])), answer)
    assert texts(found) == [
        "The lamp is old.",
        "The chair is new.",
        "The desk is old.",
        "The shelf is new.",
    ]


def test_a_short_answer_is_shown_with_its_question() -> None:
    prompt = decompose_messages("Yes, Ann.", "Ann came.\nBen did not.", "Who came?")[-1].content
    assert prompt == "Context: Ann came. Ben did not.\nQuestion: Who came?\nAnswer:\n- Yes, Ann."


async def test_an_empty_answer_costs_no_call() -> None:
    asking = Asking(ScriptModel([]))
    assert await decompose(asking, " <think>Hm.</think>\n") == Decomposition((), False)
    assert asking.take_calls() == ()


@settings(deadline=None, max_examples=80)
@given(
    st.text(max_size=60)
    | st.lists(st.fixed_dictionaries({"text": st.text(max_size=30), "type": st.text(max_size=9)}), max_size=4).map(
        json.dumps
    ),
    st.text(max_size=80),
)
def test_laws_of_any_reply(text: str, answer: str) -> None:
    found = read_decomposition(text, answer)
    assert [claim.id for claim in found.claims] == [f"C{n}" for n in range(1, len(found.claims) + 1)]
    assert len(found.claims) <= MOST_CLAIMS
    assert len({claim.text.casefold() for claim in found.claims}) == len(found.claims)
    for claim in found.claims:
        assert content_words(claim.text) & content_words(answer)


def test_every_type_is_told_with_an_example() -> None:
    assert set(MEANINGS) == set(ClaimType)
    for type, meaning in MEANINGS.items():
        assert f"{type.value}: {meaning}" in TYPE_LIST
        assert meaning.count('"') == 2


@pytest.mark.parametrize(
    ("value", "type"),
    [
        ("logical", ClaimType.LOGICAL),
        (" Vague.", ClaimType.VAGUE),
        ("TEMPORAL claim", ClaimType.TEMPORAL),
        ("not logical", None),
        (None, None),
        (["vague"], None),
        (3, None),
    ],
)
def test_reading_a_type(value: object, type: ClaimType | None) -> None:
    assert read_type(value) is type


@pytest.mark.parametrize(("states", "idle"), [("thanks", ("I see",)), ("statement", ()), ("question", ()), ("?", ())])
async def test_a_doubtful_clause_is_asked_about(states: str, idle: tuple[str, ...]) -> None:
    model = ScriptModel([reply(ITEMS[0]), json.dumps({"it": states})])
    found = await decompose(Asking(model), "I see. The lamp is older than the chair.", ask_back=True)
    assert found.idle == idle
    assert [claim.text for claim in found.claims] == [ITEMS[0]["text"], *([] if idle else ["I see."])]


@pytest.mark.parametrize(("it", "kept"), [("said", True), ("not said", False), ("?", False)])
async def test_a_claim_in_other_words_is_one_of_the_answer_if_the_model_finds_it_there(it: str, kept: bool) -> None:
    told, answer = "The lamp is dear.", "The old desk is not dear. The lamp is."
    model = ScriptModel([reply({"text": told, "type": "logical"}), json.dumps({"it": it}), *["statement"] * 2])
    found = await decompose(Asking(model), answer, "The lamp is new.", "What is dear?", ask_back=True)
    assert (told in texts(found)) is kept


async def test_a_clause_with_a_value_is_never_talked_away() -> None:
    model = ScriptModel([reply(ITEMS[0]), json.dumps({"it": "thanks"})])
    found = await decompose(Asking(model), "The lamp is older than the chair. The lamp costs 20 euros.", ask_back=True)
    assert (found.idle, texts(found)[1:]) == ((), ["The lamp costs 20 euros."])


@pytest.mark.parametrize(
    ("sentence", "claim", "before"),
    [
        ("The lamp costs 20 euros.", "The lamp costs 20 euros.", ""),
        ("It costs 20 euros.", "It costs 20 euros.", "\nThe desk is old."),
        ("No.", "No.", "\nThe desk is old."),
        ("20 euros; too old for a lamp.", "20 euros; too old for a lamp.", "\nThe desk is old."),
        ("The lamp is new, so it is dear.", "The lamp is new, so it is dear.", "\nThe desk is old."),
    ],
)
def test_what_claims_leave_is_tested_as_a_sentence_in_its_place(sentence: str, claim: str, before: str) -> None:
    question = "Is the lamp old?"
    told = [{"text": "The desk is old.", "type": "logical"}, {"text": "The lamp is new.", "type": "logical"}]
    found = read_decomposition(
        reply(*told[: 1 + ("new" in sentence)]), f"The desk is old. {sentence}", "", question, []
    )
    assert (found.claims[-1].text, found.untested) == (claim, ())
    assert found.claims[-1].before == (question + before if before else "")


@pytest.mark.parametrize("clause", ["It costs 20 euros", "Is the lamp old?", "Yes: the lamp is older"])
def test_what_cannot_be_a_claim_is_told_as_untested(clause: str) -> None:
    found = read_decomposition(reply(ITEMS[0]), f"The lamp is older than the chair. {clause}.", "", "Is the desk old?")
    assert clause in " ".join(found.untested)


def test_a_name_joins_no_sentences_and_keeps_its_quotes() -> None:
    said = [{"text": text, "type": "logical"} for text in ("Plus refuels in Rome.", '"Straße" is a song.')]
    found = read_decomposition(reply(*said), 'Plus refuels in Rome. "Straße" is a song.', "", "Where does Plus refuel?")
    assert texts(found) == ["Plus refuels in Rome.", '"Straße" is a song.']
