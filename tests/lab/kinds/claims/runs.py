"""Small runs about claims, written by hand."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from holdtrue_claims.claim_record import (
    AlertRecord,
    CheckRecord,
    ClaimRecord,
    ClaimVerdict,
    ContextRecord,
    FormalizationRecord,
    JointRecord,
    PremiseRecord,
    Route,
    SoftVerdict,
)
from holdtrue_lab.kinds.claims.entry import ClaimEntry
from tests.lab.kinds.claims.claimed import answer, call, check, entry
from tests.lab.kinds.written import write_run

PROBLEM_LINES = ("P1: All cats purr.", "P2: Tom is a cat.", "Does Tom purr?", "A) True", "B) False", "C) Uncertain")
PREMISES = (
    PremiseRecord("P1", "All cats purr.", "∀x (Cat(x) → Purrs(x))"),
    PremiseRecord(
        "P2", "Tom is a cat.", "Cat(tom)", refined=1, alerts=(AlertRecord("brackets_repaired", "one added"),)
    ),
)
CONTEXT = ContextRecord({"tom": "thing"}, {"Cat(x)": "x is a cat", "Purrs(x)": "x purrs"}, PREMISES, "consistent")
CLASHING = replace(
    CONTEXT,
    premises=(*PREMISES, PremiseRecord("P3", "Tom never purrs.", "¬Purrs(tom)"), PremiseRecord("P4", "Perhaps.", None)),
    status="inconsistent",
    conflict=("P1", "P2", "P3"),
    set_aside=("P3",),
    alerts=(AlertRecord("name_clash", "Cat and cat look alike", "cat", 4),),
)
FORMAL = FormalizationRecord(
    ("Purrs(tom)",) * 3,
    3,
    1.0,
    0.0,
    0.0,
    clique=3,
    agreed=True,
    retold="Tom purrs.",
    similarity=1.0,
    formula="Purrs(tom)",
)
SPLIT = FormalizationRecord(
    ("Happy(tom)", "?", "Happy(tom)"),
    2,
    1 / 3,
    0.0,
    0.0,
    clique=2,
    refused="consensus",
    reason="only 2 of 3 samples agree.",
    alerts=(AlertRecord("undeclared", "Happy is not in the vocabulary", "Happy(tom)", 0),),
)

FOLLOWS = ClaimRecord(
    "C1",
    "Tom purrs.",
    "logical",
    Route.HARD,
    "type",
    ClaimVerdict.ENTAILED,
    premises=("P1", "P2"),
    formalization=FORMAL,
)
RESTATED = replace(FOLLOWS, id="C2", text="Tom is a cat.", premises=("P2",), restated=True)
REFUTED = replace(FOLLOWS, text="Tom does not purr.", verdict=ClaimVerdict.CONTRADICTORY, minimal=False)
OPEN = replace(
    FOLLOWS,
    id="C2",
    text="Tom is old.",
    verdict=ClaimVerdict.POSSIBLE,
    premises=(),
    holds={"Old(tom)": 1},
    fails={"Old(tom)": 0},
)
JUDGED = ClaimRecord(
    "C2",
    "Tom is happy.",
    "logical",
    Route.HYBRID,
    "no formula",
    SoftVerdict.SUPPORTED,
    confidence=0.8,
    formalization=SPLIT,
    votes={"supported": 4, "uncertain": 1},
)
CONFLICT = JointRecord(
    "conflict",
    conflict=("P1", "B1", "C1"),
    set_aside=("C1",),
    smallest=("C1",),
    bridges=(PremiseRecord("B1", "What purrs is happy.", "Purrs(tom) → C2", "bridge"),),
    without_bridges="consistent",
)
RIGHT = check(FOLLOWS, RESTATED, supported="A", proved="A")
SOFT = check(FOLLOWS, JUDGED, supported="A", proved="A")
WRONG = replace(check(REFUTED, OPEN, together=CONFLICT, supported="B", proved="A"), change=("C1",))


def once(problem: str, option: str | None = "A", checked: CheckRecord | None = RIGHT, **about: object) -> ClaimEntry:
    """Answered once; verified only to measure it."""
    given = {
        "method": "cot",
        "premises": CONTEXT,
        "problem_lines": PROBLEM_LINES,
        "measuring": (call("vocabulary"), call("formalize")),
    }
    return entry(problem, answer(option, checked), **{**given, **about})  # type: ignore[arg-type]


def mended(problem: str, **about: object) -> ClaimEntry:
    """A wrong answer that is told what is wrong, and a right one."""
    given = {
        "method": "verge",
        "premises": CONTEXT,
        "problem_lines": PROBLEM_LINES,
        "extraction": (call("vocabulary"), call("formalize")),
    }
    first = answer("B", WRONG, calls=(call(), call("formalize")))
    return entry(problem, first, answer("A", SOFT), **{**given, **about})  # type: ignore[arg-type]


def restated(problem: str, **about: object) -> ClaimEntry:
    """The control: everything that it says is in the context."""
    given = {"method": "restate_premises", "premises": CONTEXT, "problem_lines": PROBLEM_LINES, "gold": "C"}
    only = check(replace(RESTATED, id="C1"), proved="A")
    return entry(problem, answer("A", only, calls=()), **{**given, **about})  # type: ignore[arg-type]


def answers() -> list[ClaimEntry]:
    """Three questions of two data sets, under a method that answers once, one that checks, and the control."""
    return [
        once("p", "B", WRONG),
        once("q"),
        once("r", None, None, domain="zebra", premises=None, measuring=()),
        mended("p"),
        mended("q"),
        once("r", method="verge", domain="zebra", premises=CLASHING),
        restated("p"),
        restated("q"),
        restated("r", domain="zebra"),
    ]


def changed() -> list[ClaimEntry]:
    """Changed forms of two of them: right under one method, answered as if unchanged under the other."""
    about = {"perturbs": "p", "perturbation": "logic_inversion", "gold": "B"}
    return [once("p-not", **about), once("p-not", "B", method="verge", **about)]  # type: ignore[arg-type]


write = partial(write_run, suite="verge", protocol="fol", extractor="llm")
