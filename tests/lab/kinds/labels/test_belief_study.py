"""A simulated study of belief revision: dialogues with three wrong answers in ten, and rules known (oracle rules)."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from holdtrue.ledger.policies import POLICIES, SCREENED
from holdtrue_lab.figures.significance import Paired, paired
from holdtrue_lab.kinds.labels.entry import LabelEntry
from holdtrue_lab.kinds.labels.facts import first_labels
from holdtrue_lab.suites.belief.generate import generate_dialogues
from tests.lab.kinds.labels.belief_twin import Answer, Twin
from tests.lab.kinds.labels.study import Study, play_study

TURNS = 10
SMALL, FULL = 15, 1200
ANSWERERS = {"equal": "sim/labels:wrong=0.3,confidence=1/1", "informative": "sim/labels:wrong=0.3,confidence=0.9/0.6"}
"""All answers equally sure, or wrong ones less so (with 0.9 and 0.6 on average)."""
CONDITIONS = [(schedule, sure) for schedule in ("stress", "random") for sure in ANSWERERS]
WAYS = ("query", "last commitment", "entailment")
"""Final labels: of each answer by itself, UNKNOWN if it was given up; of its atom; or what follows from the beliefs."""


@dataclass(frozen=True)
class Dialogues:
    """A study with the twins of its cases. `right` counts right final labels by way, policy and dialogue."""

    title: str
    study: Study
    twins: dict[str, Twin]
    right: dict[str, dict[str, dict[str, int]]]

    def turns(self, policy: str) -> Iterator[tuple[Twin, list[LabelEntry]]]:
        for id, turns in self.study.entries[policy].items():
            yield self.twins[id], turns

    def against_none(self, way: str, policy: str) -> Paired:
        own, other = self.right[way][policy], self.right[way]["none"]
        return paired([own[id] / TURNS for id in own], [other[id] / TURNS for id in own])

    def share(self, way: str, policy: str) -> float:
        right = self.right[way][policy]
        return sum(right.values()) / (TURNS * len(right))


def finish(title: str, study: Study) -> Dialogues:
    twins = {id: Twin(case) for id, case in study.cases.items()}
    right: dict[str, dict[str, dict[str, int]]] = {way: {policy: {} for policy in POLICIES} for way in WAYS}
    for policy in POLICIES:
        for id, turns in study.entries[policy].items():
            twin, believed = twins[id], twins[id].believed(turns)
            found = turns[-1].record.detail
            labels = (dict(found.labels), twin.last_commitments(believed), twin.entailed(believed))
            assert (dict(found.committed), dict(found.entailed)) == labels[1:], "the twin sees what was recorded"
            for way, each in zip(WAYS, labels, strict=True):
                right[way][policy][id] = twin.right(each)
    return Dialogues(title, study, twins, right)


@pytest.fixture(
    scope="module",
    params=[
        pytest.param((schedule, sure, count), id=f"{schedule}-{sure}-{count}", marks=marks)
        for count, conditions, marks in ((SMALL, CONDITIONS[1:2], ()), (FULL, CONDITIONS, pytest.mark.slow))
        for schedule, sure in conditions
    ],
)
def dialogues(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Dialogues:
    schedule, sure, count = request.param
    cases = generate_dialogues(7, count, turns=TURNS, schedule=schedule)
    folder = tmp_path_factory.mktemp("study")
    study = play_study(cases, POLICIES, ANSWERERS[sure], folder)
    shutil.rmtree(folder)  # hundreds of megabytes
    return finish(f"{count} {schedule} dialogues, {sure} confidence", study)


def test_all_policies_hear_the_same_answers_of_which_three_in_ten_are_wrong(dialogues: Dialogues) -> None:
    heard = [
        [list(first_labels(entry.record).items()) for _, turns in dialogues.turns(policy) for entry in turns]
        for policy in POLICIES
    ]
    assert all(answers == heard[0] for answers in heard)
    accuracy = dialogues.study.rows["none"].first_accuracy
    # An answer to the same question in the same words is the same, so that these are not all independent.
    assert accuracy.value == pytest.approx(0.7, abs=0.1 if len(dialogues.twins) == SMALL else 0.02)


def test_under_our_policies_no_theory_is_ever_impossible(dialogues: Dialogues) -> None:
    ends: Counter[str] = Counter()
    causes: Counter[str] = Counter()
    for policy in POLICIES:
        for twin, turns in dialogues.turns(policy):
            believed: list[list[Answer]] = [[]]
            believed += [twin.believed(turns[:number]) for number in range(1, TURNS + 1)]
            possible = [twin.possible(answers) for answers in believed]
            assert policy not in SCREENED or all(possible)
            score = turns[-1].score
            assert score is not None and score.whole is not None and score.whole.consistent == possible[-1]
            if not possible[-1]:
                ends[policy] += 1
            if policy == "greedy_printed" and not possible[-1]:
                turn = max(number for number in range(1, TURNS + 1) if possible[number - 1])
                [new] = first_labels(turns[turn - 1].record).items()
                causes[twin.cause(believed[turn - 1], new)] += 1
    assert not any(ends[policy] for policy in SCREENED)
    assert ends["greedy_printed"] < ends["none"]
    # About every fifth dialogue; of a few there may be none.
    assert ends["greedy_printed"] or len(dialogues.twins) < 100
    print(f"\n{dialogues.title}: impossible in the end, of {len(dialogues.twins)}")
    print("  " + ", ".join(f"{policy} {ends[policy]}" for policy in POLICIES))
    print("  greedy_printed by cause: " + ", ".join(f"{cause} {count}" for cause, count in sorted(causes.items())))


@pytest.mark.parametrize("policy", sorted(SCREENED))
def test_with_oracle_rules_no_dialogue_loses_a_right_label(dialogues: Dialogues, policy: str) -> None:
    """It cannot: a right commitment follows from the rules, so it is never given up, and what is given up is wrong."""
    for way in WAYS:
        own, base = dialogues.right[way][policy], dialogues.right[way]["none"]
        assert not [id for id in own if own[id] < base[id]], way
    assert dialogues.study.rows[policy].accuracy.value == pytest.approx(dialogues.share(WAYS[1], policy))


def test_final_accuracy_by_policy(dialogues: Dialogues) -> None:
    """Our policies end with more right answers than none, and what follows from the beliefs is surely more often right:
    where these are impossible, nothing does.
    """
    print(f"\n{dialogues.title}: final accuracy % (against none: points, 95% interval, p), oracle rules")
    for policy in POLICIES:
        cells = []
        for way in WAYS:
            found = dialogues.against_none(way, policy)
            gained = dialogues.share(way, policy) - dialogues.share(way, "none")
            assert found.difference == pytest.approx(gained) and found.low <= found.difference <= found.high
            assert policy not in SCREENED or gained > 0
            assert policy not in SCREENED or way != "entailment" or (found.low > 0.1 and found.p < 0.01)
            ends = f"{100 * found.low:+.2f}..{100 * found.high:+.2f}"
            test = "" if policy == "none" else f" ({100 * found.difference:+.2f}, {ends}, p {found.p:.4f})"
            cells.append(f"{way} {100 * dialogues.share(way, policy):.2f}{test}")
        print(f"  {policy:14} " + "; ".join(cells))


def test_retractions_are_recounted(dialogues: Dialogues) -> None:
    print(f"\n{dialogues.title}: policy, retractions a dialogue, needless, reinstated, rejected, steps that differ")
    for policy in POLICIES:
        events: Counter[str] = Counter()
        needless = retracted = differ = compared = 0
        for twin, turns in dialogues.turns(policy):
            events.update(event.kind for entry in turns for event in entry.record.events)
            given = {id: label for entry in turns for id, label in first_labels(entry.record).items()}
            gone = {event.id for entry in turns for event in entry.record.events if event.kind == "set_aside"}
            believed, record = twin.believed(turns), turns[-1].record
            # What another answer says again is believed still.
            standing = [id for id in gone if id not in record.holds and record.detail.labels[id] != given[id]]
            undone = sum(twin.possible([*believed, (id, given[id])]) for id in standing)
            score = turns[-1].score
            assert score is not None and score.whole is not None and score.whole.needless == undone
            needless, retracted = needless + undone, retracted + len(gone)
            steps = [entry.score.differ for entry in turns if entry.score is not None]
            differ, compared = differ + steps.count(True), compared + sum(step is not None for step in steps)
        found = dialogues.study.rows[policy].revisions
        assert (found.retracted, found.reinstated, found.rejected) == (
            events["set_aside"],
            events["reinstated"],
            events["rejected"],
        )
        assert (found.needless.hits, found.differ.hits, found.differ.of) == (needless, differ, compared)
        if policy in SCREENED:
            assert needless == 0
            assert compared == TURNS * len(dialogues.twins)
        elif policy == "none":
            assert not events["set_aside"] + events["rejected"] + events["reinstated"]
        share = f"{differ} of {compared} ({differ / compared:.2%})" if compared else "-"
        per_case = events["set_aside"] / len(dialogues.twins)
        print(f"  {policy:14} {per_case:.3f} {needless} {events['reinstated']} {events['rejected']} {share}")
