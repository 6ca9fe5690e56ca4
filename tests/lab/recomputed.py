"""An independent second opinion on a report, from a run's files alone, with plain JSON and numpy.

Nothing here imports the code that measures runs. Intervals are resampled twice as often with other random numbers, and
an end of the report's interval must be within Monte Carlo error.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.oracles import stats

OURS = 20_000
THEIRS = 10_000  # resamples of a report
Entry = dict[str, Any]
Table = NDArray[Any]


def read_run(folder: Path) -> tuple[dict[str, Any], dict[str, list[Entry]]]:
    """Return the settings of a run, and its turns by method."""
    settings = json.loads((folder / "settings.json").read_text())
    turns: dict[str, list[Entry]] = {}
    for line in (folder / "journal.jsonl").read_text().splitlines():
        entry = json.loads(line)
        assert entry["kind"] != "failure"
        turns.setdefault(entry["method"], []).append(entry)
    assert set(turns) == set(settings["methods"])
    return settings, turns


def by_problem(turns: Sequence[Entry], count: Callable[[Entry], Sequence[float]]) -> Table:
    """Return sums over the turns of each problem: a row for each problem, a column for each number of `count`."""
    sums: dict[str, Table] = {}
    for entry in turns:
        numbers = np.array(count(entry), dtype=float)
        sums[entry["problem"]] = sums.get(entry["problem"], np.zeros_like(numbers)) + numbers
    return np.array(list(sums.values()))


def wilson(hits: float, of: float, problems: int) -> tuple[float, float]:
    """Return the two roots of Wilson's quadratic equation, each problem being one event."""
    p, z2 = hits / of, stats.norm.ppf(0.975) ** 2
    low, high = sorted(np.roots([1 + z2 / problems, -2 * p - z2 / problems, p * p]).real)
    return max(0.0, low), min(1.0, high)


def levels(problems: int) -> tuple[float, float]:
    """Return the quantiles of expanded percentiles (Hesterberg 2015)."""
    outside = stats.norm.cdf(-math.sqrt(problems / (problems - 1)) * stats.t.ppf(0.975, problems - 1))
    return outside, 1 - outside


def assert_drawn(found: dict[str, Any], table: Table, figure: Callable[[Table], Table], problems: int) -> None:
    """Assert that the interval is that of the bootstrap over the rows of the table, within Monte Carlo error.

    Both numbers of resamples give a standard error of the share of resamples below a true end. An end that is more than
    four of these off is wrong. Ends of a figure with few values may be equal.
    """
    assert found["interval"] == "bootstrap"
    rng = np.random.default_rng(2)
    with np.errstate(invalid="ignore", divide="ignore"):
        drawn = [
            figure(table[rng.integers(0, len(table), (1000, len(table)))].sum(axis=1)) for _ in range(OURS // 1000)
        ]
    values = np.concatenate(drawn)
    values = values[np.isfinite(values)]
    for end, level in zip(("low", "high"), levels(problems), strict=True):
        error = math.sqrt(level * (1 - level) * (1 / THEIRS + 1 / OURS))
        least, most = np.quantile(values, [max(0.0, level - 4 * error), min(1.0, level + 4 * error)])
        assert least - 1e-9 <= found[end] <= most + 1e-9, (end, found, least, most)


def assert_rate(found: dict[str, Any], table: Table) -> None:
    """Assert that a rate has the hits (first column), total (second column), and interval of these problems."""
    hits, of = table.sum(axis=0)
    assert (found["hits"], found["of"]) == (hits, of)
    if not of:
        assert (found["value"], found["interval"]) == (None, None)
        return
    assert math.isclose(found["value"], hits / of)
    part = table[table[:, 1] > 0]
    if np.allclose(table[:, 0] * of, hits * table[:, 1]):
        assert found["interval"] == "wilson"
        assert np.allclose((found["low"], found["high"]), wilson(hits, of, len(part)), atol=1e-9)
    else:
        assert_drawn(found, table, lambda sums: sums[:, 0] / sums[:, 1], int(table.any(axis=1).sum()))


def assert_ratio_of_rates(found: dict[str, Any], first: Table, second: Table) -> None:
    """Assert that an estimate is the first rate over the second."""
    problems = min(int((table[:, 1] > 0).sum()) for table in (first, second))
    assert found["of"] == problems
    (hit, of), (base, base_of) = first.sum(axis=0), second.sum(axis=0)
    assert math.isclose(found["value"], (hit / of) / (base / base_of))
    if found["interval"] is not None:
        whole = np.column_stack([first, second])
        assert_drawn(found, whole, lambda sums: sums[:, 0] / sums[:, 1] / (sums[:, 2] / sums[:, 3]), problems)


def assert_mean(found: dict[str, Any], values: Sequence[float]) -> None:
    """Assert that an estimate is the mean of these values, one for each problem."""
    table = np.column_stack([values, np.ones(len(values))])
    assert found["of"] == len(values) and math.isclose(found["value"], np.mean(values), abs_tol=1e-12)
    if found["interval"] is None:
        assert np.ptp(values) <= 1e-9
    else:
        assert_drawn(found, table, lambda sums: sums[:, 0] / sums[:, 1], len(values))


def assert_paired(found: dict[str, Any], first: dict[str, float], second: dict[str, float]) -> None:
    """Assert that a paired test is about these means of problems."""
    both = [first[problem] - second[problem] for problem in first if problem in second]
    assert found["problems"] == len(both) and math.isclose(found["difference"], np.mean(both), abs_tol=1e-12)
    if np.ptp(both) < 1e-9:
        assert found["interval"] == "wilson"
    else:
        table = np.column_stack([both, np.ones(len(both))])
        assert_drawn(found, table, lambda sums: sums[:, 0] / sums[:, 1], len(both))


def outcome(verdict: dict[str, Any]) -> str:
    """Return the outcome of a turn from the two parts of its verdict: the ledger and the answer."""
    if verdict["basis"] == "unsat":
        return "contradiction"
    if verdict["answer"] in ("unparsed", "refused", "incomplete"):
        return str(verdict["answer"])
    if "unknown" in (verdict["basis"], verdict["answer"]):
        return "undecided"
    return {"violating": "drift", "respecting": "consistent"}.get(verdict["answer"], "undecided")


def check_assignments(turns: Sequence[Entry], row: dict[str, Any]) -> None:
    """Assert that a row about assignments is right about these turns."""
    scored = [entry for entry in turns if entry["score"] is not None]

    def right_at(*numbers: int) -> Table:
        """Return for every problem the numbers of right and of scored turns among these turns (any, for none)."""

        def count(entry: Entry) -> tuple[int, int]:
            here = entry["score"] is not None and (not numbers or entry["turn"] in numbers)
            return int(here and entry["score"]["correct"]), int(here)

        return by_problem(turns, count)

    assert (row["turns"], row["scored"]) == (len(turns), len(scored))
    assert_rate(row["accuracy"], right_at())
    ends = [outcome(entry["record"]["attempts"][-1]["verdict"]) for entry in turns]
    assert {name: count for name, count in row["outcomes"].items() if count} == Counter(ends)
    wrong = [end for end, entry in zip(ends, turns, strict=True) if entry["score"] and not entry["score"]["correct"]]
    assert row["wrong"] == len(wrong)
    channels = Counter("ledger_gap" if end == "consistent" else end for end in wrong)
    assert {name: share["turns"] for name, share in row["channels"].items() if share["turns"]} == channels
    if wrong:
        assert math.isclose(sum(share["share"] for share in row["channels"].values()), 1)
        assert all(math.isclose(row["channels"][name]["share"], n / len(wrong)) for name, n in channels.items())
    assert [point["turn"] for point in row["depth"]] == sorted({entry["turn"] for entry in scored})
    for point in row["depth"]:
        assert_rate(point["accuracy"], right_at(point["turn"]))
    last, first = right_at(10), right_at(1)
    kept, both = row["retention"], (last[:, 1] > 0) & (first[:, 1] > 0)
    if last[:, 1].any() and first[:, 0].any():
        assert_ratio_of_rates(kept["published"], last, first)
    else:
        assert kept["published"]["value"] is None
    assert kept["problems"] == both.sum()
    assert_rate(kept["same_problems"], np.column_stack([last[:, 0], first[:, 0]]) * both[:, None])


def check_labels(turns: Sequence[Entry], row: dict[str, Any]) -> None:
    """Assert that a row about labels is right about these turns, in which all queries of a case are asked at once."""
    answers = [
        [(gold, entry["record"]["detail"]["labels"].get(id)) for id, gold in entry["score"]["gold"].items()]
        for entry in turns
    ]
    assert (row["finished"], row["queries"]) == (len(turns), sum(map(len, answers)))
    assert_rate(row["accuracy"], np.array([(sum(g == a for g, a in each), len(each)) for each in answers], dtype=float))
    given = Counter(pair for each in answers for pair in each)
    for gold, counts in row["confusion"].items():
        for label, count in counts.items():
            assert count == given[gold, None if label == "none" else label]
    wholes = [entry["score"]["whole"] for entry in turns]
    consistent = [(int(each["consistent"] is True), int(each["consistent"] is not None)) for each in wholes]
    assert_rate(row["sets"]["consistent"], np.array(consistent, dtype=float))
    assert_mean(row["sets"]["cost"], [each["revision_cost"] for each in wholes if each["revision_cost"] is not None])


def means_of(turns: Sequence[Entry], right: Callable[[Entry], Sequence[bool]]) -> dict[str, float]:
    """Return the share of right parts of each problem."""
    found: dict[str, list[bool]] = {}
    for entry in turns:
        found.setdefault(entry["problem"], []).extend(right(entry))
    return {problem: float(np.mean(each)) for problem, each in found.items() if each}
