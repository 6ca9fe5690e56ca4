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


# What has no name of its own: these are values.
VALUES = ("APPROVE", "KEEP")


def test_every_public_name_exists_and_comes_from_its_home() -> None:
    for name in holdtrue.__all__:
        value = getattr(holdtrue, name)
        assert name in VALUES or value.__name__ == name
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


def test_a_query_session_loads_one_solver_and_no_client() -> None:
    loaded = modules_after(
        "from holdtrue import Case, Premise, QuerySession, Question, ScriptModel, find_domain\n"
        "row = find_domain('seating').instance(['Ann', 'Bob'])\n"
        "seat = row.formula(row.constraint('at_position', ['Ann', 1]))\n"
        "s = QuerySession(Case.of(row, [Premise('Two people sit in a row.')]), model=ScriptModel(['q0: UNKNOWN']))\n"
        "s.ask([Question('q0', 'Ann sits at position 1.', seat)])"
    )
    assert "pysat" in loaded
    assert not loaded & {"z3", "numpy", "openai", "pydantic", "xllamacpp", "rich"}


def test_a_search_session_loads_one_solver_and_no_client() -> None:
    loaded = modules_after(
        "from holdtrue import IntSort, Requirement, ScriptModel, SearchProblem, SearchSession, Variable\n"
        "x = Variable('x', IntSort(0, 9))\n"
        "wanted = (Requirement('c1', 'x >= 7', x >= 7),)\n"
        "problem = SearchProblem('mine', 'cegvr', 'linear', (x,), wanted, 'sat', 'easy')\n"
        'replies = [\'{"status": "sat", "assignment": {"x": %d}}\' % value for value in (1, 2, 3, 4, 8)]\n'
        "print(SearchSession(problem, model=ScriptModel(replies)).ask().delivered)"
    )
    assert '{"status":' in loaded, "there is a solution"
    assert "pysat" in loaded
    assert not loaded & {"z3", "numpy", "openai", "pydantic", "xllamacpp", "rich"}


def test_a_claim_session_loads_one_solver_and_no_client() -> None:
    loaded = modules_after(
        "import json\n"
        "from holdtrue import ClaimSession, ScriptModel\n"
        "words = {'predicates': [{'name': 'Dog', 'meaning': 'x is a dog'}], 'functions': []}\n"
        "replies = {'decompose': {'claims': [{'text': 'Rex is a dog', 'type': 'logical'}]}, 'vocabulary': words,\n"
        "           'formalize': {'formula': 'Dog(Rex)'}, 'retell': {'sentence': 'Rex is a dog.'},\n"
        "           'entities': {'things': [{'name': 'Rex', 'sort': 'animal'}]}}\n"
        "model = ScriptModel(lambda request: json.dumps(replies[request.purpose]))\n"
        "record = ClaimSession('Rex is a dog.', model=model).check('Rex is a dog.')\n"
        "print(record.final.check.claims[0].verdict)"
    )
    assert "entailed" in loaded
    assert "pysat" in loaded
    assert not loaded & {"z3", "numpy", "openai", "pydantic", "xllamacpp", "rich"}
