"""Searches in files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import SearchBudget
from holdtrue.conversation.search_session import SearchSession
from holdtrue.errors import RecordError, SettingsError
from holdtrue.kinds.search.method import SearchMethod
from holdtrue.kinds.search.problem import Requirement, SearchProblem
from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.sorts import EnumSort, IntSort
from holdtrue.models.chat import Request
from holdtrue.models.sampling import Sampling
from holdtrue.models.scripted import ScriptModel
from tests.conversation.saved_files import (
    Change,
    goes_on_where_loaded,
    play_steps,
    refused_where_changed,
)
from tests.kinds.search.searches import METHODS, said

X, Y, Z = Variable("x", IntSort(0, 9)), Variable("y", IntSort(0, 9)), Variable("z", EnumSort("colour", ("red", "blue")))
PROBLEM = SearchProblem.of(
    [X, Y, Z],
    [Requirement("c1", "x + y >= 5", X + Y >= 5), Requirement("c2", "x = 2 or z is red", X.eq(2) | Z.eq(0))],
    setting=["A riddle."],
)
FORMULAS: tuple[Formula, ...] = (
    X <= 6,
    X + Y <= 11,
    (X > 7) & (Y > 7),
    abs(X - Y) >= 3,
    (X % 3).eq(0),
    (Z.eq(1)).implies(X.ne(Y)),
)
LIMITS = SearchBudget(k=2, rounds=2, tokens=500)


def answer(request: Request) -> str:
    """Candidates that hang on all that is asked; now and then none, or a claim that there is none."""
    dice = int(request.key("script"), 16)
    if dice % 7 == 0:
        return "no idea"
    if dice % 11 == 0:
        return '{"status": "unsat"}'
    return said({"x": dice % 10, "y": dice // 10 % 10, "z": dice // 100 % 2})


def model() -> ScriptModel:
    return ScriptModel(answer)


async def do(session: SearchSession, verb: str, dice: int) -> list[object]:
    """Return the results of one step."""
    formula = FORMULAS[dice % len(FORMULAS)]
    new = Requirement(f"r{dice % 4}", f"{formula}", formula)
    ids = [each.id for each in session.problem.constraints] or ["gone"]
    match verb:
        case "ask":
            record = replace(await session.turn(), elapsed_s=0.0, solver_s=0.0)
            return [record, session.explain(record)]
        case "add":
            return [session.add(new)]
        case "amend":
            return [session.amend(ids[dice % len(ids)], new)]
        case "withdraw":
            return [session.withdraw(ids[dice % len(ids)])]
        case "check":
            return [session.check(said({"x": dice % 10, "y": 4, "z": 0})), session.explain_ledger()]
    raise ValueError(verb)


async def play(session: SearchSession, steps: Sequence[tuple[str, int]]) -> list[object]:
    return await play_steps(steps, lambda step: do(session, *step), lambda: session.problem.constraints)


STEPS = st.tuples(st.sampled_from(["ask", "add", "amend", "withdraw", "check"]), st.integers(0, 99))


@given(st.lists(STEPS, max_size=6), st.lists(STEPS, min_size=1, max_size=4), st.sampled_from(sorted(METHODS)))
@settings(deadline=None, max_examples=40)
async def test_a_search_that_was_saved_goes_on_as_one_that_was_not(
    tmp_path_factory: pytest.TempPathFactory, before: list[tuple[str, int]], after: list[tuple[str, int]], method: str
) -> None:
    file = tmp_path_factory.mktemp("saved") / "search.json"
    sampling = Sampling(temperature=0.3, seed=5)
    kept = SearchSession(PROBLEM, model=model(), method=METHODS[method], limits=LIMITS, sampling=sampling)
    await goes_on_where_loaded(file, kept, lambda: load(file), play, before, after)


def saved(tmp_path: Path, **given: Any) -> Path:
    """The file of a search of one trial, in which every change was made since."""
    file = tmp_path / "session.json"
    with SearchSession(PROBLEM, model=model(), limits=LIMITS, **given) as session:
        session.ask()
        session.add(Requirement("r1", "x <= 6", X <= 6))
        session.amend("c1", Requirement("c1", "x + y <= 11", X + Y <= 11))
        session.withdraw("c2")
        session.save(file)
    return file


def load(file: Path, problem: SearchProblem = PROBLEM, **own: Any) -> SearchSession:
    return SearchSession.load(file, problem, model=model(), **own)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda d: d["problem"].update(id="other"), r"problem\.id: the session is about another problem"),
        (lambda d: d["problem"]["variables"][0]["sort"].update(high=8), r"problem\.variables\.0\.sort\.high: the"),
        (lambda d: d["problem"]["constraints"].pop(), r"problem\.constraints: the session is about another"),
        (lambda d: d["constraints"][0].update(formula=["<=", "w", 1]), "constraints.0: there is no variable 'w'"),
        (lambda d: d["constraints"][0].update(formula=["-", "x"]), "constraints.0: unknown operator"),
        (
            lambda d: d["constraints"][0].update(formula=["<=", ["+", ["*", 1, "x"]], 6]),
            "constraints.0: this formula is not writ",
        ),
        (lambda d: d.update(pending=[], constraints=d["constraints"][:1] * 2), "'c1'"),
        (lambda d: d["pending"][1].update(kind="lost"), r"pending\.1: this change"),
        (lambda d: d["constraints"].clear(), r"pending\.0: this change"),
        (lambda d: d["constraints"][1].update(text="x <= 7"), r"pending\.0: this change"),
        (lambda d: d["pending"][3].update(id="c1"), r"pending\.3: this change"),
        (lambda d: d["pending"][0].update(turn=0), r"pending\.0: this change"),
        (lambda d: d.update(turns=-1), "turns: -1 trials"),
        (lambda d: d.update(pending=[], constraints=[]), "there are no constraints"),
    ],
)
def test_a_damaged_or_foreign_file_is_refused_with_its_place(tmp_path: Path, change: Change, says: str) -> None:
    file = saved(tmp_path)
    refused_where_changed(file, change, lambda: load(file), says)


def test_another_problem_and_a_method_of_one_s_own(tmp_path: Path) -> None:
    file = saved(tmp_path, method=SearchMethod("mine"))
    with pytest.raises(SettingsError, match=r"session\.json: the method 'mine' is no preset: give it again"):
        load(file)
    with pytest.raises(SettingsError, match="the session's method is 'mine', not 'cd_vgs'; see allow_changes"):
        load(file, method="cd_vgs")
    loaded = load(file, method="cd_vgs", allow_changes=True)
    assert loaded.method.name == "cd_vgs" and loaded.limits == LIMITS
    other = SearchProblem.of([X, Y, Z], [Requirement("c1", "x + y >= 5", X + Y >= 5)], setting=["A riddle."])
    with pytest.raises(RecordError, match=r"problem\.constraints: the session is about another problem"):
        load(file, other)


def test_a_formula_that_could_not_be_read_again_is_refused_and_the_old_file_stays(tmp_path: Path) -> None:
    file = saved(tmp_path)
    before = file.read_bytes()
    deep: Formula = X <= 6
    for number in range(70):
        deep = (deep & (number % 9 >= Y)) | (X >= 1)
    session = load(file)
    session.add(Requirement("deep", "deep", deep))
    with pytest.raises(RecordError, match=r"constraints\.2\.formula: .*nested 100 deep at most"):
        session.save(file)
    assert file.read_bytes() == before and [one.name for one in tmp_path.iterdir()] == ["session.json"]
