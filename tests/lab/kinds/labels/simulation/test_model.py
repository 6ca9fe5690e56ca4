from __future__ import annotations

import math
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import replace

from hypothesis import given as drawn_from
from hypothesis import settings
from hypothesis import strategies as st

from holdtrue.kinds.labels.case import Case
from holdtrue.kinds.labels.replies import read_labels
from holdtrue.models.chat import Message, Reply, Request, assistant, system, user
from holdtrue.record import Label
from holdtrue_lab.kinds.labels.simulation import SPREAD, SimulatedAnswerer
from holdtrue_lab.kit.simulation.model import LOST
from tests.lab.kinds.assignment.simulation.lamps import LAMPS, asked, commitment, possible, reply

E, C, U = Label.ENTAILED, Label.CONTRADICTED, Label.UNKNOWN
MIXED = "sim/labels:wrong=0.2,unknown=0.1,contradict=0.15,confidence=0.9/0.6@3"
Labels = dict[str, Label]


def gold(case: Case) -> Labels:
    return {query.id: query.label for query in case.queries}


def labels(answered: Reply, case: Case) -> Labels:
    read = read_labels(answered.text, [query.id for query in case.queries], "labels")
    assert not read.missing
    return dict(read.labels)


def injected(answered: Reply) -> dict[str, str]:
    """The fault by query."""
    found = (item.partition(":") for item in answered.annotations.get("injected", "").split(",") if item)
    return {id: fault for fault, _, id in found}


async def answers(name: str, sample: int = 0) -> AsyncIterator[tuple[Case, Labels, dict[str, str]]]:
    model = SimulatedAnswerer(name, LAMPS)
    for case in LAMPS:
        answered = await reply(model, asked(case), sample)
        yield case, labels(answered, case), injected(answered)


def within(count: int, of: int, rate: float) -> bool:
    """Whether so many of so many is within four standard deviations of the rate."""
    return abs(count - of * rate) <= 4 * math.sqrt(of * rate * (1 - rate)) + 1e-9


async def test_wrong_labels_come_at_their_rate_and_are_drawn_evenly() -> None:
    wrong, total, drawn = 0, 0, Counter[tuple[Label, Label]]()
    async for case, given, struck in answers("sim/labels:wrong=0.2"):
        off = {id: "wrong" for id, label in gold(case).items() if given[id] is not label}
        assert struck == off
        wrong, total = wrong + len(off), total + len(given)
        drawn.update((gold(case)[id], given[id]) for id in off)
    assert total > 1000
    assert within(wrong, total, 0.2)
    for right in Label:
        pair = [drawn[right, label] for label in Label if label is not right]
        assert within(pair[0], sum(pair), 0.5)


async def test_unknown_comes_at_its_rate_and_is_no_fault_where_it_is_right() -> None:
    struck_of, total = 0, 0
    async for case, given, struck in answers("sim/labels:unknown=0.3"):
        known = [id for id, label in gold(case).items() if label is not U]
        assert {id: given[id] for id in struck} == dict.fromkeys(struck, U)
        assert set(struck) == {id for id in known if given[id] is U}
        assert all(given[id] is label for id, label in gold(case).items() if id not in struck)
        struck_of, total = struck_of + len(struck), total + len(known)
    assert within(struck_of, total, 0.3)


async def test_contradictions_come_at_their_rate_wherever_an_earlier_answer_allows_them() -> None:
    """By trying every world. Between answers that the premises allow there are some only after wrong ones: what is
    right follows from the premises.
    """
    struck_of, total, real = 0, 0, 0
    async for case, given, struck in answers("sim/labels:wrong=0.4,contradict=0.25"):
        said = list(given.items())
        for place, (id, label) in enumerate(said):
            before = [commitment(case, at, said[at][1]) for at in range(place) if said[at][1] is not U]
            held = [formula for formula in before if possible(case, formula)]
            said_now = {option: commitment(case, place, option) for option in (E, C)}
            clashing = [option for option, now in said_now.items() if any(not possible(case, old, now) for old in held)]
            # Where a label that the premises allow would do, no other is taken.
            allowed = [option for option in clashing if possible(case, said_now[option])]
            options = allowed or clashing
            total += options not in ([], [gold(case)[id]])
            if struck.get(id) == "contradict":
                assert label in options
                struck_of, real = struck_of + 1, real + bool(allowed)
            else:
                assert (struck.get(id) == "wrong") is (label is not gold(case)[id])
    assert within(struck_of, total, 0.25)
    assert real > 20


async def test_confidence_has_the_means_of_right_and_wrong_answers() -> None:
    model = SimulatedAnswerer("sim/labels:wrong=0.4,confidence=0.95/0.6", LAMPS)
    sure: dict[bool, list[float]] = {True: [], False: []}
    for case in LAMPS:
        read = read_labels((await reply(model, asked(case))).text, list(gold(case)), "labels")
        for id, label in gold(case).items():
            sure[read.labels[id] is label].append(read.confidence[id])
    for right, mean, spread in ((True, 0.95, 0.05), (False, 0.6, SPREAD)):
        given = sure[right]
        assert mean - spread - 1e-9 <= min(given) < mean < max(given) <= mean + spread + 1e-9
        # An even spread has a standard deviation of its half width over the root of 3.
        assert abs(sum(given) / len(given) - mean) < 4 * spread / math.sqrt(3 * len(given))


async def test_queries_without_a_formula_are_never_contradicted() -> None:
    case = replace(LAMPS[0], queries=tuple(replace(query, formula=None) for query in LAMPS[0].queries))
    answered = await reply(SimulatedAnswerer("sim/labels:contradict=1", [case]), asked(case))
    assert labels(answered, case) == gold(case)
    assert not answered.annotations


async def test_what_it_does_not_know_it_says() -> None:
    model = SimulatedAnswerer("sim/labels", LAMPS[:3])
    known = asked(LAMPS[0])
    for prompt in (asked(LAMPS[4]), replace(known, queries=(*known.queries, ("q9", "The roof is lit")))):
        answered = await reply(model, prompt)
        assert answered.text == LOST
        assert read_labels(answered.text, prompt.ids, "labels").labels == {}
    assert (await model.complete(Request((), "answer"))).text == LOST


LINES = st.sampled_from(
    [
        "Premises:", f"P1: {LAMPS[0].premises[0].text}", f"P2: {LAMPS[0].premises[1].text}", "", "Statements:",
        f"P3: {LAMPS[0].premises[2].text}", "Questions:", f"q0: {LAMPS[0].queries[0].text}", "q0: ", "q9: what",
        "What you have said so far:", f"- {LAMPS[0].queries[0].text}", "REPAIR REQUIRED", "Your answers were: q0 YES.",
        "Your answers were: q0", "Your answers were: ", "Answer again, and think about which of them is wrong: q0.",
        "\x00", "x" * 500,
    ]
)  # fmt: skip
ROLES = {"system": system, "user": user, "assistant": assistant}
MODEL = SimulatedAnswerer(MIXED, LAMPS[:2])


@drawn_from(st.lists(st.tuples(st.sampled_from(sorted(ROLES)), st.lists(LINES, max_size=9).map("\n".join)), max_size=4))
@settings(deadline=None, max_examples=150)
async def test_odd_requests_get_a_reply(parts: list[tuple[str, str]]) -> None:
    messages: tuple[Message, ...] = tuple(ROLES[role](text) for role, text in parts)
    answered = await MODEL.complete(Request(messages, "answer"))
    assert answered == await SimulatedAnswerer(MIXED, LAMPS[:2]).complete(Request(messages, "answer"))
