"""Effects that are planted in simulated reasoners come out in the figures of a report.

What is expected follows from the planted rates alone, and a figure has to be a possible draw around it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from math import comb
from typing import Any

import pytest

from holdtrue_claims.claim_record import CheckRecord, ClaimVerdict, JointVerdict
from holdtrue_claims.kind.gold_logic import STATEMENT
from holdtrue_claims.kind.method import ClaimFeedback, ClaimMethod
from holdtrue_claims.kind.settings import PUBLISHED, FormalSettings
from holdtrue_lab.kinds.claims.method import METHODS, BaselineMethod
from holdtrue_lab.kinds.claims.settings import ClaimSettings
from tests.lab.kinds.claims.items import said
from tests.lab.kinds.claims.planted import bakers, measured, play

pytestmark = pytest.mark.slow

# One formula for each claim and no round trip: nothing is misread here, so that neither would find anything.
GOLD = ClaimSettings(formal="gold", measure=False, formulas=1, round_trip=0)
UNMEASURED = ClaimSettings(measure=False)
COT, VERGE = METHODS["cot"], METHODS["verge"]
WRONG = 0.6
ITEMS = 24
MENDED: Mapping[ClaimFeedback, float] = {"full": 0.65, "no_mcs": 0.57, "core": 0.5, "minimal": 0.35}
NAME = f"sim/claims:wrong={WRONG},mend=0.65,mend_verdicts=0.57,mend_core=0.5,mend_minimal=0.35"
ABLATIONS = tuple(replace(VERGE, name=kind, feedback=kind) for kind in MENDED)
# A figure of one run is no possible draw if it, or one as far out, is rarer than this.
RARE = 1e-4


def possible(hits: int, of: int, p: float) -> bool:
    """Whether so many hits are a possible draw of `of` independent events with this probability."""
    chances = [comb(of, n) * p**n * (1 - p) ** (of - n) for n in range(of + 1)]
    return min(sum(chances[: hits + 1]), sum(chances[hits:])) > RARE / 2


async def right(name: str, *methods: ClaimMethod, count: int = ITEMS, settings: ClaimSettings = GOLD) -> Counter[str]:
    """How many right answers each method gives to so many items."""
    entries = await play(name, methods, bakers(count), settings)
    return Counter(entry.method for entry in entries if entry.score is not None and entry.score.correct)


async def test_each_kind_of_feedback_mends_at_its_own_rate() -> None:
    found = await right(f"{NAME}@1", COT, *ABLATIONS)
    assert possible(found["cot"], ITEMS, 1 - WRONG)
    for kind, mended in MENDED.items():
        # A second wrong answer is the same as the first, so that its score stands still and no third is asked for.
        assert possible(found[kind], ITEMS, 1 - WRONG * (1 - mended)), kind


@pytest.mark.slow
async def test_each_further_round_mends_what_is_left() -> None:
    # Without a number in them, the prompts of further rounds would be the same, and so would their answers.
    other = replace(VERGE, converge=None, retry_difference="number")
    rounds = [replace(other, name=str(number), rounds=number) for number in (1, 2, 4)]
    found = await right("sim/claims:wrong=0.9,mend=0.4@2", *rounds)
    for method in rounds:
        assert possible(found[method.name], ITEMS, 1 - 0.9 * (1 - 0.4) ** (method.rounds - 1)), method.name
    stopped = await right("sim/claims:wrong=0.9,mend=0.4@2", replace(VERGE, name="stopping", rounds=4))
    assert possible(stopped["stopping"], ITEMS, 1 - 0.9 * (1 - 0.4))


async def test_feedback_that_mends_nothing_leaves_wrong_answers_as_they_were() -> None:
    told = await play("sim/claims:wrong=0.6,mend_core=1@3", [VERGE], bakers(12), GOLD)
    for entry in told:
        texts = {attempt.text for attempt in entry.record.attempts}
        assert len(texts) == 1, "a report that says what to change is no report of conflicts alone"


async def test_reasoning_puts_answers_right() -> None:
    found = await right("sim/claims:wrong=0.8,think=0.5@4", replace(COT, name="direct", frame="direct"), COT)
    assert possible(found["direct"], ITEMS, 1 - 0.8)
    assert possible(found["cot"], ITEMS, 1 - 0.8 * (1 - 0.5))


async def test_votes_are_independent_draws() -> None:
    vote = BaselineMethod("vote", "self_consistency", samples=3)
    found = await right("sim/claims:wrong=0.3,think=0.1@5", vote)
    lost = 3 * 0.3**2 * 0.7 + 0.3**3
    assert possible(found["vote"], ITEMS, 1 - lost)


async def test_a_critique_of_ones_own_mends_at_its_rate() -> None:
    refine = [BaselineMethod(f"refine{rounds}", "self_refine", rounds=rounds) for rounds in (1, 2, 3)]
    found = await right("sim/claims:wrong=0.8,mend_critique=0.5@6", *refine)
    for method in refine:
        assert possible(found[method.name], ITEMS, 1 - 0.8 * 0.5 ** (method.rounds - 1)), method.name


async def test_the_best_rated_of_many_thoughts_is_delivered() -> None:
    trees = [BaselineMethod(f"tree{wide}", "tree_of_thought", breadth=wide, branches=1, depth=1) for wide in (1, 3)]
    deep = [BaselineMethod(f"deep{deep}", "tree_of_thought", breadth=1, branches=1, depth=deep) for deep in (2, 3)]
    found = await right("sim/claims:wrong=0.8,think=0.3@7", *trees, *deep)
    for wide, tree in zip((1, 3), trees, strict=True):
        assert possible(found[tree.name], ITEMS, 1 - 0.8**wide), wide
    for steps, tree in zip((1, 2), deep, strict=True):
        # Two sentences can be thought, and the same one twice is shown twice.
        assert possible(found[tree.name], ITEMS, 1 - 0.8 * 0.7**steps), steps


async def test_a_hot_model_errs_more_often() -> None:
    methods = [replace(COT, name=str(heat), temperature=heat) for heat in (0.0, 0.5, 2.0)]
    found = await right("sim/claims:heat=0.6@8", *methods)
    for method, wrong in zip(methods, (0.0, 0.3, 0.6), strict=True):
        assert possible(found[method.name], ITEMS, 1 - wrong), method.name


async def test_right_answers_are_spoilt_by_reports_that_blame_them() -> None:
    patient = replace(VERGE, name="patient", patient=True, rounds=2, converge=None)
    told = await play("sim/claims:spoil=0.5@9", [patient], bakers(ITEMS), GOLD)
    second = [entry.record.attempts[1].answer for entry in told]
    given = [(answer or {}).get("option") for answer in second]
    assert possible(
        sum(one == entry.score.gold for one, entry in zip(given, told, strict=True) if entry.score), ITEMS, 0.5
    )


async def test_what_is_accepted_is_not_mended() -> None:
    lenient = replace(VERGE, name="lenient", check=replace(PUBLISHED, least_score=0.0))
    found = await right("sim/claims:wrong=0.6,mend=1@10", lenient, VERGE)
    assert found["verge"] == ITEMS
    assert possible(found["lenient"], ITEMS, 0.4)


async def routes(name: str, *methods: ClaimMethod, settings: ClaimSettings | None = None) -> dict[str, Counter[str]]:
    """How many claims of each method took each route, and how many got each verdict."""
    entries = await play(name, methods, bakers(12), settings or ClaimSettings(formal="gold"))
    found: dict[str, Counter[str]] = {method.name: Counter() for method in methods}
    for entry in entries:
        check = entry.record.final.check
        for claim in check.claims if check is not None else ():
            found[entry.method].update((claim.route, claim.verdict))
    return found


async def test_types_and_judges_have_effects() -> None:
    ways = [replace(VERGE, name=way, check=replace(PUBLISHED, routing=way)) for way in ("types", "hard", "soft")]
    one = replace(VERGE, name="one", check=replace(PUBLISHED, routing="soft", judges=1))
    cool = replace(VERGE, name="cool", check=replace(PUBLISHED, routing="soft", judge_temperature=0.0))
    found = await routes("sim/claims:mistype=0.5,confuse=0.3@11", *ways, one)
    assert possible(found["types"]["soft"], 36, 0.5)
    assert (found["hard"]["soft"], found["soft"]["hard"]) == (0, 0)
    # One judge errs at the planted rate; of five with the same confidence, most do so far less often.
    assert possible(found["one"]["supported"], 36, 0.7)
    assert found["soft"]["supported"] > found["one"]["supported"]
    heated = await routes("sim/claims:heat=0.6@11", replace(one, name="hot"), cool)
    assert heated["cool"]["supported"] == 36
    assert possible(heated["hot"]["supported"], 36, 0.4)


async def test_bridges_find_what_judges_let_pass() -> None:
    settings = replace(PUBLISHED, judges=1, least_score=0.0)
    ways = [replace(VERGE, name=str(bridges), check=replace(settings, bridges=bridges)) for bridges in (True, False)]
    entries = await play(
        "sim/claims:wrong=1,mistype=0.7,confuse=0.6,bridge=1@12", ways, bakers(ITEMS), ClaimSettings(formal="gold")
    )
    clashes = Counter(entry.method for entry in entries if _clashes(entry.record.attempts[0].check))
    assert clashes["True"] > 0 == clashes["False"]


def _clashes(check: CheckRecord | None) -> bool:
    return check is not None and check.joint.verdict == JointVerdict.CONFLICT


@pytest.mark.slow
async def test_gates_of_formulas_have_effects() -> None:
    def gated(name: str, **formal: Any) -> ClaimMethod:
        return replace(VERGE, name=name, check=replace(PUBLISHED, formal=replace(FormalSettings(), **formal)))

    alone: dict[str, Any] = {"round_trip": None, "corrections": 0}
    found = await routes(
        "sim/claims:misread=0.3@13",
        gated("once", samples=1, **alone),
        gated("thrice", samples=3, **alone),
        gated("told", samples=1, corrections=0),
        gated("many", samples=9, **alone),
    )
    # A restated premise is not read again: of three claims one is. A misread one is refuted, open, or true by chance.
    assert possible(found["once"]["entailed"] - 24, 12, 0.7) or found["once"]["entailed"] - 24 > 12 * 0.7
    assert found["many"]["entailed"] > found["once"]["entailed"]
    assert found["told"]["hybrid"] > found["once"]["hybrid"] == 0
    weak = await routes(
        "sim/claims:weaken=0.5@13", gated("none", corrections=0), gated("two", corrections=2), gated("cool", samples=1)
    )
    assert weak["two"]["hybrid"] < weak["none"]["hybrid"]


async def test_patience_mends_what_was_accepted_though_it_is_only_possible() -> None:
    three = {"A": "True", "B": "False", "C": "Uncertain"}
    items = [
        replace(
            each, options=three, answer="C", context=f"{each.id} sings.", sentences=(f"{each.id} sings.",), gold=None
        )
        for each in bakers(ITEMS)
    ]
    lenient = replace(VERGE, rounds=2, converge=None, check=replace(PUBLISHED, least_score=0.0))
    hasty, patient = (replace(lenient, name=str(patient), patient=patient) for patient in (False, True))
    entries = await play("sim/claims:wrong=1,mend_verdicts=1@14", [hasty, patient], items, ClaimSettings())
    found = Counter(entry.method for entry in entries if entry.score is not None and entry.score.correct)
    assert found["False"] == 0 < found["True"]


async def test_programs_run_are_asked_for_again_and_given_up_at_planted_rates() -> None:
    # Each retry says its number, so that its dice are thrown anew.
    garbled, rounds = 0.6, 3
    written = replace(METHODS["logic_lm"], name="often", retry_difference="number", rounds=rounds)
    given_up = replace(METHODS["proof_of_thought"], name="once", retry_difference="number", rounds=1)
    entries = await play(f"sim/claims:garble={garbled},wrong=1@15", [written, given_up], bakers(ITEMS), UNMEASURED)
    rows = {row.arm.method: row.programs for row in measured(entries, [written, given_up]).rows if row.domain is None}
    run, once = rows["often"], rows["once"]
    assert possible(run.executed.hits, ITEMS, 1 - garbled**rounds)
    assert possible(run.refined.hits, ITEMS, garbled - garbled**rounds)
    assert run.fell_back.hits == ITEMS - run.executed.hits and run.empty.hits == 0
    assert run.ran.hits == run.proving.hits == run.executed.hits < run.written
    assert possible(once.executed.hits, ITEMS, 1 - garbled)
    assert (once.refined.hits, once.fell_back.hits, once.empty.hits) == (0, 0, ITEMS - once.executed.hits)
    # What the model answers by itself is always wrong here, and what a program proves always right.
    right_ones = Counter(entry.method for entry in entries if entry.score is not None and entry.score.correct)
    assert right_ones == {"often": run.executed.hits, "once": once.executed.hits}


async def test_votes_of_programs_outvote_what_is_misread() -> None:
    # Of three sentences each is misread by itself, so that a program is as it should be at the cube of the rest.
    linc = [replace(METHODS["linc"], name=f"linc{count}", samples=count) for count in (1, 9)]
    entries = await play("sim/claims:misread=0.2@16", linc, bakers(ITEMS), UNMEASURED)
    found = Counter(entry.method for entry in entries if entry.score is not None and entry.score.correct)
    rows = {row.arm.method: row.programs for row in measured(entries, linc).rows if row.domain is None}
    assert found["linc9"] > found["linc1"]
    assert (rows["linc1"].written, rows["linc9"].written) == (ITEMS, 9 * ITEMS)


async def test_things_that_nobody_named_count_for_what_is_said_of_all() -> None:
    [item] = bakers(1)
    assert item.gold is not None
    name = item.id
    told = (f"{name} is a baker.", f"{name} rises early.")
    gold = replace(
        item.gold,
        premises={"P1": said(f"Baker({name})"), "P2": said(f"Early({name})")},
        statements={STATEMENT: said("forall x in person (Baker(x) -> Early(x))")},
    )
    all_of_them = replace(item, sentences=told, context=" ".join(told), statement="All bakers rise early.", gold=gold)
    nobody_else = replace(gold, vocabulary=replace(gold.vocabulary, closed=("person",)))
    alone = replace(all_of_them, id="nobody else", gold=nobody_else)
    entries = await play("sim/claims", [VERGE], [all_of_them, alone], ClaimSettings(formal="gold"))
    verdicts = {entry.problem: check.claims[-1].verdict for entry in entries if (check := entry.record.final.check)}
    assert verdicts == {name: ClaimVerdict.POSSIBLE, "nobody else": ClaimVerdict.ENTAILED}
