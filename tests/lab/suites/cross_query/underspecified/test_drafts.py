"""What the drafts of every underspecified subdomain promise."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from holdtrue.record import Label
from holdtrue_lab.suites.cross_query.subdomain import Draft, Subdomain
from holdtrue_lab.suites.cross_query.subdomains import UNDERSPECIFIED
from tests.lab.suites.cross_query.drafted import draw_one, labels_of
from tests.lab.suites.cross_query.underspecified.worlds import BY_NAME
from tests.lab.suites.worlds import every_world

SHARES = {Label.ENTAILED: 0.18, Label.CONTRADICTED: 0.36, Label.UNKNOWN: 0.46}
DRAWN = 30


@pytest.fixture(scope="module", params=UNDERSPECIFIED, ids=lambda subdomain: str(subdomain.name))
def subdomain(request: pytest.FixtureRequest) -> Subdomain:
    found: Subdomain = request.param
    return found


def test_a_draft_is_the_same_for_the_same_stream(subdomain: Subdomain) -> None:
    one, other = (draw_one(subdomain, "a") for _ in range(2))
    assert (one.premises, one.candidates) == (other.premises, other.candidates)
    assert one.premises != draw_one(subdomain, "b").premises


def test_nothing_is_told_or_asked_twice(subdomain: Subdomain) -> None:
    for number in range(DRAWN):
        draft = draw_one(subdomain, f"{number}")
        canonical = [draft.instance.canonical(made) for made in (*draft.premises, *draft.candidates)]
        assert len(set(canonical)) == len(canonical)
        assert len(draft.candidates) >= 16
        assert {made.type for made in draft.candidates} <= set(subdomain.query_types)


def test_premises_are_possible_and_every_label_is_there(subdomain: Subdomain) -> None:
    counts = Counter(label for number in range(DRAWN) for label in labels_of(draw_one(subdomain, f"{number}")))
    assert counts[Label.ENTAILED] >= 0.12 * counts.total()
    assert counts[Label.CONTRADICTED] >= 0.12 * counts.total()
    assert counts[Label.UNKNOWN] >= 0.3 * counts.total()


def test_every_type_is_told_and_every_query_type_asked(subdomain: Subdomain) -> None:
    drafts = [draw_one(subdomain, f"{number}") for number in range(DRAWN)]
    in_premises = {made.type for draft in drafts for made in draft.premises}
    asked = {made.type for draft in drafts for made in draft.candidates}
    assert asked == set(subdomain.query_types)
    assert in_premises | asked == {kind.name for kind in subdomain.declaration.constraint_types}
    assert len({len(draft.instance.entities) for draft in drafts}) > 1
    assert len({len(draft.premises) for draft in drafts}) > 3


@pytest.mark.slow
def test_queries_are_rarely_in_the_same_words() -> None:
    """Over 90 cases with six or seven queries by the card's shares."""
    texts: list[str] = []
    for number in range(90):
        rng = Random(number)
        own = UNDERSPECIFIED[number % len(UNDERSPECIFIED)]
        draft = draw_one(own, f"{number}")
        by_label: dict[Label, list[str]] = {label: [] for label in Label}
        for made, label in zip(draft.candidates, labels_of(draft), strict=True):
            by_label[label].append(own.say(rng, made))
        wanted = rng.choices(list(SHARES), list(SHARES.values()), k=rng.choice((6, 7)))
        texts += [by_label[label].pop() for label in wanted if by_label[label]]
    assert len(texts) > 540
    assert len(set(texts)) >= 0.9 * len(texts)


def test_a_diagnosis_by_hand() -> None:
    ward = BY_NAME["diagnosis"].declaration.instance(
        ["Abel"], {"conditions": ["Halden disease", "Tarn disease"], "symptoms": ["fever", "a rash"]}
    )
    premises = [
        ward.constraint("always_with", ["Halden disease", "fever"]),
        ward.constraint("never_with", ["Tarn disease", "a rash"]),
        ward.constraint("lacks_symptom", ["Abel", "fever"]),
    ]
    asked = (
        ward.constraint("has_condition", ["Abel", "Tarn disease"]),
        ward.constraint("has_condition", ["Abel", "Halden disease"]),
        ward.constraint("has_symptom", ["Abel", "a rash"]),
    )
    assert labels_of(Draft(ward, tuple(premises), asked)) == [Label.ENTAILED, Label.CONTRADICTED, Label.CONTRADICTED]
    assert labels_of(Draft(ward, tuple(premises[1:]), asked)) == [Label.UNKNOWN, Label.UNKNOWN, Label.UNKNOWN]


def test_labels_of_a_fault_by_brute_force() -> None:
    own = BY_NAME["fault"]
    drafts = [draw_one(own, f"{number}") for number in range(20)]
    for draft in [draft for draft in drafts if len(draft.instance.entities) == 5][:3]:
        formulas = [draft.instance.formula(made) for made in draft.premises]
        instance = draft.instance
        allowed = list(every_world(instance.variables.values(), (*instance.background, *formulas)))
        for made, label in zip(draft.candidates, labels_of(draft), strict=True):
            found = {draft.instance.formula(made).holds(world) for world in allowed}
            expected = Label.UNKNOWN if len(found) == 2 else Label.ENTAILED if True in found else Label.CONTRADICTED
            assert label is expected
