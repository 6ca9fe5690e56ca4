from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from holdtrue_claims.claim_record import CheckRecord, ClaimVerdict, SoftVerdict
from holdtrue_claims.kind.method import ClaimMethod
from holdtrue_claims.kind.record import ClaimAttempt
from holdtrue_claims.kind.settings import PUBLISHED, Weights
from holdtrue_lab.kinds.claims.measure import measure_claims
from holdtrue_lab.kinds.claims.method import METHODS
from holdtrue_lab.kinds.claims.recount import SUPPORTED as WEIGHTS
from holdtrue_lab.kinds.claims.recount import (
    Answered,
    Checked,
    Reweighed,
    kept,
    replay,
    rounds_of,
)
from tests.lab.kinds.claims.claimed import (
    ENTAILED,
    POSSIBLE,
    SUPPORTED,
    WRONG,
    answer,
    check,
    counted,
    entry,
    figured,
    joint,
    only,
)

BAD, GOOD = check(WRONG), check(ENTAILED)


def test_answers_that_are_refined_without_a_check_replace_each_other() -> None:
    found = only(
        entry(
            "p",
            answer("A"),
            answer("A", kind="refine"),
            answer("B", BAD, kind="refine"),
            method="self_refine",
        ),
        entry("q", answer("A", BAD), method="self_refine"),
    ).convergence
    assert [counted(each.accuracy) for each in found.rounds] == [(2, 2), (2, 2), (1, 2)]
    assert [each.score.of for each in found.rounds] == [1, 1, 2]
    assert found.score.of == 0
    assert found.accuracy.tau is not None
    assert found.accuracy.tau < 0


def test_items_without_gold_play_no_part() -> None:
    found = only(entry("p", answer("A", GOOD), answer("A", GOOD), gold=None), entry("q", answer("A", GOOD))).convergence
    assert [counted(each.accuracy) for each in found.rounds] == [(1, 1)]


CHECKED = st.builds(
    lambda score, accepted: Checked((), score, accepted, accepted),
    st.sampled_from([0.0, 0.3, 0.5, 0.8]),
    st.booleans(),
)
ROUNDS = st.lists(st.builds(Answered, st.booleans(), st.none() | CHECKED), min_size=1, max_size=5)


@hypothesis_settings(max_examples=60, deadline=None)
@given(ROUNDS)
def test_what_is_kept_is_the_best_so_far(rounds: list[Answered]) -> None:
    for last, found in enumerate(kept(rounds), start=1):
        verified = [each for each in rounds[:last] if each.checked is not None]
        if not verified:
            assert found is rounds[last - 1]
            continue
        ranks = [(each.checked.accepted, each.checked.score) for each in verified if each.checked is not None]
        assert found is verified[ranks.index(max(ranks))]


VERGE = METHODS["verge"]
ENDLESS = replace(VERGE, converge=None)


def at(reweighed: tuple[Reweighed, ...], weight: float) -> Reweighed:
    [found] = [each for each in reweighed if each.weight == weight]
    return found


def test_where_the_loop_would_have_gone_on_nothing_is_exact() -> None:
    row = only(entry("p", answer("A", check(SUPPORTED, SUPPORTED))), entry("q", answer("B", check(ENTAILED))))
    assert [each.open for each in row.reweighed] == [1, 0, 0, 0, 0, 0]
    assert [each.exact for each in row.reweighed] == [False, True, True, True, True, True]
    assert [counted(each.accepted) for each in row.reweighed] == [(1, 2), *[(2, 2)] * 5]
    assert {counted(each.accuracy) for each in row.reweighed} == {(1, 2)}


def test_a_score_that_stands_still_ends_the_loop_unless_the_method_waits() -> None:
    attempts = answer("A", check(POSSIBLE)), answer("B", check(SUPPORTED))
    rounds = rounds_of(entry("p", *attempts))
    still, waiting = replay(rounds, VERGE, 0.705), replay(rounds, ENDLESS, 0.705)
    assert (still.place, still.open, waiting.place, waiting.open) == (1, False, 1, True)


def test_only_methods_that_choose_by_score_are_weighed_again() -> None:
    measured = measure_claims(
        [
            entry("p", answer("A", check(SUPPORTED)), method="cot"),
            entry("p", answer("A", check(SUPPORTED)), method="own"),
            entry("p", answer("A"), method="verge"),
        ]
    )
    assert [figured(row).reweighed for row in measured.rows] == [()] * 6
    own = measure_claims([entry("p", answer("A", check(SUPPORTED)), method="own")], {"own": VERGE})
    assert len(figured(own.rows[0]).reweighed) == 6


def test_change_is_from_the_methods_own_weight() -> None:
    method = replace(ENDLESS, check=replace(PUBLISHED, least_score=1.0, weights=Weights(supported=0.5)))
    its = (check(POSSIBLE, least_score=1.0), check(SUPPORTED, least_score=1.0, weights=Weights(supported=0.5)))
    entries = [entry("p", answer("A", its[0]), answer("B", its[1]), method="own")]
    [row, _] = map(figured, measure_claims(entries, {"own": method}).rows)
    assert at(row.reweighed, 0.9).change == -1.0
    assert at(row.reweighed, 0.7).change == 0.0


def test_an_answer_without_claims_is_never_accepted() -> None:
    anything = replace(VERGE, check=replace(PUBLISHED, least_score=0.0))
    found = replay(rounds_of(entry("p", answer("A", check(least_score=0.0)))), anything, 0.9)
    assert (found.accepted, found.open) == (False, True)


VERDICTS = st.sampled_from([ClaimVerdict.ENTAILED, ClaimVerdict.POSSIBLE, WRONG, SUPPORTED, SoftVerdict.UNCERTAIN])
TRIES = st.lists(
    st.tuples(st.sampled_from("ABC"), st.lists(VERDICTS, max_size=3), st.sampled_from(["consistent", "conflict"])),
    min_size=1,
    max_size=4,
)
Try = tuple[str, list["ClaimVerdict | SoftVerdict"], str]


def played(method: ClaimMethod, tries: list[Try], weights: Weights) -> list[ClaimAttempt]:
    """The published loop, written down once more: what a run would have recorded."""
    attempts: list[ClaimAttempt] = []
    checks: list[CheckRecord] = []
    for option, verdicts, together in tries:
        found = check(*verdicts, together=joint(together), least_score=method.check.least_score, weights=weights)
        attempts.append(answer(option, found))
        checks.append(found)
        if found.accepted:
            return attempts
        if len(checks) > 1 and method.converge is not None and abs(checks[-1].score - checks[-2].score) < 0.01:
            break
    best = max(range(len(checks)), key=lambda place: checks[place].score)
    if best < len(checks) - 1:
        attempts.append(replace(attempts[best], kind="best", calls=()))
    return attempts


@hypothesis_settings(max_examples=60, deadline=None)
@given(TRIES, st.sampled_from(WEIGHTS), st.sampled_from([VERGE, ENDLESS]))
def test_a_replay_is_what_the_loop_delivers_as_far_as_it_is_not_open(
    tries: list[Try], weight: float, method: ClaimMethod
) -> None:
    method = replace(method, rounds=len(tries))
    recorded = entry("p", *played(method, tries, Weights()))
    rounds, own = rounds_of(recorded), replay(rounds_of(recorded), method, 0.9)
    assert not own.open
    assert recorded.score is not None
    assert rounds[own.place].right == recorded.score.correct
    new = replay(rounds, method, weight)
    again = entry("p", *played(method, tries, Weights(supported=weight)))
    if not new.open:
        check = again.record.final.check
        assert again.score is not None and check is not None
        assert rounds[new.place].right == again.score.correct
        assert (new.score, new.accepted) == (check.score, check.accepted)
