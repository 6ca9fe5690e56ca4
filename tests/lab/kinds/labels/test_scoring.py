from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.kinds.labels.case import Case
from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.engine import Soft
from holdtrue.solving.result import Core, Satisfiable, Unknown, Unsatisfiable
from holdtrue.solving.route import make_engine
from holdtrue_lab.kinds.labels.entry import LabelScore, SetScore
from holdtrue_lab.kinds.labels.scoring import LabelScorer
from tests.lab.kinds.labels.labelled import (
    SEATED,
    SEATS,
    A,
    Answers,
    B,
    C,
    E,
    U,
    case,
    committed,
    holds,
    naive_cost,
    record,
)
from tests.solving.brute import formulas
from tests.solving.standin import StandIn


def answer(labels: str) -> dict[str, str]:
    """Labels of q0, q1, ... by their initials; '-' is none."""
    names = {"E": E, "C": C, "U": U}
    return {f"q{place}": names[initial] for place, initial in enumerate(labels) if initial != "-"}


def bundle(of: Case, labels: Answers, *attempts: Answers, **more: object) -> LabelScore:
    """The score of the whole case asked at once."""
    made = record([query.id for query in of.queries], labels, *attempts, **more)  # type: ignore[arg-type]
    return LabelScorer(of).score(made, last=True)


def whole(of: Case, labels: Answers, *attempts: Answers, **more: object) -> SetScore:
    found = bundle(of, labels, *attempts, **more).whole
    assert found is not None
    return found


def naive(of: Case, labels: Answers) -> tuple[Sequence[bool], Sequence[bool], bool, bool, int]:
    """Prefixes, clashes, consistent, epistemic and cost, by trying all assignments and all subsets."""
    made = committed(of, labels)
    kept: list[Formula] = []
    upto: list[Formula] = []
    prefix, clash = [], []
    for query in of.queries:
        new = [made[query.id]] if query.id in made else []
        upto += new
        prefix.append(holds(of, upto))
        clash.append(bool(new) and not holds(of, (*kept, *new)))
        kept += [] if clash[-1] else new
    sides = [(q.formula, ~q.formula) for q in of.queries if q.formula is not None and labels.get(q.id) == U]
    everything = list(made.values())
    consistent = holds(of, everything)
    epistemic = consistent and all(holds(of, (*everything, side)) for pair in sides for side in pair)
    return prefix, clash, consistent, epistemic, naive_cost(of, labels)


@hypothesis_settings(max_examples=60, deadline=None)
@given(st.data())
def test_scores_are_those_of_trying_everything(data: st.DataObject) -> None:
    some = formulas(SEATS, every=False)
    of = case(data.draw(st.lists(some, min_size=1, max_size=6)), data.draw(st.lists(some, max_size=2)))
    labels = {q.id: label for q in of.queries if (label := data.draw(st.sampled_from((E, C, U, None)))) is not None}
    if not holds(of, []):
        return
    found = bundle(of, labels)
    prefix, clash, consistent, epistemic, cost = naive(of, labels)
    assert found.prefix == tuple(prefix)
    assert found.clash == tuple(clash)
    assert found.whole is not None
    assert (found.whole.consistent, found.whole.epistemic, found.whole.revision_cost) == (consistent, epistemic, cost)
    assert found.whole.of == len(of.queries)


def test_one_at_a_time_prefixes_are_as_they_stand_and_clashes_as_first_delivered() -> None:
    scorer = LabelScorer(SEATED)
    first = scorer.score(record(["q3"], {"q3": E}), last=False)
    # A second answer clashes with the first, which gives way.
    second = scorer.score(record(["q4"], {"q3": U, "q4": E}, turn=2, events=[("set_aside", "q3", E)]), last=False)
    # The first label counts for what clashes later, the second does not.
    third = scorer.score(record(["q5"], {"q3": U, "q4": E, "q5": C}, turn=3), last=True)
    assert (first.prefix, first.clash, first.whole) == ((True,), (False,), None)
    assert (second.prefix, second.clash) == ((True,), (True,))
    assert (third.prefix, third.clash) == ((True,), (False,))
    assert third.whole == SetScore(True, False, 0, 3, edits=1, needless=0, opposed=False)


def test_prefixes_of_earlier_turns_are_part_of_later_ones() -> None:
    scorer = LabelScorer(SEATED)
    scorer.score(record(["q3"], answer("---E")), last=False)
    both = scorer.score(record(["q4", "q0"], answer("E--EE"), turn=2), last=True)
    assert both.prefix == (False, False)
    assert both.clash == (True, False)


def test_a_statement_without_a_formula_is_left_out_and_counted() -> None:
    of = case([A.eq(1), None, B.eq(1)], [A < B])
    found = bundle(of, answer("EEE"))
    assert found.prefix == (True, None, False)
    assert found.clash == (False, None, True)
    assert found.whole == SetScore(False, False, 1, 2, opposed=False)
    assert whole(case([None], []), answer("E")) == SetScore(None, None, None, 0, opposed=False)


def test_edits_are_labels_that_the_method_changed() -> None:
    given, end = answer("EEC-UE"), answer("EEEUUU")
    assert whole(SEATED, end, given).edits == 2
    assert whole(SEATED, given).edits == 0
    assert whole(SEATED, answer("EE"), given).edits == 3  # a label that got lost is changed too


def test_a_retraction_is_needless_where_it_could_be_undone_by_itself() -> None:
    aside = [("set_aside", "q3", E), ("set_aside", "q2", E), ("added", "q4", C)]
    assert whole(SEATED, answer("EUUUCU"), events=aside).needless == 1  # q2 is refuted by the premises
    assert whole(SEATED, answer("EUUUEU"), events=aside).needless == 0  # b in seat 3 stands against q3
    # What is back is no retraction that stands.
    assert whole(SEATED, answer("EUUEUU"), events=aside, ledger=["q3"]).needless == 0
    both = [("set_aside", "q3", E), ("set_aside", "q4", E)]
    assert whole(SEATED, answer("EUUUUU"), events=both).needless == 2  # each, though not both
    # The opposite was believed in its place.
    assert whole(SEATED, answer("EUUCUU"), events=[("set_aside", "q3", E)]).needless == 0


@pytest.mark.parametrize(
    ("labels", "opposed"),
    [("EU", False), ("EC", True), ("CE", True), ("EE", False), ("EEE", True), ("ECC", True), ("UCE", False)],
)
def test_opposite_answers_are_found_by_what_they_say(labels: str, opposed: bool) -> None:
    bit = Variable("p", IntSort(0, 1))
    rain, again, dry = bit.eq(1), bit > 0, bit.eq(0)
    of = case([rain, again, dry], [], variables=[bit], suite="belief")
    found = whole(of, answer("UUU"), answer(labels))
    assert found.opposed is opposed


def test_premises_that_cannot_hold_have_no_cost() -> None:
    found = bundle(case([A.eq(1)], [A < B, B < A]), answer("E"))
    assert (found.prefix, found.clash) == ((False,), (True,))
    assert found.whole == SetScore(False, False, None, 1, opposed=False)


class Tired(StandIn):
    """Never has a verdict on anything but the premises."""

    def check(self, soft: Soft, *args: object, **more: object) -> Satisfiable | Core | Unknown:
        return Unknown("tired") if soft else Satisfiable({})


def test_what_is_undecided_is_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Case, "make_engine", lambda *_: Tired())
    aside = [("set_aside", "q3", E)]
    found = bundle(SEATED, answer("UEUEEE"), events=aside)
    assert found.prefix == (True, None, None, None, None, None)
    assert found.clash == (False, None, False, None, None, None)
    assert found.whole == SetScore(None, None, None, 6, opposed=None)
    unknown = bundle(SEATED, answer("UUUUUU"), events=aside).whole
    assert unknown == SetScore(True, None, 0, 6, opposed=False)


class Wordless(StandIn):
    """An engine that decides every question, and never gives a core."""

    def __init__(self) -> None:
        self._engine = make_engine(SEATED.variables, (*SEATED.laws, *SEATED.theory.values()))

    def check(self, soft: Soft, *args: object, **more: object) -> Satisfiable | Core | Unknown:
        return Unknown("tired")

    def decide(self, soft: Soft, *args: object, **more: object) -> Satisfiable | Unsatisfiable | Unknown:  # type: ignore[override]
        return self._engine.decide(soft, Budget())


def test_a_cost_that_was_not_proved_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Case, "make_engine", lambda *_: Wordless())
    found = whole(SEATED, answer("EECEEC"))
    assert (found.consistent, found.epistemic, found.revision_cost) == (False, False, None)
