"""The public surface: what `import holdtrue` gives, and what it does not drag in."""

from __future__ import annotations

import subprocess
import sys

import holdtrue

HEAVY = ("pysat", "z3", "numpy", "openai", "pydantic", "typer", "rich", "xllamacpp", "httpx2")


def modules_after(statement: str) -> set[str]:
    """The top-level modules that are loaded after the statement, in a fresh interpreter."""
    script = f"import sys\n{statement}\nprint(*{{name.partition('.')[0] for name in sys.modules}})"
    return set(
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    )


def test_every_public_name_exists_and_comes_from_its_home() -> None:
    for name in holdtrue.__all__:
        assert getattr(holdtrue, name).__name__ == name or name in ("ChatModel",)
    assert len(set(holdtrue.__all__)) == len(holdtrue.__all__)
    assert set(holdtrue.__all__) == set(holdtrue._HOME)


def test_unknown_names_are_attribute_errors() -> None:
    assert not hasattr(holdtrue, "Sesion")


def test_importing_holdtrue_loads_nothing_heavy() -> None:
    assert not modules_after("import holdtrue") & set(HEAVY)


def test_the_command_line_s_help_loads_no_solver_and_no_client() -> None:
    heavy = {"pysat", "z3", "numpy", "openai", "pydantic", "xllamacpp", "httpx2"}
    assert not modules_after("import holdtrue.cli.main") & heavy


def test_a_session_loads_one_solver_and_no_client() -> None:
    loaded = modules_after(
        "from holdtrue import Session, ScriptModel\n"
        'model = ScriptModel([\'{"Ann": 1, "Bob": 2}\'])\n'
        "s = Session('seating', ['Ann', 'Bob'], model=model, extractor='templates')\n"
        "s.ask('Ann must sit at position 1.')"
    )
    assert "pysat" in loaded
    assert not loaded & {"z3", "numpy", "openai", "pydantic", "xllamacpp", "rich"}
