"""A simulated reasoner does every step of the pipeline, as the pipeline's own prompts ask for it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from holdtrue.language.asking import Asking
from holdtrue.models.chat import Request, user
from holdtrue_claims.claim_record import ClaimVerdict, SoftVerdict
from holdtrue_claims.conversation.claim_session import ClaimSession
from holdtrue_claims.fol.canonical import same_tree
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.syntax import Sentence
from holdtrue_claims.fol.vocabulary import Entity, Function, Predicate, Vocabulary
from holdtrue_claims.kind.gold_logic import STATEMENT, GoldLogic
from holdtrue_claims.kind.prompts.back_translation import back_translate
from holdtrue_claims.kind.prompts.bridges import propose_bridges
from holdtrue_claims.kind.prompts.decomposition import decompose
from holdtrue_claims.kind.prompts.formalization import formalize
from holdtrue_claims.kind.prompts.judges import judge
from holdtrue_claims.kind.record import ClaimsRecord
from holdtrue_lab.kinds.claims.item import Item
from holdtrue_lab.kinds.claims.method import METHODS
from holdtrue_lab.kinds.claims.simulation.model import SimulatedReasoner
from holdtrue_lab.kit.simulation.model import LOST
from holdtrue_lab.suites.verge.dialogues.study import load_dialogues


def said(text: str) -> Sentence:
    sentence = read_fol(text).sentence
    assert sentence is not None
    return sentence


PREMISES = {
    "If someone is a musician, then they practise daily.": "forall x (Musician(x) -> PractisesDaily(x))",
    "Everyone who works at the opera is a musician or a dancer.": "forall x (AtOpera(x) -> Musician(x) or Dancer(x))",
    "Mia works at the opera.": "AtOpera(Mia)",
    "Mia is not a dancer.": "not Dancer(Mia)",
}
PREDICATES = {
    "Musician": "x is a musician",
    "Dancer": "x is a dancer",
    "AtOpera": "x works at the opera",
    "PractisesDaily": "x practises daily",
}
VOCABULARY = Vocabulary(
    (Entity("Mia", "person"),), tuple(Predicate(name, ("person",), meaning) for name, meaning in PREDICATES.items())
)
ITEM = Item(
    "opera",
    " ".join(PREMISES),
    "Is the statement true, false, or uncertain? Mia practises daily.",
    {"A": "True", "B": "False", "C": "Uncertain"},
    "A",
    tuple(PREMISES),
    "Mia practises daily.",
    gold=GoldLogic(
        VOCABULARY,
        {f"P{place}": said(text) for place, text in enumerate(PREMISES.values(), start=1)},
        {STATEMENT: said("PractisesDaily(Mia)")},
    ),
)
ORDER = Item(
    "order",
    "There are three birds: an owl, a crow, and a hen. The owl is older than the crow. The crow is not the youngest.",
    "Which is true?",
    {"A": "The owl is the oldest.", "B": "The crow is the oldest.", "C": "The hen is the oldest."},
    "A",
    (
        "There are three birds: an owl, a crow, and a hen.",
        "The owl is older than the crow.",
        "The crow is not the youngest.",
    ),
    gold=GoldLogic(
        Vocabulary(
            (Entity("owl", "bird"), Entity("crow", "bird"), Entity("hen", "bird")),
            functions=(Function("age", ("bird",), 1, 3, True, "the place of x by age, from 1 (the youngest)"),),
        ),
        {
            "P1": said(
                "forall x in bird (x = owl or x = crow or x = hen) and forall x in bird (1 <= age(x) and age(x) <= 3) "
                "and age(owl) != age(crow) and age(crow) != age(hen) and age(hen) != age(owl)"
            ),
            "P2": said("age(owl) > age(crow)"),
            "P3": said("age(crow) != 1"),
        },
        {letter: said(f"age({bird}) = 3") for letter, bird in zip("ABC", ("owl", "crow", "hen"), strict=True)},
    ),
)


def asking(name: str = "sim/claims", *items: Item) -> Asking:
    return Asking(SimulatedReasoner(name, items or (ITEM, ORDER)))


async def play(item: Item, name: str = "sim/claims", method: str = "verge") -> ClaimsRecord:
    session = ClaimSession(item.sentences, model=SimulatedReasoner(name, (ITEM, ORDER)), method=METHODS[method])
    try:
        return await session.turn(item.question, item.options, statement=item.statement)
    finally:
        await session.aclose()


@pytest.mark.parametrize("item", [ITEM, ORDER], ids=lambda item: item.id)
@pytest.mark.parametrize("name", ["logic_lm", "linc", "proof_of_thought", "dsb"])
async def test_without_faults_every_program_proves_the_right_option(item: Item, name: str) -> None:
    record = await play(item, method=name)
    programs = [attempt.program for attempt in record.attempts if attempt.program is not None]
    assert programs and {each.status for each in programs} == {"executed"}
    assert record.final.answer == {"option": item.answer}


async def test_a_garbled_program_says_so() -> None:
    record = await play(ITEM, "sim/claims:garble=1", "proof_of_thought")
    assert {attempt.program and attempt.program.status for attempt in record.attempts} == {"error"}
    assert record.final.program is not None and "rule 1 cannot be read" in record.final.program.faults[0]
    [once] = (await play(ITEM, "sim/claims:garble=1", "dsb")).attempts
    assert once.answer is None and once.program is not None and "the script cannot be read" in once.program.faults[0]


@pytest.mark.parametrize("item", [ITEM, ORDER], ids=lambda item: item.id)
async def test_without_faults_everything_is_right_and_proved(item: Item) -> None:
    record = await play(item)
    check, context = record.final.check, record.detail.context
    assert check is not None and context is not None and item.gold is not None
    assert all(premise.formula for premise in context.premises)
    assert record.final.answer == {"option": item.answer} and record.final.kind == "answer"
    assert check.accepted and check.score == 1.0 and check.supported == check.proved == item.answer
    assert {claim.verdict for claim in check.claims} == {ClaimVerdict.ENTAILED}
    assert not any(call.annotations for call in record.final.calls)


async def test_a_misread_sentence_says_something_else_in_the_same_words() -> None:
    own = asking("sim/claims:misread=1")
    for text, formula in PREMISES.items():
        for sample in range(4):
            read = await formalize(own, VOCABULARY, text, temperature=1.0, sample=sample)
            assert read.sound and read.sentence is not None and not same_tree(read.sentence, said(formula))
    assert {call.annotations["injected"] for call in own.calls} == {"misread"}
    draws = asking("sim/claims:misread=0.5")
    read_well = [
        (await formalize(draws, VOCABULARY, "Mia works at the opera.", sample=sample)).sentence == said("AtOpera(Mia)")
        for sample in range(40)
    ]
    assert 8 <= sum(read_well) <= 32


async def test_what_no_formula_of_the_item_says_is_told_by_its_names() -> None:
    told = await back_translate(asking(), VOCABULARY, "AtOpera(Mia) and Dancer(Mia)")
    assert "AtOpera" in told and "Dancer" in told
    assert (
        await back_translate(asking(), VOCABULARY, "not AtOpera(Mia)")
        == "It is not the case that Mia works at the opera."
    )


async def test_judges_say_what_is_so_unless_confused() -> None:
    context = " ".join(PREMISES)
    verdicts = {
        "Mia practises daily.": SoftVerdict.SUPPORTED,
        "It is not the case that Mia practises daily.": SoftVerdict.UNSUPPORTED,
        "Mia likes tea.": SoftVerdict.UNCERTAIN,
    }
    for claim, verdict in verdicts.items():
        assert (await judge(asking(), context, claim)).verdict is verdict
        for sample in range(3):
            assert (await judge(asking("sim/claims:confuse=1"), context, claim, sample=sample)).verdict is not verdict


async def test_small_questions_have_answers_too() -> None:
    assert await propose_bridges(asking(), VOCABULARY, {"C1": "Mia is happy."}, {"C2": "Mia is a dancer."}) == ()


async def test_of_items_that_share_sentences_the_one_with_these_words_is_meant() -> None:
    gold = ITEM.gold
    assert gold is not None
    other = replace(
        ITEM,
        id="other",
        question="Is it? Mia is famous.",
        statement="Mia is famous.",
        gold=GoldLogic(
            Vocabulary(VOCABULARY.entities, (Predicate("WorksAtOpera", ("person",), "x works at the opera"),)),
            {"P3": said("WorksAtOpera(Mia)")},
            {},
        ),
    )
    own = asking("sim/claims", ITEM, other)
    for item in (ITEM, other):
        assert item.gold is not None
        read = await formalize(own, item.gold.vocabulary, "Mia works at the opera.")
        assert read.sound and read.sentence == item.gold.premises["P3"]
    record = await play(other, method="direct")
    assert record.final.answer is None  # it was given no such item


async def test_answers_of_dialogues_are_known() -> None:
    dialogues = load_dialogues()
    own = Asking(SimulatedReasoner("sim/claims", dialogues=dialogues))
    for dialogue in dialogues:
        for turn in dialogue.turns:
            found = await decompose(own, turn.assistant, question=turn.user)
            texts = [claim.text.casefold() for claim in found.claims]
            assert texts[: len(turn.claims)] == [claim.text.casefold() for claim in turn.claims.values()]
            for claim in turn.claims.values():
                read = await formalize(own, dialogue.vocabulary, claim.text)
                assert read.sound and read.sentence == claim.sentence


async def test_the_same_request_has_the_same_reply_and_nothing_known_is_said_so() -> None:
    own = SimulatedReasoner("sim/claims:misread=0.5,wrong=0.5@3", (ITEM,))
    request = Request((user("Hello?"),), "answer")
    assert (await own.complete(request)).text == LOST
    assert own.name == "sim/claims:wrong=0.5,misread=0.5@3"
    once, again = [await formalize(Asking(own), VOCABULARY, "Mia is not a dancer.") for _ in range(2)]
    assert once == again
    assert not (await formalize(Asking(own), VOCABULARY, "Mia likes tea.")).sound
    await own.aclose()
