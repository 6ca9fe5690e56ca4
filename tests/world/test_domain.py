"""Domains are declared and found by name, and mistakes get clear errors."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest

from holdtrue.errors import DomainError
from holdtrue.logic.sorts import EnumSort, IntSort
from holdtrue.world.domain import Attribute, Domain
from holdtrue.world.registry import BUILTIN, find_domain


def test_an_attribute_is_an_integer_or_one_of_several_values() -> None:
    day, shift = Attribute("day", 1, 5), Attribute("shift", values=["Early", "Late"], label="shift of work")
    assert (day.sort, day.label) == (IntSort(1, 5), "day")
    assert (shift.sort, shift.label) == (EnumSort("shift", ("Early", "Late")), "shift of work")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"name": ""}, "an attribute needs a name"),
        ({"name": "day"}, "attribute 'day' needs low or high or both, or values"),
        ({"name": "day", "low": 1, "high": 2, "values": ["a"]}, "attribute 'day' needs low or high or both, or values"),
        ({"name": "day", "low": 3, "high": 2}, "attribute 'day': an integer sort needs low <= high, got 3..2"),
        ({"name": "day", "low": 1.0, "high": 2}, "attribute 'day': low and high are whole numbers, not 1.0"),
        ({"name": "day", "low": 1, "high": True}, "attribute 'day': low and high are whole numbers, not True"),
        ({"name": "day", "values": "Early"}, "attribute 'day': values are a list of names, not 'Early'"),
        ({"name": "day", "values": [1, 2]}, "attribute 'day': a value is a name such as 'Late', not 1"),
        ({"name": "day", "values": ["a", " "]}, "attribute 'day': a value is a name such as 'Late', not ' '"),
        ({"name": 5, "low": 1, "high": 2}, "an attribute needs a name, not 5"),
        ({"name": "day", "values": []}, "the enumeration 'day' has no values"),
        ({"name": "day", "values": ["a", "A"]}, "the enumeration 'day' names a value twice: a, A"),
    ],
)
def test_impossible_attributes_are_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(DomainError, match=message):
        Attribute(**settings)


@pytest.mark.parametrize("attributes", [[], [Attribute("day", 1, 5), Attribute("day", 1, 9)]])
def test_a_domain_needs_attributes_with_names_of_their_own(attributes: list[Attribute]) -> None:
    for declared in (attributes, lambda context: attributes):
        with pytest.raises(DomainError, match="a domain needs attributes, each with a name of its own"):
            Domain("d", declared, []).instance(["Ann"])


def test_attributes_and_setting_may_depend_on_the_problem() -> None:
    domain = Domain(
        "d",
        attributes=lambda context: [Attribute("day", 1, context["days"])],
        constraint_types=[],
        context=lambda entities, given: {"days": given.get("days", 10 * len(entities))},
    )
    assert domain.instance(["Ann", "Bob"]).variables["Bob.day"].sort == IntSort(1, 20)
    assert domain.instance(["Ann"], {"days": 3}).variables["Ann.day"].sort == IntSort(1, 3)


SOURCE = """
from __future__ import annotations
from dataclasses import dataclass
from holdtrue.world.domain import Attribute, Domain

@dataclass
class Note:
    text: str

SHIFTS = Domain("shifts", [Attribute("day", 1, 5)], ())
NUMBER = 3
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current directory, empty; modules that a test imports from it are forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    for name in ("shifts_mod", "shifts_bad", "shifts_pack", "shifts_pack.inner", "holdtrue_domain_shifts"):
        # Setting before deleting makes monkeypatch restore the absence of the module.
        monkeypatch.setitem(sys.modules, name, sys)
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    return tmp_path


def test_built_in_domains_are_found_by_their_names() -> None:
    assert set(BUILTIN) == {"seating", "scheduling", "logic_grid"}
    for name, domain in BUILTIN.items():
        assert find_domain(name) is domain
        assert domain.name == name


def test_a_module_in_the_current_directory_is_found(folder: Path) -> None:
    (folder / "shifts_mod.py").write_text(SOURCE, encoding="utf-8")
    path = list(sys.path)
    assert find_domain("shifts_mod:SHIFTS").name == "shifts"
    assert sys.path == path


def test_a_module_inside_a_package_is_found(folder: Path) -> None:
    (folder / "shifts_pack").mkdir()
    (folder / "shifts_pack" / "__init__.py").write_text("", encoding="utf-8")
    (folder / "shifts_pack" / "inner.py").write_text(SOURCE, encoding="utf-8")
    assert find_domain("shifts_pack.inner:SHIFTS").name == "shifts"


def test_an_installed_module_is_found() -> None:
    assert find_domain("holdtrue.world.seating:SEATING") is BUILTIN["seating"]


def test_a_python_file_is_found(folder: Path) -> None:
    (folder / "shifts.py").write_text(SOURCE, encoding="utf-8")
    assert isinstance(find_domain("shifts.py:SHIFTS"), Domain)
    assert isinstance(find_domain(f"{folder / 'shifts.py'}:SHIFTS"), Domain)


def test_a_file_imports_what_stands_beside_it(folder: Path) -> None:
    (folder / "rotas").mkdir()
    (folder / "rotas" / "shifts_mod.py").write_text(SOURCE, encoding="utf-8")
    own = "from dataclasses import replace\nfrom shifts_mod import SHIFTS\nOWN = replace(SHIFTS, name='own')\n"
    (folder / "rotas" / "shifts.py").write_text(own, encoding="utf-8")
    path = list(sys.path)
    assert find_domain("rotas/shifts.py:OWN").name == "own"
    assert sys.path == path


def test_the_path_is_restored_where_a_file_fails(folder: Path) -> None:
    (folder / "rotas").mkdir()
    (folder / "rotas" / "shifts.py").write_text("import absent_library\n", encoding="utf-8")
    path = list(sys.path)
    with pytest.raises(DomainError, match="No module named 'absent_library'"):
        find_domain("rotas/shifts.py:OWN")
    assert sys.path == path


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "chess",
            "unknown domain 'chess'; built in: seating, scheduling, logic_grid; your own: module:NAME or file.py:NAME",
        ),
        ("", "unknown domain ''"),
        (":SHIFTS", "unknown domain ':SHIFTS'"),
        ("shifts.py", "unknown domain 'shifts.py'"),
        ("shifts.py:", "unknown domain 'shifts.py:'"),
        ("shifts_none:SHIFTS", "there is no module 'shifts_none' on the path or in "),
        ("shifts_mod.inner:SHIFTS", "there is no module 'shifts_mod.inner'"),
        ("none.py:SHIFTS", "there is no file 'none.py'"),
        ("shifts.py:OTHER", "shifts.py has no 'OTHER'; its domains: SHIFTS"),
        ("shifts_mod:OTHER", "shifts_mod has no 'OTHER'; its domains: SHIFTS"),
        ("shifts_mod:NUMBER", "'NUMBER' in shifts_mod is a int, not a Domain"),
        ("shifts_mod:Domain", "'Domain' in shifts_mod is a type, not a Domain"),
        ("..:X", ".. cannot be imported: "),
        ("shifts_needs:X", "shifts_needs cannot be imported: ModuleNotFoundError: No module named 'absent_library'"),
        ("shifts_bad:X", "shifts_bad cannot be imported: SyntaxError: "),
        ("shifts_script:X", "shifts_script cannot be imported: SystemExit: 0"),
        ("shifts_script.py:X", "shifts_script.py cannot be imported: SystemExit: 0"),
        ("shifts_bad.py:X", "shifts_bad.py cannot be imported: SyntaxError: "),
        (
            "shifts_wrong.py:X",
            "shifts_wrong.py cannot be imported: attribute 'day' needs low or high or both, or values",
        ),
    ],
)
def test_what_cannot_be_found_is_said(folder: Path, name: str, message: str) -> None:
    (folder / "shifts.py").write_text(SOURCE, encoding="utf-8")
    (folder / "shifts_mod.py").write_text(SOURCE, encoding="utf-8")
    (folder / "shifts_needs.py").write_text("import absent_library", encoding="utf-8")
    (folder / "shifts_bad.py").write_text("def :", encoding="utf-8")
    (folder / "shifts_script.py").write_text("import sys\nsys.exit(0)", encoding="utf-8")
    wrong = "from holdtrue.world.domain import Attribute\nday = Attribute('day')\n"
    (folder / "shifts_wrong.py").write_text(wrong, encoding="utf-8")
    modules = set(sys.modules)
    with pytest.raises(DomainError, match="^" + re.escape(message)):
        find_domain(name)
    assert set(sys.modules) - modules <= {"shifts_mod", "holdtrue_domain_shifts"}
