"""Tests of `ClaimSession`: which sentences become premises, which answers drift, and what the record holds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from holdtrue.errors import InputError, ModelRefused, SettingsError
from holdtrue.models.chat import Request
from holdtrue.record import AnswerStatus, TurnOutcome
from holdtrue_claims.claim_record import ClaimVerdict
from holdtrue_claims.conversation.claim_session import ClaimSession
from holdtrue_claims.kind.record import ClaimsRecord
from holdtrue_claims.kind.settings import CheckSettings, FormalSettings
from tests.claims.kind.reader import ReaderModel
from tests.claims.kind.world import OPTIONS, QUESTION, SENTENCES, gold, light, said, scripted
from tests.recorder import Recorder


def test_by_default_only_proof_counts_and_no_convention_that_nobody_stated() -> None:
    with ClaimSession(SENTENCES, model=scripted(["Rex barks."])) as session:
        assert session.method.check == CheckSettings()
        assert (session.method.check.accept, session.method.check.formal.assume) == ("proved", ())


def session_of(*answers: str, method: str = "verge", **changes: object) -> tuple[ClaimSession, Recorder]:
    model = scripted(answers)
    chosen = light(method, **changes)
    return ClaimSession(SENTENCES, model=model, method=chosen, gold=gold()), model


def lenient(*answers: str, **changes: object) -> tuple[ClaimSession, Recorder]:
    """Accepts claims that are only possible."""
    model = scripted(answers)
    method = light("verge", **changes)
    method = replace(method, check=replace(method.check, accept="judged", judges_trusted=True, least_score=0.5))
    return ClaimSession(SENTENCES, model=model, method=method, gold=gold()), model


def verdicts(record: ClaimsRecord) -> dict[str, str]:
    check = record.final.check
    assert check is not None
    return {claim.text.strip("."): claim.verdict for claim in check.claims}


async def test_what_the_user_states_is_a_premise_from_then_on() -> None:
    session, model = session_of("Rex barks.", "Rex sleeps.", rounds=1)
    first = await session.turn("Tom does not sleep. Does Rex bark?")
    assert [(event.kind, event.id, event.sentence) for event in first.events[:1]] == [
        ("added", "U1.1", "Tom does not sleep")
    ]
    assert first.detail.context is not None and [premise.id for premise in first.detail.context.premises][-1] == "U1.1"
    second = await session.turn("Who sleeps?")
    check = second.final.check
    assert check is not None
    (claim,) = check.claims
    assert claim.verdict == ClaimVerdict.ENTAILED and set(claim.premises) == {"P5", "U1.1"}
    answers = [request for request in model.requests if request.purpose == "answer"]
    assert "\n- Tom does not sleep\n" in answers[-1].messages[-1].content
    assert [message.content for message in answers[-1].messages[1:3]] == [
        "Tom does not sleep. Does Rex bark?",
        "Rex barks.",
    ]


async def test_accepted_claims_are_premises_and_what_contradicts_them_has_drifted() -> None:
    session, model = lenient("Tom sleeps. Rex barks.", "Tom does not sleep.", "Tom sleeps.")
    first = await session.turn("What do you see?")
    assert first.outcome is TurnOutcome.CONSISTENT
    assert [(event.id, event.source) for event in first.events] == [("T1.C1", "assistant"), ("T1.C2", "assistant")]
    assert set(first.holds) >= {"P1", "T1.C1", "T1.C2"}
    second = await session.turn("And now?")
    drifted, mended = second.attempts
    assert drifted.verdict.outcome is TurnOutcome.DRIFT and drifted.check is not None
    assert (drifted.check.claims[0].verdict, drifted.check.joint.conflict) == ("possible", ("T1.C1", "C1"))
    assert mended.verdict.outcome is TurnOutcome.CONSISTENT
    repair = [request for request in model.requests if request.purpose == "answer"][-1].messages[-1].content
    assert "- Tom sleeps (you said this before)" in repair
    assert "- Tom sleeps\n" not in repair.split("Question:")[0], "the context is what others said"


async def test_claims_of_an_answer_that_breaks_something_count_for_nothing() -> None:
    session, _ = session_of("Tom sleeps. Rex does not bark.", "Tom does not sleep.", rounds=1)
    first = await session.turn("What do you see?")
    check = first.final.check
    assert check is not None and check.change == ("C2",) and not first.events
    second = await session.turn("And now?")
    assert verdicts(second) == {"Tom does not sleep": "possible"}


async def test_what_is_new_counts_although_no_score_accepts_it() -> None:
    session, _ = session_of("Tom sleeps.", "Tom does not sleep.", rounds=1)
    first = await session.turn("What do you see?")
    check = first.final.check
    assert check is not None and not check.accepted
    assert [event.id for event in first.events] == ["T1.C1"]
    second = await session.turn("And now?")
    assert (verdicts(second), second.outcome) == ({"Tom does not sleep": "possible"}, TurnOutcome.DRIFT)


async def test_nobody_licenses_what_he_says_by_having_said_it() -> None:
    session, _ = session_of("Tom sleeps.", "Tom sleeps.", rounds=1)
    for question in ("What do you see?", "And now?"):
        record = await session.turn(question)
        check = record.final.check
        assert check is not None and (verdicts(record), check.accepted) == ({"Tom sleeps": "possible"}, False)


async def test_names_of_an_answer_that_fits_are_known_from_then_on_and_no_others() -> None:
    names = ("Rex", "Bello", "Tasso")
    model = ReaderModel(
        entities=[(name, "dog") for name in names],
        predicates=[("Barks", "x barks")],
        formulas={f"{name} barks": f"Barks({name})" for name in names}
        | {f"{name} does not bark": f"not Barks({name})" for name in names},
    )
    method = replace(light("given"), check=CheckSettings(judges=1, accept="judged", formal=FormalSettings(samples=1)))
    session = ClaimSession(["Rex barks."], model=model, method=method)

    async def check(*claims: str) -> tuple[list[str], TurnOutcome]:
        model.claims = [(claim, "logical") for claim in claims]
        record = await session.acheck(" ".join(claims))
        assert record.detail.context is not None
        return list(record.detail.context.things), record.final.verdict.outcome

    assert await check("Bello barks.") == (["Rex", "Bello"], TurnOutcome.CONSISTENT)
    # The record lists the names of an answer, but the session forgets those of an answer that is violating.
    assert await check("Tasso barks.", "Rex does not bark.") == (["Rex", "Bello", "Tasso"], TurnOutcome.DRIFT)
    assert await check("Bello does not bark.") == (["Rex", "Bello"], TurnOutcome.DRIFT)
    assert model.asked["entities"] == 3


async def test_the_user_s_word_counts_more_than_an_accepted_claim() -> None:
    session, _ = lenient("Tom sleeps.", "Rex sleeps.")
    await session.turn("What do you see?")
    record = await session.turn("Tom does not sleep. Who sleeps?")
    assert [(event.kind, event.id) for event in record.events] == [
        ("added", "U2.1"),
        ("set_aside", "T1.C1"),
        ("added", "T2.C1"),
    ]
    assert record.events[1].because == ("U2.1",)
    assert "T1.C1" not in record.holds
    assert verdicts(record) == {"Rex sleeps": "entailed"}


async def test_what_the_user_says_against_the_context_is_a_contradiction_until_it_is_withdrawn() -> None:
    session, _ = session_of("Rex barks.", "Rex barks.", rounds=1)
    record = await session.turn("Rex does not bark. What follows?")
    assert record.outcome is TurnOutcome.CONTRADICTION
    assert set(record.final.verdict.mus or ()) == {"P1", "P2", "U1.1"}
    assert record.detail.context is not None and record.detail.context.status == "inconsistent"
    (event,) = session.withdraw("U1.1")
    assert (event.kind, event.sentence) == ("withdrawn", "Rex does not bark")
    later = await session.turn("And now?")
    assert later.outcome is TurnOutcome.CONSISTENT
    assert (later.events[0].kind, later.events[0].id) == ("withdrawn", "U1.1")
    with pytest.raises(InputError, match="nothing that holds"):
        session.withdraw("U1.1")


async def test_what_is_taken_back_in_words_holds_no_more_and_is_told() -> None:
    session, model = session_of("Rex sleeps.", "Tom sleeps.", rounds=1)
    await session.turn("Tom does not sleep. Who sleeps?")
    record = await session.turn("Forget that Tom does not sleep. Who sleeps?")
    assert ("withdrawn", "U1.1") in [(event.kind, event.id) for event in record.events]
    assert verdicts(record) == {"Tom sleeps": "possible"}
    prompt = [request for request in model.requests if request.purpose == "answer"][-1].messages[-1].content
    assert "does not hold any more:\n- Tom does not sleep" in prompt
    assert "Tom does not sleep" not in prompt.split("This was taken back")[0]


async def test_what_was_never_said_is_told_of_in_the_readings() -> None:
    session, _ = session_of("Rex barks.", rounds=1)
    record = await session.turn("Forget what I said about the hotel with a pool. Who barks?")
    (reading,) = record.readings
    assert (reading.status, reading.act) == ("rejected", "withdraws")


async def test_an_answer_that_exists_is_checked_without_asking_for_another() -> None:
    session, model = session_of()
    record = await session.acheck("Rex is a dog. Tom is a dog.", "What is Rex?")
    assert record.method == "given" and record.final.verdict.refuted == ("C2",)
    assert not record.final.calls
    assert not record.extraction
    assert {call.purpose for call in record.measuring} == {request.purpose for request in model.requests}
    assert "answer" not in {request.purpose for request in model.requests}
    assert record.delivered == "Rex is a dog. Tom is a dog."
    again = await session.acheck('{"answer": "C"}', QUESTION, OPTIONS)
    assert again.final.answer == {"option": "C"}
    assert again.final.verdict.answer is AnswerStatus.VIOLATING


async def test_a_method_of_given_answers_asks_for_none() -> None:
    session, _ = session_of(method="given")
    with pytest.raises(InputError, match="check"):
        await session.turn("What is true?")


async def test_a_model_that_fails_leaves_the_session_as_it_was() -> None:
    def refuse(request: Request) -> str:
        raise ModelRefused("down")

    session = ClaimSession(SENTENCES, model=scripted(refuse), method=light("verge"), gold=gold())
    with pytest.raises(ModelRefused):
        await session.turn("Tom does not sleep. Who sleeps?")
    assert not session.history and set(session.ledger.active) == {"P1", "P2", "P3", "P4", "P5"}


async def test_other_models_formalize_in_turn_with_the_first() -> None:
    model, other = scripted([said("B", "Rex barks")]), scripted([])
    other.name = "script/other"
    method = light("verge")
    check = replace(method.check, formal=replace(method.check.formal, samples=2))
    session = ClaimSession(
        SENTENCES, model=model, method=replace(method, check=check), gold=gold(), formalizers=[other]
    )
    record = await session.turn(QUESTION, OPTIONS)
    assert [request.purpose for request in other.requests] == ["formalize"]
    assert sum(request.purpose == "formalize" for request in model.requests) == 1
    assert record.reader == "gold+script/other"
    assert len(record.final.calls) == len(model.requests) + len(other.requests)
    with pytest.raises(SettingsError):
        ClaimSession(SENTENCES, model=model, formalizers="script/other")


def test_a_text_is_split_into_premises_and_the_face_needs_no_await() -> None:
    model = scripted(["Rex barks."])
    with ClaimSession("Rex is a dog. All dogs bark.", model=model, method=light("verge"), gold=gold()) as session:
        record = session.ask("Does Rex bark?")
        assert session.check("Rex barks.").turn == 2
    assert record.detail.context is not None
    assert [premise.text for premise in record.detail.context.premises] == ["Rex is a dog", "All dogs bark"]


async def test_a_question_with_options_states_nothing() -> None:
    session, _ = session_of(said("B", "Rex barks"), rounds=1)
    record = await session.turn("Tom is a dog. Which of these is true?", OPTIONS)
    assert not [event for event in record.events if event.id.startswith("U")]
    assert record.final.check is not None and record.final.check.supported == "B"


async def test_statements_can_be_given_apart() -> None:
    session, _ = session_of("Rex sleeps.", rounds=1)
    record = await session.turn("He is awake, you know.", stated=["Tom does not sleep"])
    assert [event.sentence for event in record.events if event.id == "U1.1"] == ["Tom does not sleep"]
    assert verdicts(record) == {"Rex sleeps": "entailed"}


async def test_a_later_question_has_options_of_its_own() -> None:
    session, model = session_of(said("B", "Rex barks"), said("A", "Tom is not a dog"), "Rex barks.", rounds=1)
    await session.turn(QUESTION, OPTIONS)
    record = await session.turn("And of these?", {"A": "Tom is not a dog", "B": "Tom barks"})
    check = record.final.check
    assert check is not None and (check.proved, check.supported, check.option) == ("A", "A", "A")
    assert [request.purpose for request in model.requests].count("statement") == 2, "those of the first were given"
    free = await session.turn("What do you hear?")
    assert free.final.check is not None and free.final.check.proved is None


async def test_models_given_by_name_are_opened(tmp_path: Path) -> None:
    script = tmp_path / "other.json"
    script.write_text('["{\\"formula\\": \\"Barks(Rex)\\"}"]', encoding="utf-8")
    model = scripted(["Rex barks."])
    session = ClaimSession(SENTENCES, model=model, method=light("verge"), gold=gold(), formalizers=[f"script/{script}"])
    assert session.formalizers[0].name == "script/other.json"
    record = await session.turn("What do you hear?")
    assert record.outcome is TurnOutcome.CONSISTENT
    await session.aclose()


async def test_a_premise_that_is_withdrawn_at_once_leaves_the_others_their_names() -> None:
    session, _ = session_of("Rex barks.", rounds=1)
    session.withdraw("P3")
    record = await session.turn("What do you hear?")
    assert record.detail.context is not None
    assert [premise.id for premise in record.detail.context.premises] == ["P1", "P2", "P4", "P5"]
    check = record.final.check
    assert check is not None and check.claims[0].premises == ("P1", "P2")


async def test_what_was_said_while_nothing_was_measured_counts_where_an_answer_is_checked() -> None:
    session = ClaimSession(SENTENCES, model=scripted(["Hm."] * 2), method=light("cot"), gold=gold(), measure=False)
    plain = await session.turn("Tom does not sleep. Who sleeps?")
    assert plain.detail.context is None and plain.final.check is None
    checked = await session.acheck("Rex sleeps.")
    assert verdicts(checked) == {"Rex sleeps": "entailed"}
    await session.turn("I see.")
    again = await session.acheck("Rex does not sleep.")
    assert verdicts(again) == {"Rex does not sleep": "contradictory"}
    claim = again.final.check
    assert claim is not None and claim.claims[0].premises in (("T2.C1",), ("P5", "U1.1"))


async def test_a_record_survives_json() -> None:
    session, _ = lenient("Rex does not bark.", "Tom sleeps.", rounds=2)
    record = await session.turn("Rex is tired, I think. Forget what I said about the hotel with a pool.")
    shape = TypeAdapter(ClaimsRecord)
    assert record.detail.context is not None and record.final.check is not None
    assert shape.validate_json(shape.dump_json(record)) == record
