from __future__ import annotations

from holdtrue.budget import UNLIMITED, Budget
from holdtrue.logic.formula import Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.record import Label
from holdtrue.solving.explain.label import label_of
from holdtrue.solving.result import Inconsistent, Satisfiable
from holdtrue.solving.route import make_engine

X = Variable("x", IntSort(1, 3))


def test_the_label_is_what_the_theory_says() -> None:
    engine = make_engine((X,))
    told = {"P1": X >= 2}
    first = engine.decide(told, UNLIMITED)
    assert isinstance(first, Satisfiable)
    wanted = {X > 1: Label.ENTAILED, X.eq(1): Label.CONTRADICTED, X.eq(2): Label.UNKNOWN}
    for query, label in wanted.items():
        assert label_of(engine, told, query, UNLIMITED) is label
        assert label_of(engine, told, query, Budget(), witness=first.witness) is label


def test_what_cannot_hold_says_nothing() -> None:
    assert label_of(make_engine((X,)), {"P1": X > 3}, X.eq(1), UNLIMITED) == Inconsistent()
