from __future__ import annotations

from holdtrue.lab.kit.sharing import sharing
from tests.lab.suites.cross_query.toy import ROW

INSTANCE = ROW.instance(["Ann", "Ben", "Cleo", "Dan"], {"seats": 4})


def test_a_statement_shares_with_all_earlier_ones_about_somebody_in_it() -> None:
    asked = [("left", ["Ann", "Ben"]), ("at", ["Cleo", 1]), ("beside", ["Ben", "Cleo"]), ("at", ["Dan", 1])]
    assert sharing(INSTANCE, [INSTANCE.constraint(*each) for each in asked]) == [(), (), (0, 1), ()]
