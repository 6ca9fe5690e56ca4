"""What shows that each setting of a run about claims moves a figure."""

from __future__ import annotations

from functools import partial
from math import comb
from typing import Any

from tests.lab.knobs.knob import LESS, MORE, Entry, Knob, Still, by, mends, multiplies

RIGHT, SCORE, ENTAILED, HYBRID = "accuracy/value", "score/value", "verdicts/entailed/value", "routing/hybrid/value"
ACCEPTED, CALLS = "accepted/value", "costs/own/calls/value"
VERGE: dict[str, Any] = {"strategy": "verge", "frame": "cot"}
VOTE, TREE = {"strategy": "self_consistency"}, {"strategy": "tree_of_thought", "breadth": 1, "branches": 1, "depth": 1}
# One formula for each claim, of a context that people formalized: a wrong answer is always refuted.
GOLD = {"formal": "gold", "measure": False, "formulas": 1, "round_trip": 0}
# Formulas are drawn as each method says.
DRAWN = {"formal": "gold"}
MENDED = {"full": 0.9, "no_mcs": 0.6, "core": 0.3}
TOLD = "sim/claims:wrong=0.9,mend=0.9,mend_verdicts=0.6,mend_core=0.3@1"
SLOW = "sim/claims:wrong=0.9,mend=0.4@1"
THINKING = "sim/claims:wrong=0.8,think=0.3@1"
MISREAD, HOT = "sim/claims:misread=0.4@1", "sim/claims:heat=0.6@1"
# So many samples are wrong, and in so many ways, that often no formula has most of them. Where one in two or three is
# wrong, and mostly in the same way, two samples often differ (some 60%), but five seldom have no majority (some 25%):
# of 24 problems, too often fewer than the four that the interval of a difference needs.
ERRATIC = "sim/claims:misread=0.7@1"
PLAIN = {"round_trip": None, "corrections": 0, "samples": 1}
claim_knob = partial(Knob, suite="verge", problems=24, settings=GOLD)


def lost(votes: int, wrong: float) -> float:
    """The probability that most of an odd number of votes are wrong."""
    return sum(comb(votes, n) * wrong**n * (1 - wrong) ** (votes - n) for n in range(votes // 2 + 1, votes + 1))


def verge(formal: dict[str, Any] | None = None, **check: Any) -> dict[str, Any]:
    """The pipeline with these settings of checking."""
    return {**VERGE, "check": {**check, **({"formal": formal} if formal is not None else {})}}


METHOD: tuple[Entry, ...] = (
    Still("BaselineMethod.name", "a name of one's own"),
    claim_knob("BaselineMethod.strategy", "once", "verge", TOLD, RIGHT, mends(0.9), slow=True),
    claim_knob("BaselineMethod.answerer", "model", "solver_only", TOLD, RIGHT, mends(1.0)),
    claim_knob("BaselineMethod.frame", "direct", "cot", "sim/claims:wrong=0.9,think=0.7@1", RIGHT, mends(0.7)),
    Still("BaselineMethod.form", "the simulated reasoner writes the same formulas in each form"),
    claim_knob(
        *("BaselineMethod.fallback", False, True),
        *("sim/claims:garble=1@1", RIGHT, by(1.0)),
        method={"strategy": "program"},
    ),
    claim_knob("BaselineMethod.temperature", 0.0, 1.0, HOT, RIGHT, by(-0.6)),
    claim_knob(
        *("BaselineMethod.samples", 1, 15),
        *("sim/claims:wrong=0.3,think=0.1@1", RIGHT, by(0.3 - lost(15, 0.3))),
        method=VOTE,
        problems=40,
        slow=True,
    ),
    claim_knob(
        "BaselineMethod.rounds",
        1,
        4,
        SLOW,
        RIGHT,
        mends(1 - 0.6**3),
        method={**VERGE, "converge": None, "retry_difference": "number"},
        slow=True,
    ),
    claim_knob(
        *("BaselineMethod.turn_tokens", 1, None),
        *("sim/claims", CALLS, multiplies(3)),
        method={**VERGE, "converge": None, "patient": True},
        slow=True,
    ),
    claim_knob(
        "BaselineMethod.converge",
        0.01,
        None,
        SLOW,
        RIGHT,
        mends(1 - 0.6**2),
        method={**VERGE, "rounds": 4, "retry_difference": "number"},
        slow=True,
    ),
    claim_knob(
        *("BaselineMethod.retry_difference", "none", "number"),
        *(SLOW, RIGHT, MORE),
        method={**VERGE, "rounds": 4, "converge": None},
        slow=True,
    ),
    claim_knob("BaselineMethod.breadth", 1, 6, THINKING, RIGHT, by(0.8 - 0.8**6), method=TREE, slow=True),
    claim_knob("BaselineMethod.branches", 1, 6, THINKING, RIGHT, MORE, method={**TREE, "depth": 2}, slow=True),
    claim_knob("BaselineMethod.depth", 1, 3, THINKING, RIGHT, mends(1 - 0.7**2), method=TREE, problems=40, slow=True),
    *(
        claim_knob("BaselineMethod.feedback", "minimal", kind, TOLD, RIGHT, mends(rate), method=VERGE)
        for kind, rate in MENDED.items()
    ),
    claim_knob(
        *("BaselineMethod.patient", False, True),
        *("sim/claims", CALLS, multiplies(3)),
        method={**VERGE, "converge": None},
        slow=True,
    ),
)
CHECK: tuple[Entry, ...] = (
    claim_knob("CheckSettings.routing", "types", "soft", "sim/claims", "routing/soft/value", by(1.0), method=VERGE),
    claim_knob(
        "CheckSettings.judges", 1, 5, "sim/claims:confuse=0.3@1", SCORE, MORE, method=verge(routing="soft"), slow=True
    ),
    claim_knob(
        *("CheckSettings.judge", None, "sim/claims:confuse=1@2"),
        *("sim/claims", SCORE, LESS),
        method=verge(routing="soft"),
    ),
    claim_knob(
        *("CheckSettings.judge_temperature", 0.0, 1.0),
        *(HOT, SCORE, LESS),
        method=verge(routing="soft", judges=1),
        slow=True,
    ),
    claim_knob(
        *("CheckSettings.bridges", False, True),
        *("sim/claims:wrong=1,mistype=0.7,confuse=0.6,bridge=1@12", "joint/conflict/value", MORE),
        method=verge(judges=1, least_score=0.0),
        slow=True,
    ),
    Still("CheckSettings.smallest", "of the one conclusion that a simulated answer states, the fewest is itself"),
    claim_knob(
        *("CheckSettings.stop_early", False, True),
        *("sim/claims", CALLS, LESS),
        method=verge(routing="soft"),
        slow=True,
    ),
    claim_knob(
        # What says a premise again is proved where only proof is accepted, whoever is to judge it else.
        *("CheckSettings.accept", "judged", "proved"),
        *("sim/claims", ENTAILED, MORE),
        method=verge(routing="soft"),
    ),
    claim_knob(
        *("CheckSettings.judges_trusted", True, False),
        *("sim/claims", ACCEPTED, by(-1.0)),
        method=verge(routing="soft"),
        slow=True,
    ),
    Still("CheckSettings.calibration_floor", "nobody has measured how often simulated judges are right"),
    claim_knob(
        *("CheckSettings.ask_judges", False, True),
        *(ERRATIC, CALLS, MORE),
        method=verge({**PLAIN, "samples": 3}, accept="proved"),
        settings=DRAWN,
        slow=True,
    ),
    claim_knob("CheckSettings.least_score", 0.0, 0.75, TOLD, RIGHT, mends(0.9), method=VERGE),
    claim_knob("Weights.entailed", 1.0, 0.5, "sim/claims", SCORE, LESS, method=VERGE),
    claim_knob("Weights.supported", 0.9, 0.5, "sim/claims", SCORE, by(-0.4), method=verge(routing="soft"), slow=True),
    claim_knob(
        "Weights.possible", 0.7, 0.2, "sim/claims", SCORE, LESS, method=VERGE, source={"form": "all"}, slow=True
    ),
    Still("Weights.assumed", "what simulated answers claim rests on no assumption"),
    claim_knob(
        "Weights.other", 0.0, 0.5, "sim/claims:wrong=1@1", SCORE, MORE, method={**VERGE, "rounds": 1}, slow=True
    ),
)
slow_knob = partial(claim_knob, slow=True)
draw_knob = partial(slow_knob, settings=DRAWN)
FORMAL: tuple[Entry, ...] = (
    Still("FormalSettings.assume", "the sets of problems state their conventions themselves"),
    draw_knob("FormalSettings.samples", 1, 5, ERRATIC, HYBRID, MORE, method=verge(PLAIN), problems=40),
    draw_knob("FormalSettings.stop_early", False, True, "sim/claims", CALLS, LESS, method=verge()),
    draw_knob("FormalSettings.temperature", 0.0, 1.0, HOT, HYBRID, MORE, method=verge({**PLAIN, "samples": 2})),
    draw_knob("FormalSettings.round_trip", None, 0.7, MISREAD, HYBRID, MORE, method=verge(PLAIN)),
    draw_knob("FormalSettings.choice_rounds", 0, 3, MISREAD, HYBRID, MORE, method=verge(PLAIN)),
    draw_knob(
        *("FormalSettings.choice_shown", 6, 2),
        *("sim/claims", CALLS, MORE),
        method=verge({**PLAIN, "choice_rounds": 1}),
    ),
    draw_knob(
        *("FormalSettings.choice_variants", 1, 6),
        *("sim/claims", CALLS, MORE),
        method=verge({**PLAIN, "choice_rounds": 1, "choice_shown": 2}),
    ),
    draw_knob(
        *("FormalSettings.corrections", 0, 2), *("sim/claims:weaken=0.6@1", HYBRID, LESS), method=verge({"samples": 1})
    ),
    claim_knob(
        *("FormalSettings.context_samples", 1, 9),
        *("sim/claims:misread=0.2@1", RIGHT, MORE),
        method={"answerer": "solver_only"},
        settings={"formal": "llm"},
        problems=40,
        slow=True,
    ),
    claim_knob(
        *("FormalSettings.refinements", 0, 3),
        *(MISREAD, "contexts/inconsistent/value", LESS),
        method={"answerer": "solver_only"},
        settings={"formal": "llm"},
        source={"form": "twice"},
        problems=40,
        slow=True,
    ),
)
RUN: tuple[Entry, ...] = (
    claim_knob("ClaimSettings.timeout_s", 5.0, 1e-9, "sim/claims", "verdicts/unknown/value", MORE, method=VERGE),
    Still("ClaimSettings.assume", "the sets of problems state their conventions themselves"),
    claim_knob(
        *("ClaimSettings.formalizers", (), ("sim/claims:misread=1@2",)),
        *("sim/claims", ENTAILED, LESS),
        method=verge({"samples": 4, "round_trip": None, "corrections": 0}),
        settings=DRAWN,
        slow=True,
    ),
    draw_knob(
        *("ClaimSettings.formulas", 1, 5),
        *(ERRATIC, HYBRID, MORE),
        method=verge({"corrections": 0}),
        problems=40,
        settings={**DRAWN, "round_trip": 0},
    ),
    draw_knob(
        *("ClaimSettings.draw_temperature", 0.0, 0.9),
        *(HOT, HYBRID, MORE),
        method=verge({"corrections": 0}),
        problems=40,
        settings={**DRAWN, "formulas": 2, "round_trip": 0},
    ),
    draw_knob(
        *("ClaimSettings.choice_rounds", 0, 3),
        *(MISREAD, HYBRID, MORE),
        method=verge({**PLAIN, "stop_early": False}),
        settings={**DRAWN, "round_trip": 0},
    ),
    draw_knob(
        *("ClaimSettings.round_trip", 0.0, 0.9),
        *(MISREAD, HYBRID, MORE),
        method=verge({"corrections": 0}),
        settings={**DRAWN, "formulas": 1},
    ),
    claim_knob(
        "ClaimSettings.routing", None, "soft", "sim/claims", "routing/soft/value", by(1.0), method=VERGE, slow=True
    ),
    claim_knob(
        "ClaimSettings.judges", 1, 9, "sim/claims:confuse=0.3@1", SCORE, MORE, method=verge(routing="soft"), slow=True
    ),
    claim_knob(
        *("ClaimSettings.judge", None, "sim/claims:confuse=1@2"),
        *("sim/claims", SCORE, LESS),
        method=verge(routing="soft"),
    ),
    slow_knob("ClaimSettings.accept", None, "proved", "sim/claims", ENTAILED, MORE, method=verge(routing="soft")),
    slow_knob(
        *("ClaimSettings.ask_judges", False, True),
        *(ERRATIC, CALLS, MORE),
        method=verge({**PLAIN, "samples": 3}, accept="proved"),
        settings=DRAWN,
    ),
    Still("ClaimSettings.calibration", "names a file, and nobody has measured simulated judges"),
    slow_knob("ClaimSettings.least_score", 0.0, 0.7, TOLD, RIGHT, mends(0.9), method=VERGE),
    claim_knob(
        "ClaimSettings.formal", "llm", "gold", MISREAD, RIGHT, MORE, method={"answerer": "solver_only"}, slow=True
    ),
    claim_knob("ClaimSettings.measure", True, False, "sim/claims", "verified", by(-1.0)),
    claim_knob(
        "ClaimSettings.rounds",
        1,
        4,
        SLOW,
        RIGHT,
        mends(1 - 0.6**3),
        method={**VERGE, "converge": None, "retry_difference": "number"},
        slow=True,
    ),
    Still("ClaimSettings.calls", "it is laid over presets, and what is played here are methods of one's own"),
    Still("Source.items", "says which problems are played"),
    Still("Source.dataset", "names the data set where files do not"),
    Still("Source.answers", "gives answers that were written before"),
    claim_knob("Sampling.temperature", 0.0, 1.0, HOT, RIGHT, by(-0.6), slow=True),
    Still("Sampling.seed", "chooses among draws that are alike on average"),
    claim_knob("Sampling.max_tokens", 1024, 1, "sim/claims", RIGHT, by(-1.0)),
    Still(
        "Sampling.structured", "the simulated reasoner keeps to the shape that it is asked for without a schema, too"
    ),
)
ENTRIES = {"verge": (*METHOD, *CHECK, *FORMAL, *RUN)}
