"""The public surface: the names of `holdtrue` and its namespaces, and the modules that importing them loads."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from importlib import import_module
from pathlib import Path

import pytest

HEAVY = ("pysat", "z3", "numpy", "openai", "pydantic", "typer", "rich", "xllamacpp", "httpx2")


def modules_after(statement: str) -> set[str]:
    """The top-level modules that are loaded after the statement, in a fresh interpreter."""
    script = f"import sys\n{statement}\nprint(*{{name.partition('.')[0] for name in sys.modules}})"
    return set(
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    )


PUBLIC = """
    Session QuerySession SearchSession Question
    Domain Attribute ConstraintType Entity Integer AttributeName ValueOf Axiom Instance Constraint World find_domain
    Formula Variable IntSort Case Premise Label SearchProblem Requirement
    LlmExtractor ReadingSettings TemplateExtractor
    Method LabelMethod SearchMethod Budget SearchBudget Sampling
    ChatModel ScriptModel Message Request Reply open_model TurnRecord TurnOutcome
    HoldtrueError InputError SessionError ModelError InfrastructureError
""".split()

KINDS = (*(f"holdtrue.kinds.{kind}" for kind in ("assignment", "labels", "search")), "holdtrue_claims")
NAMESPACES = (
    "holdtrue",
    "holdtrue.logic",
    "holdtrue.ledger",
    "holdtrue.models",
    "holdtrue.guard",
    "holdtrue_lab",
    *KINDS,
)
MODULES = ("holdtrue.record", "holdtrue.errors")


def declared_names() -> dict[str, dict[str, str]]:
    """The names of each namespace with the modules that they come from, as type checkers read them."""
    return {package: dict(_declared(package)) for package in NAMESPACES}


def _declared(package: str) -> Iterator[tuple[str, str]]:
    tree = ast.parse(inspect.getsource(import_module(package)))
    for block in tree.body:
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING":
            for node in block.body:
                assert isinstance(node, ast.ImportFrom) and node.module
                for name in node.names:
                    assert name.asname == name.name, "only what is imported `as` itself can be imported from here"
                    yield name.name, node.module


def test_holdtrue_itself_has_the_names_that_a_conversation_needs() -> None:
    assert sorted(import_module("holdtrue").__all__) == sorted(PUBLIC)


@pytest.mark.parametrize("package", NAMESPACES)
def test_every_public_name_is_what_its_home_calls_so(package: str) -> None:
    namespace, homes = import_module(package), declared_names()[package]
    assert sorted(namespace.__all__) == dir(namespace) == sorted(homes), "type checkers see what there is"
    for name, home in homes.items():
        value = getattr(namespace, name)
        assert value is getattr(import_module(home), name)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert (value.__module__, value.__name__) == (home, name)
    files = {path.stem for path in Path(namespace.__path__[0]).iterdir()}
    assert not files & set(homes), "a module that is loaded would take the place of the name"


@pytest.mark.parametrize("package", NAMESPACES[1:])
def test_a_namespace_loads_nothing_before_it_is_asked(package: str) -> None:
    script = f"import sys, {package}\nprint(*(name for name in sys.modules if name.startswith('holdtrue')))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    parents = {package.rsplit(".", count)[0] for count in range(package.count(".") + 1)}
    assert set(run.stdout.split()) == {*parents, "holdtrue", "holdtrue.namespace"}


@pytest.mark.parametrize("toy", ["coins", "sums"])
def test_a_suite_and_a_kind_of_one_s_own_need_no_module_behind_the_public_names(toy: str) -> None:
    tree = ast.parse((Path(__file__).parent / "toys" / toy / "__init__.py").read_text(encoding="utf-8"))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
    assert {each for each in modules if each.startswith("holdtrue")} <= {*NAMESPACES, *MODULES}


@pytest.mark.parametrize("package", NAMESPACES)
def test_unknown_names_are_attribute_errors(package: str) -> None:
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'Sesion'"):
        _ = import_module(package).Sesion


@pytest.mark.parametrize("place", MODULES)
def test_a_module_of_public_names_names_its_own(place: str) -> None:
    module = import_module(place)
    own = {name for name, value in vars(module).items() if getattr(value, "__module__", None) == place}
    types = {"Detail", "Attempt"}  # stand for the types of a record, and say nothing alone
    assert sorted(own - types) == sorted(name for name in module.__all__ if not name.isupper())


def records() -> dict[str, type]:
    """Return the public classes of records: those of all turns, and those of single kinds of answers."""
    modules = [import_module(place) for place in ("holdtrue.record", *KINDS)]
    public = {name: getattr(module, name) for module in modules for name in module.__all__}
    homes = {"holdtrue.record", "holdtrue_claims.claim_record", "holdtrue_claims.kind.record"}
    homes |= {f"{kind}.record" for kind in KINDS}
    types = {name: value for name, value in public.items() if inspect.isclass(value) and is_dataclass(value)}
    return {name: value for name, value in types.items() if value.__module__ in homes}


def test_all_records_can_be_reached() -> None:
    found = {"TurnRecord", "AttemptRecord", "VerdictRecord", "CallRecord", "ReadingRecord", "EventRecord", "Usage"}
    found |= {"AssignmentDetail", "LabelsDetail", "SearchDetail", "ClaimsDetail"}
    found |= {"LabelAttempt", "SearchAttempt", "SearchStep", "ClaimAttempt", "CheckRecord", "ClaimRecord"}
    assert found <= set(records())
    written = {word for record in records().values() for field in fields(record) for word in _words(field.type)}
    assert {word for word in written if word.endswith(("Record", "Usage", "Step"))} <= set(records())


def _words(type: object) -> list[str]:
    return re.findall(r"\w+", str(type))


@pytest.mark.parametrize("name", sorted(records()))
def test_every_field_of_a_record_is_described_in_the_docstring_of_its_class(name: str) -> None:
    record = records()[name]
    doc = inspect.getdoc(record) or ""
    assert [field for field in inspect.get_annotations(record) if f"`{field}`" not in doc] == []


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
        "from holdtrue import ScriptModel\n"
        "from holdtrue_claims import ClaimSession\n"
        "words = {'predicates': [{'name': 'Dog', 'meaning': 'x is a dog'}], 'functions': []}\n"
        "replies = {'decompose': {'claims': [{'text': 'Rex is a dog', 'type': 'logical'}]}, 'vocabulary': words,\n"
        "           'formalize': {'formula': 'Dog(Rex)'}, 'retell': {'sentence': 'Rex is a dog.'},\n"
        "           'entities': {'things': [{'name': 'Rex', 'sort': 'animal'}]}, 'choose': {'says': 'Rex is a dog.'}}\n"
        "model = ScriptModel(lambda request: json.dumps(replies[request.purpose]))\n"
        "record = ClaimSession('Rex is a dog.', model=model).check('Rex is a dog.')\n"
        "print(record.final.check.claims[0].verdict)"
    )
    assert "entailed" in loaded
    assert "pysat" in loaded
    assert not loaded & {"z3", "numpy", "openai", "pydantic", "xllamacpp", "rich"}
