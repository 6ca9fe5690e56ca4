"""Write out the laws of a vocabulary over its named things: an oracle for engines that know them in another way."""

from __future__ import annotations

from itertools import product

from holdtrue.logic.formula import AllDifferent, Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue_claims.fol.vocabulary import Vocabulary
from holdtrue_claims.solving.sentence_grounding import fact_name, thing_label


def laws(vocabulary: Vocabulary) -> tuple[Formula, ...]:
    """Return the laws of a vocabulary alone: named things have different values of a `distinct` function.

    After a `merge` there may be more things than values. Then the law covers only the first things: a law that nothing
    satisfies would make every context inconsistent.
    """
    found: list[Formula] = []
    for function in vocabulary.functions:
        if not function.distinct or function.low is None or function.high is None:
            continue
        choices = [[thing_label(thing.name) for thing in vocabulary.of_sort(sort)] for sort in function.sorts]
        values = IntSort(function.low, function.high)
        places = tuple(Variable(fact_name(function.name, labels), values) for labels in product(*choices))
        if len(differing := places[: function.high - function.low + 1]) > 1:
            found.append(AllDifferent(differing))
    return tuple(found)
