"""The house keeps its walls: only listed modules outside of a kind's or a suite's folder name it, each with a
reason.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import holdtrue
import holdtrue_claims
import holdtrue_lab
from holdtrue_lab.kit.registry import kind_names, suite_names
from tests.cli.claim_script import write_script

SOURCES = tuple(Path(own.__path__[0]) for own in (holdtrue, holdtrue_claims, holdtrue_lab))
ROOT = Path(__file__).parents[1]
KINDS, SUITES = kind_names(), suite_names()
OWN = {
    **{name: (f"holdtrue/kinds/{name}/", f"holdtrue_lab/kinds/{name}/") for name in KINDS},
    **{name: (f"holdtrue_lab/suites/{name}/",) for name in SUITES},
    "claims": ("holdtrue_claims/kind/", "holdtrue_lab/kinds/claims/"),
}

IMPORTS = {
    "holdtrue/__init__.py": "the public names are found here, each loaded when it is asked for",
    "holdtrue/conversation/": "the faces of conversations, one for each kind",
    "holdtrue_claims/__init__.py": "the public names are found here, each loaded when it is asked for",
    "holdtrue_claims/cli.py": "the verbs of claims",
    "holdtrue_claims/conversation/": "the face of claims, by whose steps a case is read, too",
    "holdtrue_lab/suites/": "a suite stands on the kind of its answers",
    "holdtrue_lab/cli/study.py": "the verb of a study of searches",
    "holdtrue_lab/cli/study_claims.py": "the verbs of studies of claims",
    "holdtrue_lab/cli/study_reading.py": "the verb of a study of readings",
}
WORDS = {
    ("holdtrue/record.py", "drift"): "an outcome of a turn, as the field calls it",
    ("holdtrue_lab/kinds/assignment/failure_tables.py", "drift"): "the title of that outcome's column",
    ("holdtrue_claims/kind/", "verge"): "the published pipeline, which is a method too",
    ("holdtrue_lab/kinds/claims/", "verge"): "the published pipeline, which is a method too",
    ("holdtrue/conversation/query_session.py", "labels"): "one of two ways to word an answer",
    ("holdtrue/kinds/search/", "assignment"): "a key of the JSON in which a candidate is given",
    ("holdtrue_lab/kinds/search/simulation.py", "assignment"): "a key of the JSON in which a candidate is given",
    ("holdtrue_lab/kinds/labels/simulation.py", "cross_query"): "the name of a usual simulated answerer",
    ("holdtrue_lab/kinds/labels/simulation.py", "belief"): "the name of a usual simulated answerer",
    ("holdtrue_lab/kinds/decisions/", "guard"): "the method that decides by the policy",
    ("holdtrue/extras.py", "guard"): "the extra that policies are read with",
    ("holdtrue/extras.py", "claims"): "the extra that brings the distribution",
    ("holdtrue/guard/conversation/message_intake.py", "claims"): "a key of the event of a reply that was read",
    ("holdtrue/language/requests/", "claims"): "a key of the JSON in which a model gives them",
    ("holdtrue_lab/cli/study_claims.py", "decisions"): "a key of the JSON of that study",
    ("holdtrue_lab/cli/study_reading.py", "reading"): "the name of the study",
    ("holdtrue/audit/", "decisions"): "the table of a guard's decisions on calls",
    ("holdtrue/serve/guardrail_api.py", "decisions"): "a key of the JSON of an answer to a gateway",
}

UNNAMED = {
    ("holdtrue/cli/main.py", "list_commands"): "typer asks a group for the names of its commands",
    ("holdtrue/cli/main.py", "format_commands"): "the list of verbs in the help, which typer asks for",
    ("holdtrue/testing.py", "pytest_configure"): "pytest calls it",
    ("holdtrue/testing.py", "pytest_generate_tests"): "pytest calls it",
    (
        "holdtrue/ledger/belief_revision.py",
        "expand",
    ): "one of the three operations on beliefs, for others",
}

CIRCLES = {
    (
        "holdtrue/logic/connectives.py",
        "holdtrue/logic/evaluate.py",
    ): "a formula is compiled when first asked",
    (
        "holdtrue/logic/terms.py",
        "holdtrue/logic/operations.py",
    ): "operators make terms that know their ranges",
    **{
        (
            f"holdtrue_lab/suites/{name}/__init__.py",
            f"holdtrue_lab/suites/{name}/",
        ): "a suite names what it loads"
        for name in SUITES
    },
}


CORE = (
    *(f"holdtrue/{floor}/" for floor in ("logic", "world", "models", "solving", "ledger", "language", "verification")),
    "holdtrue_claims/kind/",
)


@cache
def trees() -> tuple[tuple[str, ast.AST], ...]:
    """Every file of the packages, parsed once for all tests here."""
    return tuple(
        (path.relative_to(source.parent).as_posix(), ast.parse(path.read_text(encoding="utf-8")))
        for source in SOURCES
        for path in sorted(source.rglob("*.py"))
    )


@cache
def nodes(tree: ast.AST) -> tuple[ast.AST, ...]:
    """All nodes of a tree, which several tests look at."""
    return tuple(ast.walk(tree))


def named(module: str) -> Iterator[str]:
    """Yield the kinds and suites that have the module in their folders."""
    place = module.replace(".", "/") + "/"
    yield from (name for name, folders in OWN.items() if place.startswith(folders))


def test_no_module_gives_one_name_two_values() -> None:
    """A function reads a constant when it is called, so the last value of two would hold in the whole file."""
    found = []
    for place, tree in trees():
        targets = [own for each in ast.iter_child_nodes(tree) if isinstance(each, ast.Assign) for own in each.targets]
        names = [own.id for each in targets for own in nodes(each) if isinstance(own, ast.Name) and own.id != "_"]
        found += [f"{place}: {name}" for name, count in Counter(names).items() if count > 1]
    assert found == []


def test_nobody_else_imports_a_kind_or_a_suite() -> None:
    found = {
        (place, name)
        for place, tree in trees()
        for node in nodes(tree)
        if isinstance(node, ast.ImportFrom) and node.module
        for name in named(node.module)
        if not place.startswith(OWN[name])
    }
    assert [each for each in sorted(found) if not each[0].startswith(tuple(IMPORTS))] == []
    assert all(any(place.startswith(allowed) for place, _ in found) for allowed in IMPORTS), "what is allowed is needed"


def test_nobody_else_spells_the_name_of_a_kind_or_a_suite() -> None:
    found = {
        (place, node.value)
        for place, tree in trees()
        for node in nodes(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in OWN
        if not place.startswith(OWN[node.value])
    }
    assert [
        each for each in sorted(found) if not any(each[0].startswith(at) and each[1] == word for at, word in WORDS)
    ] == []
    assert all(any(place.startswith(at) and word == said for place, said in found) for at, word in WORDS)


def loaded_by(code: str) -> set[str]:
    """The modules of holdtrue that a fresh process has loaded when it has run the code."""
    program = f"{code}\nprint('loaded:', *(name for name in sys.modules if name.startswith('holdtrue')))"
    found = subprocess.run([sys.executable, "-c", f"import sys\n{program}"], capture_output=True, text=True, check=True)
    return set(found.stdout.rpartition("loaded:")[2].split())


def test_importing_holdtrue_loads_nothing() -> None:
    assert loaded_by("import holdtrue") == {"holdtrue"}


def test_the_face_of_one_kind_loads_no_laboratory_and_no_other_kind() -> None:
    loaded = loaded_by(
        "from holdtrue import Session, ScriptModel; Session('seating', ['Ann'], model=ScriptModel(['{}']))"
    )
    assert not [name for name in loaded if name.startswith("holdtrue_lab")]
    assert {kind for name in loaded for kind in named(name)} <= {"assignment"}


def test_verbs_that_measure_nothing_load_no_laboratory(tmp_path: Path) -> None:
    text, turn = tmp_path / "text.txt", tmp_path / "turn.json"
    text.write_text("Mia is a dancer.", encoding="utf-8")
    seat = {"type": "at_position", "args": ["Ann", 1]}
    logged = {"domain": "seating", "entities": ["Ann", "Bob"], "constraints": [seat], "answer": {"Ann": 1, "Bob": 2}}
    turn.write_text(json.dumps(logged), encoding="utf-8")
    model = write_script(tmp_path / "model.json", "Mia is a dancer.")
    verify = ["verify", "--context", f"{text}", "--answer", f"{text}", "--model", model, "--json"]
    formalize = ["formalize", f"{text}", "--model", model, "--json"]
    for words in (verify, formalize, ["check", f"{turn}"], ["explain", f"{turn}"]):
        code = (
            "from typer.testing import CliRunner; from holdtrue.cli.main import app; "
            f"done = CliRunner().invoke(app, {words!r}); assert done.exit_code in (0, 3), done.output"
        )
        loaded = loaded_by(code)
        assert {"holdtrue_claims.kind.premise_preparation", "holdtrue.verification.logged_turn"} & loaded
        assert not [name for name in loaded if name.startswith("holdtrue_lab")]


def test_a_run_and_a_report_load_no_other_kind_and_no_other_suite(tmp_path: Path) -> None:
    out = tmp_path / "run"
    run = ["run", "drift", "--generate", "2", "--turns", "2", "--model", "sim/perfect", "--out", f"{out}", "-q"]
    for words in (run, ["report", f"{out}"]):
        code = (
            "from typer.testing import CliRunner; from holdtrue.cli.main import app; "
            f"CliRunner().invoke(app, {words!r})"
        )
        assert {each for name in loaded_by(code) for each in named(name)} == {"assignment", "drift"}
    assert (out / "journal.jsonl").exists()


def test_no_suite_imports_a_kind_that_is_not_its_own() -> None:
    from holdtrue_lab.kit.registry import find_suite

    for place, tree in trees():
        if place.startswith("holdtrue_lab/suites/") and place.count("/") > 2:
            suite = place.split("/")[2]
            others = set(KINDS) - {find_suite(suite).kind.name}
            modules = [node.module for node in nodes(tree) if isinstance(node, ast.ImportFrom) and node.module]
            assert not [module for module in modules if others & set(named(module))], place


def test_no_two_files_of_the_core_have_one_name() -> None:
    """The four kinds' folders have the same roles, and so the same names: of them claims alone counts here."""
    places: dict[str, list[str]] = {}
    for place, _ in trees():
        if place.startswith(CORE) and not place.endswith("__init__.py"):
            places.setdefault(place.rpartition("/")[2], []).append(place)
    assert [found for found in places.values() if len(found) > 1] == []


def test_every_module_is_reached_from_a_door() -> None:
    """Doors are the command, the public names, the adapters of frameworks, and the targets of entry points."""
    imports = {place: set(_imported(tree)) for place, tree in trees()}
    doors = {f"{package}/__init__.py" for package in ("holdtrue", "holdtrue/guard", "holdtrue_claims", "holdtrue_lab")}
    doors |= {"holdtrue/testing.py"}
    doors |= {"holdtrue/__main__.py", "holdtrue/cli/main.py", "holdtrue_lab/kinds/assignment/simulation/model.py"}
    doors |= {place for place in imports if place.startswith("holdtrue/adapters/")}
    doors |= {f"holdtrue_lab/suites/{name}/__init__.py" for name in SUITES}
    doors |= {f"holdtrue_lab/kinds/{name}/__init__.py" for name in KINDS}
    reached: set[str] = set()
    while doors:
        place = doors.pop()
        reached.add(place)
        doors |= {each for each in imports[place] if each in imports and each not in reached}
    assert sorted(place for place in imports if place not in reached and not place.endswith("__init__.py")) == []


def test_every_function_class_and_method_is_named_somewhere() -> None:
    """By the package, a template of its pages, an entry point, or code in the docs; by tests alone is not enough."""
    files = [file for source in SOURCES for file in source.rglob("*.jinja")]
    files += [ROOT / "pyproject.toml", *(ROOT / "packages").glob("*/pyproject.toml")]
    texts = "".join(path.read_text(encoding="utf-8") for path in files)
    for path in (ROOT / "README.md", ROOT / "ARCHITECTURE.md", *(ROOT / "docs").rglob("*.md")):
        texts += "".join(re.findall(r"```.*?```|`[^`]*`", path.read_text(encoding="utf-8"), re.DOTALL))
    words = set(re.findall(r"\w+", texts))
    parsed = dict(trees())
    # The columns of flat rows name their sources by paths of attributes.
    words |= {
        word
        for place, tree in parsed.items()
        if place.endswith("/flat.py")
        for node in nodes(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for word in node.value.split(".")
    }
    imported = {each for tree in parsed.values() for each in _imported_names(tree)}
    attributes = Counter(word for tree in parsed.values() for word in _attributes(tree))
    left = set()
    for place, tree in parsed.items():
        module = place.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        here = Counter(node.id for node in nodes(tree) if isinstance(node, ast.Name))
        for definition, in_class in _definitions(tree):
            name = definition.name
            inside = [node.id for node in ast.walk(definition) if isinstance(node, ast.Name)].count(name)
            known = not in_class and ((module, name) in imported or here[name] > inside)
            known |= in_class and attributes[name] > list(_attributes(definition)).count(name)
            if not known and name not in words and not name.startswith("__"):
                left.add((place, name))
    assert sorted(left - UNNAMED.keys()) == []
    assert UNNAMED.keys() <= left, "what is allowed is needed"


Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def _definitions(tree: ast.AST) -> Iterator[tuple[Definition, bool]]:
    """The functions and classes of a module and their methods, and whether each is in a class; commands left out."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Definition) and not any(map(_registers, node.decorator_list)):
            yield node, isinstance(tree, ast.ClassDef)
        if isinstance(node, ast.ClassDef):
            yield from _definitions(node)


def _registers(decorator: ast.expr) -> bool:
    """Whether it is that of a command, `@app.command()` or `@app.callback()`."""
    return isinstance(decorator, ast.Call) and ast.unparse(decorator.func).endswith((".command", ".callback"))


def _attributes(tree: ast.AST) -> Iterator[str]:
    for node in nodes(tree):
        if isinstance(node, ast.Attribute):
            yield node.attr


def _imported_names(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Modules with the names that are imported from them, looked up in them, or named as `module:name`."""
    modules: dict[str, str] = {}
    for node in nodes(tree):
        if found := _spelled(node):
            yield found
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.module, name.name) for name in node.names)
            modules |= {name.asname or name.name: f"{node.module}.{name.name}" for name in node.names}
    for node in nodes(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
            yield modules[node.value.id], node.attr


def _spelled(node: ast.AST) -> tuple[str, str] | None:
    """The module and the name in it that a text names as `module:name`."""
    text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
    found = re.fullmatch(r"(holdtrue[\w.]*):(\w+)", text)
    return (found[1], found[2]) if found else None


def _imported(tree: ast.AST) -> Iterator[str]:
    """The files that a module imports, at its head or where something is first used, or names as `module:name`."""
    for node in nodes(tree):
        if found := _spelled(node):
            yield found[0].replace(".", "/") + ".py"
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("holdtrue"):
            base = node.module.replace(".", "/")
            yield from (f"{base}.py", f"{base}/__init__.py")
            yield from (f"{base}/{name.name}.py" for name in node.names)


def test_files_do_not_import_each_other_in_a_circle() -> None:
    """Imports in functions count. Imports for type checkers do not."""
    run = {place: {file for node in _run(tree) for file in _sources(node)} for place, tree in trees()}
    allowed = {
        (place, other): rule
        for rule in CIRCLES
        for place, others in run.items()
        for other in others
        if (place, other.startswith(rule[1])) == (rule[0], True)
    }
    assert set(allowed.values()) == set(CIRCLES), "what is allowed is needed"
    try:
        TopologicalSorter({p: [o for o in others if (p, o) not in allowed] for p, others in run.items()}).prepare()
    except CycleError as error:
        pytest.fail(f"imported by each other: {' <- '.join(error.args[1])}")


def _run(node: ast.AST) -> Iterator[ast.ImportFrom]:
    """The imports that are executed at one time or another."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ImportFrom):
            yield child
        elif not (isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"):
            yield from _run(child)


def _sources(node: ast.ImportFrom) -> Iterator[str]:
    """The files that the imported names come from."""
    if not (node.module or "").startswith("holdtrue"):
        return
    folder = (node.module or "").replace(".", "/")
    for name in node.names:
        for place in (f"{folder}.py", f"{folder}/{name.name}.py", f"{folder}/__init__.py"):
            if place in dict(trees()):
                yield place
                break
