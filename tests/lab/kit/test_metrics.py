"""Metrics: what answers add, how it is combined, and where it stands in the JSON and in tables."""

from __future__ import annotations

from holdtrue_lab.figures.statistics import clustered, means
from holdtrue_lab.kit.metrics import Metrics, Part, figures_json
from holdtrue_lab.kit.tables import columns

PARTS = Metrics[int]()
EVEN = PARTS.share("even", lambda number: number % 2 == 0)

NUMBERS = Metrics[int](PARTS)
SMALL = NUMBERS.share("help.small", lambda number: None if number < 0 else number < 3, "sm\u00adall", compared=True)
MEAN = NUMBERS.mean("help.mean", lambda number: number, form=".1f")
SUM = NUMBERS.total("sum", lambda number: number)
UNITS = NUMBERS.units("units")
SIGNS = NUMBERS.tally("signs", lambda number: "plus" if number >= 0 else None, ("plus", "minus"))
DIGITS = NUMBERS.parts("digits", ("digit",), lambda number: [((digit,), number) for digit in str(abs(number))], PARTS)

UNITS_OF_NUMBERS = ([1, 2, 31], [4, -1], [2, 2])
FOUND = Part({}, NUMBERS.combine([[NUMBERS.added(number) for number in unit] for unit in UNITS_OF_NUMBERS]))


def test_answers_are_combined_by_what_they_belong_to() -> None:
    assert [EVEN(FOUND), SMALL(FOUND)] == clustered([([1, 1, 2], [3, 2, 2]), ([2, 0, 2], [3, 1, 2])])
    assert (SUM(FOUND), UNITS(FOUND), SIGNS(FOUND)) == (41, 3, {"plus": 6, "minus": 0})
    assert MEAN(FOUND).value == 41 / 7
    alone = Part({}, NUMBERS.combine([[NUMBERS.added(number)] for number in (1, 2, 5)]))
    assert [MEAN(alone)] == means([[1, 2, 5]])


def test_parts_have_figures_of_their_own() -> None:
    assert [part.name for part in DIGITS(FOUND)] == ["1", "2", "3", "4"]
    assert [EVEN(part) for part in DIGITS(FOUND)][:2] == clustered([([0, 0], [2, 1])]) + clustered([([1, 2], [1, 2])])


def test_without_answers_there_are_no_values() -> None:
    none = Part({}, NUMBERS.combine([]))
    assert (SMALL(none).of, MEAN(none).value, SUM(none), UNITS(none), DIGITS(none)) == (0, None, 0, 0, ())


def test_names_are_places_in_the_json() -> None:
    found = figures_json(FOUND.figures)
    assert list(found) == ["even", "help", "sum", "units", "signs", "digits"]
    assert found["help"]["small"]["hits"] == 4
    assert [(each["digit"], each["even"]["of"]) for each in found["digits"]] == [("1", 3), ("2", 3), ("3", 1), ("4", 1)]


def test_a_metric_is_a_column_and_may_be_compared() -> None:
    cells = {column.title: read(FOUND) for column, read in columns(SMALL, SUM).items()}
    assert list(cells) == ["sm\u00adall %", "sum"] and cells["sum"] == "41"
    assert NUMBERS.compared == {"small": SMALL}
