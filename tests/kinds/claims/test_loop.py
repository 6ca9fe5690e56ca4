"""The published loop: what is given, when it stops, and what it costs."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.claim_record import (
    CheckRecord,
    ClaimVerdict,
    ContextRecord,
    FormalizationRecord,
    JointRecord,
    PremiseRecord,
    SoftVerdict,
)
from holdtrue.kinds.claims.loop import claim_signal, play_claims
from holdtrue.kinds.claims.method import CLAIM_PRESETS, ClaimMethod
from holdtrue.kinds.claims.prompts.verification_report import VERDICTS, ClaimSignal, signal_lines
from holdtrue.kinds.claims.turn import ClaimPlayed, ClaimTurn
from holdtrue.language.asking import Asking
from holdtrue.models.chat import Request
from holdtrue.record import AnswerStatus, TurnOutcome
from tests.kinds.claims.test_answering import check
from tests.kinds.claims.world import light, play, said, scripted

GOOD = said("B", "Rex is a dog", "All dogs bark", "Rex barks")
WRONG = said("A", "Rex is a dog", "Rex does not bark")
CLASH = said("B", "Tom does not sleep", "Rex does not sleep", "Rex barks")
EMPTY = said("", "")
PROBLEM = '{"problems":["Rex barks."]}'
REPLIES = {
    "good": GOOD,
    "wrong": WRONG,
    "worse": said("A", "Rex does not bark", "Tom is a dog"),
    "weak": said("B", "Tom barks", "Tom sleeps", "Rex barks"),
    "soft": said("B", "This answer is nice", "Rex barks", "That one is bad"),
    "clash": CLASH,
    "empty": EMPTY,
}


def answers(played: ClaimPlayed) -> list[str]:
    return [attempt.kind for attempt in played.attempts]


async def test_an_accepted_answer_ends_it() -> None:
    model = scripted([GOOD])
    played = await play(light("verge"), model)
    assert answers(played) == ["answer"]
    (attempt,) = played.attempts
    assert attempt.answer == {"option": "B"}
    assert attempt.check is not None and attempt.check.accepted and attempt.check.score == 1.0
    assert attempt.verdict.outcome is TurnOutcome.CONSISTENT
    assert [call.purpose for call in attempt.calls][:2] == ["answer", "decompose"]
    assert not played.measuring


async def test_a_wrong_answer_is_asked_for_again_with_what_contradicts_it() -> None:
    model = scripted([WRONG, GOOD])
    played = await play(light("verge"), model)
    assert answers(played) == ["answer", "repair"]
    first, last = played.attempts
    assert first.verdict.answer is AnswerStatus.VIOLATING and first.verdict.refuted == ("C2",)
    assert last.verdict.answer is AnswerStatus.RESPECTING
    prompt = [request for request in model.requests if request.purpose == "answer"][-1].messages[-1].content
    assert "This claim is contradicted by what was said: Rex does not bark" in prompt
    report = prompt.split("VERIFICATION REPORT")[1]
    assert "- Rex is a dog." in report and "- All dogs bark." in report
    assert "No cat is a dog." not in report, "it has no part in the conflict"


async def test_claims_that_clash_together_are_a_conflict_of_the_answer() -> None:
    played = await play(light("verge", rounds=1), scripted([CLASH]))
    (attempt,) = played.attempts
    assert attempt.verdict.answer is AnswerStatus.VIOLATING and not attempt.verdict.refuted
    assert attempt.verdict.mus is not None and set(attempt.verdict.mus) == {"P5", "C1", "C2"}
    assert attempt.verdict.outcome is TurnOutcome.DRIFT


async def test_the_best_answer_is_given_where_none_is_accepted() -> None:
    played = await play(light("verge", converge=None), scripted([REPLIES["weak"], REPLIES["worse"], REPLIES["worse"]]))
    assert answers(played) == ["answer", "repair", "repair", "best"]
    first, last = played.attempts[0], played.attempts[-1]
    assert last == replace(first, attempt=4, kind="best", calls=())
    assert "Tom barks" in played.delivered


async def test_a_score_that_stands_still_ends_it() -> None:
    played = await play(light("verge"), scripted([REPLIES["weak"]] * 2))
    assert answers(played) == ["answer", "repair", "best"]
    played = await play(light("verge_t10"), scripted([REPLIES["weak"]] * 10))
    assert answers(played) == ["answer", *["repair"] * 9, "best"]


async def test_a_patient_method_goes_on_after_an_accepted_answer_and_gives_it_all_the_same() -> None:
    replies = [REPLIES["weak"], GOOD, REPLIES["worse"]]
    played = await play(light("verge", converge=None, patient=True), scripted(replies))
    assert answers(played) == ["answer", "repair", "repair", "best"]
    assert played.attempts[-1].text == GOOD
    impatient = await play(light("verge", converge=None), scripted(replies))
    assert answers(impatient) == ["answer", "repair"]


async def test_an_answer_without_claims_is_unparsed_and_scores_nothing() -> None:
    played = await play(light("verge", rounds=2, converge=None), scripted([EMPTY, GOOD]))
    assert played.attempts[0].verdict.answer is AnswerStatus.UNPARSED
    assert played.attempts[-1].verdict.answer is AnswerStatus.RESPECTING


def expected(scores: list[float], accepted: list[bool], rounds: int, converge: float | None) -> tuple[int, int]:
    """How many answers algorithm 1 asks for, and which of them (from 0) it gives: line by line, as it is printed."""
    best, best_score = -1, -1.0  # below any score, so that the first answer is better than none
    before: float | None = None
    for t in range(rounds):
        if scores[t] > best_score:
            best, best_score = t, scores[t]
        if accepted[t]:
            return t + 1, t
        if converge is not None and before is not None and abs(scores[t] - before) < converge:
            return t + 1, best
        before = scores[t]
    return rounds, best


@given(
    st.lists(st.sampled_from(sorted(REPLIES)), min_size=4, max_size=4),
    st.integers(1, 4),
    st.sampled_from([None, 0.01, 0.3]),
)
@settings(max_examples=15, deadline=None)
def test_it_stops_and_gives_what_algorithm_1_does(names: list[str], rounds: int, converge: float | None) -> None:
    single = {name: asyncio.run(play(light("verge", rounds=1), scripted([REPLIES[name]]))) for name in set(names)}
    checks = [single[name].attempts[0].check for name in names]
    scores = [check.score for check in checks if check is not None]
    accepted = [check.accepted for check in checks if check is not None]
    asked, given = expected(scores, accepted, rounds, converge)
    model = scripted([REPLIES[name] for name in names])
    played = asyncio.run(play(light("verge", rounds=rounds, converge=converge), model))
    own = [attempt for attempt in played.attempts if attempt.kind != "best"]
    assert len(own) == asked
    assert played.attempts[-1].text == REPLIES[names[given]]
    assert played.attempts[-1].check == own[given].check
    assert (played.attempts[-1].kind == "best") == (given != asked - 1)
    # Every call is counted once, with the answer that it was for.
    assert sum(len(attempt.calls) for attempt in played.attempts) == len(model.requests)


async def test_a_method_that_verifies_needs_premises() -> None:
    turn = ClaimTurn(Asking(scripted([])), (), "?", {}, None)
    with pytest.raises(ValueError, match="premises"):
        await play_claims(light("verge"), turn)


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        ("verge", ["answer", "repair"]),
        ("self_refine", ["answer", "refine"]),
        ("logic_lm", ["program", "refine", "fallback"]),
        ("linc", ["program", "program"]),
    ],
)
async def test_no_further_answer_is_begun_beyond_the_tokens_of_a_turn(name: str, kinds: list[str]) -> None:
    async def played(most: int | None) -> ClaimPlayed:
        model = scripted(lambda request: PROBLEM if request.purpose == "critique" else WRONG)
        return await play(replace(light(name), rounds=2, samples=2, converge=None, turn_tokens=most), model)

    free = await played(None)
    assert answers(free)[: len(kinds)] == kinds
    first = sum(call.usage.tokens for call in free.attempts[0].calls)
    assert len(answers(await played(first))) < len(answers(free))
    assert answers(await played(first + 1))[:2] == kinds[:2]
    assert answers(await played(1))[0] == kinds[0], "the first one is always asked for"


BASELINES = ("direct", "cot", "self_consistency", "self_refine", "tree_of_thought")
PROGRAMS = ("logic_lm", "linc", "proof_of_thought", "dsb")
CHECKING = {"decompose", "formalize", "correct", "retell", "judge", "bridge"}
BUDGETS = {"direct": 1, "cot": 1, "self_consistency": 3, "self_refine": 6, "tree_of_thought": 40}


def ever_critical(request: Request, thoughts: Iterator[int]) -> str:
    """Finds something in every answer, and never thinks the same twice."""
    replies = {
        "critique": '{"ok": false, "problems": ["The second step does not follow."]}',
        "thought": json.dumps({"thought": f"Thought {next(thoughts)} is a step."}),
        "rate": '{"rating": 5}',
    }
    return replies.get(request.purpose) or said("B", "Rex barks")


@pytest.mark.parametrize("name", BASELINES)
async def test_calls_stay_within_the_budget(name: str) -> None:
    model = scripted(_answers())
    played = await play(light(name), model)
    own = [call.purpose for attempt in played.attempts for call in attempt.calls]
    assert len(own) <= BUDGETS[name]
    if name != "self_refine":  # a critique of the last answer would change nothing
        assert len(own) == BUDGETS[name]
    else:
        assert own == ["answer", "critique", "answer", "critique", "answer"]
    assert not CHECKING & set(own)
    measured = Counter(call.purpose for call in played.measuring)
    assert set(measured) <= CHECKING and measured["decompose"] == 1, "only the last answer is checked"
    assert len(own) + len(played.measuring) == len(model.requests)


def _answers() -> Callable[[Request], str]:
    thoughts = iter(range(1000))
    return lambda request: ever_critical(request, thoughts)


@pytest.mark.parametrize("name", BASELINES)
async def test_nothing_is_checked_where_nothing_is_measured(name: str) -> None:
    model = scripted(_answers())
    played = await play(light(name), model, measured=False)
    assert not CHECKING & {request.purpose for request in model.requests}
    assert played.attempts[-1].check is None
    assert played.attempts[-1].verdict.outcome is TurnOutcome.UNDECIDED
    assert played.attempts[-1].verdict.reason == "the answer was not checked"


@pytest.mark.parametrize(("options", "given"), [("ABB", "B"), ("ABC", "A"), ("xAA", "A"), ("xxC", "C"), ("CAC", "C")])
async def test_the_option_given_most_often_wins(options: str, given: str) -> None:
    played = await play(light("self_consistency"), scripted([said(option) for option in options]))
    assert [attempt.kind for attempt in played.attempts] == ["sample"] * 3 + ["vote"]
    assert played.attempts[-1].answer == {"option": given}
    assert not played.attempts[-1].calls


async def test_without_any_option_the_first_sample_is_given() -> None:
    played = await play(light("self_consistency"), scripted(["First.", "Second.", "Third."]), options={})
    assert played.delivered == "First."


async def test_samples_are_draws_of_their_own() -> None:
    model = scripted([said("B")] * 3)
    await play(light("self_consistency"), model, measured=False)
    assert [request.sample for request in model.requests] == [0, 1, 2]
    assert {request.temperature for request in model.requests} == {0.7}


async def test_a_critique_that_finds_nothing_ends_the_mending() -> None:
    replies = {"critique": '{"ok": true, "problems": []}', "answer": said("B", "Rex barks")}
    played = await play(light("self_refine"), scripted(lambda request: replies[request.purpose]))
    (attempt,) = played.attempts
    assert [call.purpose for call in attempt.calls] == ["answer", "critique"]
    assert attempt.verdict.answer is AnswerStatus.RESPECTING


async def test_a_critique_is_answered() -> None:
    replies = iter(
        [said("A", "Rex sleeps"), '{"ok": false, "problems": ["Rex may be awake."]}', said("B"), '{"ok": 1}']
    )
    model = scripted(lambda request: next(replies, said("C")))
    played = await play(light("self_refine"), model, measured=False)
    assert [attempt.answer for attempt in played.attempts] == [{"option": letter} for letter in "ABC"]
    refined = model.requests[2].messages
    assert [message.role for message in refined] == ["system", "user", "assistant", "user"]
    assert refined[2].content == said("A", "Rex sleeps") and "- Rex may be awake." in refined[3].content


class Tree:
    """Numbers thoughts and answers in the order in which they come; answers name the last thought of their path.

    What holds the second step is rated best, and the third answer best of all.
    """

    def __init__(self) -> None:
        self.thoughts = 0
        self.answers = 0

    def __call__(self, request: Request) -> str:
        if request.purpose == "rate":
            text = request.messages[-1].content
            return json.dumps({"rating": 3 + 3 * ("Step 2" in text) + ("Answer 3" in text)})
        if request.purpose == "thought":
            self.thoughts += 1
            return json.dumps({"thought": f"Step {self.thoughts}."})
        self.answers += 1
        return said("B", f"Answer {self.answers}", request.messages[-2].content.strip("."))


async def test_the_best_thoughts_are_gone_on_with_and_the_best_answer_is_given() -> None:
    model = scripted(Tree())
    method = light("tree_of_thought", breadth=2, branches=3, depth=2)
    played = await play(method, model, measured=False)
    kinds = [attempt.kind for attempt in played.attempts]
    assert kinds == ["sample"] * 6 + ["best"]
    assert Counter(request.purpose for request in model.requests) == {"thought": 2, "rate": 2 + 6, "answer": 6}
    assert "Answer 3" in played.delivered and "Step 2" in played.delivered
    # The better of the two first thoughts is gone on with first.
    assert "Step 2" in played.attempts[0].text and "Step 1" in played.attempts[3].text


async def test_the_same_thought_twice_is_rated_and_gone_on_with_once() -> None:
    replies = {"thought": '{"thought": "The same."}', "rate": '{"rating": 4}', "answer": said("B")}
    model = scripted(lambda request: replies[request.purpose])
    await play(light("tree_of_thought"), model, measured=False)
    assert Counter(request.purpose for request in model.requests) == {"thought": 5, "rate": 1 + 3, "answer": 3}


@pytest.mark.parametrize("depth", [1, 2, 3])
async def test_calls_of_a_tree_are_as_many_as_is_said(depth: int) -> None:
    model = scripted(_answers())
    await play(light("tree_of_thought", breadth=2, branches=2, depth=depth), model, measured=False)
    assert len(model.requests) == 2 * (2 + (depth - 1) * 2 * 2)


@pytest.mark.parametrize("name", ["restate_premises", "solver_only"])
async def test_controls_ask_the_model_for_no_answer(name: str) -> None:
    model = scripted([])
    played = await play(light(name), model)
    assert {request.purpose for request in model.requests} <= CHECKING
    assert not played.attempts[-1].calls
    assert played.attempts[-1].answer == {"option": "A" if name == "restate_premises" else "B"}


async def test_the_solver_alone_gives_what_the_premises_prove() -> None:
    played = await play(light("solver_only"), scripted([]))
    assert played.delivered == "Rex barks"
    assert played.attempts[-1].verdict.answer is AnswerStatus.RESPECTING
    open_options = {"A": "Tom sleeps", "B": "Rex sleeps"}
    played = await play(light("solver_only"), scripted([]), options=open_options)
    assert played.attempts[-1].answer is None and played.attempts[-1].verdict.answer is AnswerStatus.UNPARSED


async def test_repeating_the_premises_is_supported_and_restated() -> None:
    played = await play(light("restate_premises"), scripted([]), options={"A": "Rex barks"})
    check = played.attempts[-1].check
    assert check is not None and check.accepted
    assert sum(claim.restated for claim in check.claims) == 5


def test_every_preset_is_one_of_these_or_verifies() -> None:
    others = {name for name, method in CLAIM_PRESETS.items() if method.answerer == "model" and not method.verifies}
    assert others == {*BASELINES, *PROGRAMS}
    assert {name for name in others if CLAIM_PRESETS[name].writes_programs} == set(PROGRAMS)
    assert all(isinstance(method, ClaimMethod) for method in CLAIM_PRESETS.values())


CONTEXT = ContextRecord(
    {},
    {},
    (
        PremiseRecord("P1", "Rex is a dog", "Dog(Rex)"),
        PremiseRecord("U2.1", "Dogs bark", None, "user"),
        PremiseRecord("T1.C2", "Rex sleeps", None, "claim"),
    ),
    "consistent",
)


def mixed() -> CheckRecord:
    """Claims with all that can be wrong."""
    joint = JointRecord(
        "conflict", ("T1.C2", "B1", "C3"), bridges=(PremiseRecord("B1", "Who sleeps is silent", None, "bridge"),)
    )
    found = check("entailed", "contradictory", "possible", "unsupported", joint=joint)
    made = FormalizationRecord(("Loud(Rex)",), 0, refused="unread", reason="no sample could be read")
    first, second, third, fourth = found.claims
    second = replace(second, premises=("P1", "U2.1"), holds={"Secret(Rex)": 1})
    fourth = replace(fourth, formalization=made)
    return replace(
        found, claims=(first, second, third, fourth), change=("C2", "C3"), option="A", supported="C", proved="B"
    )


def test_full_feedback_says_everything_in_sentences() -> None:
    lines = signal_lines(claim_signal("full", mixed(), CONTEXT), "It barks.")
    assert lines[1:3] == ["You answered:", "It barks."]
    text = "\n".join(lines)
    assert "Status: contradicted." in text
    assert "contradicted by what was said: Claim 2\n  It cannot be true together with:\n  - Rex is a dog" in text
    assert "  - Dogs bark (the user said this)" in text
    assert (
        "These cannot all be true together:\n- Rex sleeps (you said this before)\n"
        "- Who sleeps is silent (this is assumed)\n- Claim 3 (your claim)"
    ) in text
    assert "enough to change these claims:\n- Claim 2\n- Claim 3\n" in text
    assert "keep them:\n- Claim 1\n" in text
    assert "- Claim 3 (possible, but it does not follow)\n- Claim 4 (nothing supports it)" in text
    assert "- Claim 4 (no sample could be read)" in text
    assert text.endswith("correct your own reasoning.")


def test_each_kind_says_less() -> None:
    full = claim_signal("full", mixed(), CONTEXT)
    assert claim_signal("no_mcs", mixed(), CONTEXT) == replace(full, change=())
    assert claim_signal("core", mixed(), CONTEXT) == ClaimSignal(full.status, full.refuted, full.clash)
    assert claim_signal("minimal", mixed(), CONTEXT) == ClaimSignal("failed")


@pytest.mark.parametrize("kind", ["full", "no_mcs", "core", "minimal"])
def test_neither_a_witness_nor_the_solver_s_option_is_told(kind: str) -> None:
    one = claim_signal(kind, mixed(), CONTEXT)  # type: ignore[arg-type]
    other = claim_signal(kind, replace(mixed(), proved="C", supported="B", option="D"), CONTEXT)  # type: ignore[arg-type]
    assert one == other
    assert "Secret" not in "\n".join(signal_lines(one, ""))


@pytest.mark.parametrize(
    ("found", "status"),
    [
        (check(), "no_claims"),
        (check("possible"), "weak"),
        (check("contradictory"), "refuted"),
        (check("possible", "possible", joint=JointRecord("conflict", ("C1", "C2"))), "clash"),
        (check("inconsistent_context"), "context"),
        (check("supported", joint=JointRecord("inconsistent_context")), "context"),
    ],
)
def test_the_status_is_the_worst_that_was_found(found: CheckRecord, status: str) -> None:
    assert claim_signal("core", found, CONTEXT).status == status


def test_premises_that_clash_are_quoted() -> None:
    context = replace(CONTEXT, status="inconsistent", conflict=("P1", "U2.1"))
    signal = claim_signal("full", check("inconsistent_context"), context)
    assert signal.clash == ("Rex is a dog", "Dogs bark (the user said this)")


def test_every_verdict_that_may_be_mended_has_words() -> None:
    settled = {"entailed", "contradictory", "inconsistent_context", "supported"}
    assert set(VERDICTS) == {*ClaimVerdict, *SoftVerdict} - settled


@pytest.mark.parametrize(
    ("name", "phrases", "hidden"),
    [
        ("verge", ["cannot be true together with", "enough to change", "keep them"], []),
        ("verge_no_mcs", ["cannot be true together with", "keep them"], ["enough to change"]),
        ("verge_core_only", ["cannot be true together with"], ["enough to change", "keep them"]),
        ("verge_minimal", ["did not pass"], ["cannot be true", "enough to change", "keep them", "contradicted"]),
    ],
)
async def test_methods_differ_in_what_they_tell(name: str, phrases: list[str], hidden: list[str]) -> None:
    model = scripted([said("A", "Rex is a dog", "Rex does not bark"), said("B", "Rex barks")])
    await play(light(name), model)
    prompt = [request for request in model.requests if request.purpose == "answer"][-1].messages[-1].content
    assert all(words in prompt for words in phrases)
    assert not [words for words in hidden if words in prompt]
    assert json.loads(said("A", "Rex is a dog", "Rex does not bark"))["reasoning"] in prompt
