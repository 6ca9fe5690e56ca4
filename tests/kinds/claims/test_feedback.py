"""What a failed check says, for each kind of feedback."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from holdtrue.claim_record import (
    CheckRecord,
    ClaimVerdict,
    ContextRecord,
    FormalizationRecord,
    JointRecord,
    PremiseRecord,
    SoftVerdict,
)
from holdtrue.kinds.claims.feedback import claim_signal
from holdtrue.kinds.claims.prompts.verification_report import VERDICTS, ClaimSignal, signal_lines
from tests.kinds.claims.test_verdict import check
from tests.kinds.claims.world import light, play, said, scripted

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
