"""Count the files that one piece of work enters, for four walks, and the modules that `import holdtrue.guard` loads.

python bench/walks.py [--files] [message] [tool_call] [answer] [claim]

A file counts once a function of it runs. Module bodies do not count, nor what runs while a module is imported, nor the
simulated model of the walk `claim`.
"""

from __future__ import annotations

import argparse
import inspect
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FrameType
from typing import Any

import holdtrue
import holdtrue_claims

HOMES = tuple(Path(own.__path__[0]).parent for own in (holdtrue, holdtrue_claims))
"""The folders that the packages lie in, but for the laboratory: what simulates a model is no part of a walk."""
WANTED = {"message": 25, "tool_call": 25, "answer": 35}
"""The number of files that a walk is to enter at most."""
LOADED = "import sys, holdtrue.guard as g; g.Guard; print(sum(own.startswith('holdtrue.') for own in sys.modules))"


def shop() -> Any:
    """Return the policy of the README."""
    from holdtrue.guard import make_policy

    parameters = {"type": "object", "properties": {"sum": {"type": "number"}}}
    tools = {"definitions": [{"name": "refund", "parameters": parameters}], "writes": ["refund"]}
    say = "Refunds are 500 euros at most."
    return make_policy(
        "shop",
        tools={**tools, "types": {"refund": {"sum": "EUR(2) 0.."}}},
        rules=[{"id": "most", "on": "refund", "hold": "call.sum <= 500", "say": say}],
    )


def message() -> Callable[[], object]:
    """Return the walk of a guard that hears a message without a model."""
    from holdtrue.guard import Guard

    guard = Guard(shop())
    talk = guard.conversation("visitor-17")
    return lambda: guard.run(talk.heard(user="Please refund 50 euros"))


def tool_call() -> Callable[[], object]:
    """Return the walk of a policy that blocks a call and mends it."""
    from holdtrue.guard import Facts

    policy = shop()
    return lambda: policy.check("refund", {"sum": 620}, Facts.none()).to_json()


def answer() -> Callable[[], object]:
    """Return the walk of a session whose model gives an answer that is repaired."""
    from holdtrue import Attribute, ConstraintType, Domain, Entity, ScriptModel, Session

    before = ConstraintType(
        "before", (Entity(), Entity()), "{0} works before {1}", lambda world, one, two: one.day < two.day
    )
    shifts = Domain("shifts", attributes=[Attribute("day", low=1, high=5)], constraint_types=[before])
    model = ScriptModel(['{"solution": {"Ann": 3, "Bob": 2}}'])
    session = Session(shifts, ["Ann", "Bob"], model=model, method="project", extractor="templates")
    return lambda: session.ask("Ann works before Bob.")


def claim() -> Callable[[], object]:
    """Return the walk of a session that tests the claims of an answer."""
    from holdtrue_claims import ClaimSession
    from holdtrue_lab.kinds.claims.simulation.model import SimulatedReasoner
    from holdtrue_lab.suites.verge.perturb.generate import generate_pairs

    item = generate_pairs(seed=7, count=4)[0]
    session = ClaimSession(item.sentences, model=SimulatedReasoner("sim/claims", [item]))
    return lambda: session.ask(item.question, item.options, statement=item.statement)


WALKS: Mapping[str, Callable[[], Callable[[], object]]] = {
    "message": message,
    "tool_call": tool_call,
    "answer": answer,
    "claim": claim,
}


def entered(walk: Callable[[], object]) -> dict[str, int]:
    """Return the files that a walk enters, in their order, each with the number of its functions that ran."""
    seen: dict[str, set[str]] = {}

    def look(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        is_function = code.co_flags & inspect.CO_OPTIMIZED and code.co_name[:1] != "<"
        home = next((own for own in HOMES if code.co_filename.startswith(f"{own}/holdtrue")), None)
        if event != "call" or not is_function or home is None:
            return
        path = code.co_filename.removeprefix(f"{home}/")
        if code.co_qualname in seen.get(path, ()) or is_importing(frame):
            return
        seen.setdefault(path, set()).add(code.co_qualname)

    threading.settrace(look)  # For threads that begin within the walk, as that of `guard.run` does.
    sys.settrace(look)
    try:
        walk()
    finally:
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]
    return {path: len(names) for path, names in seen.items()}


def is_importing(frame: FrameType | None) -> bool:
    """Return whether a function runs because a module is imported."""
    while frame is not None:
        if frame.f_code.co_name == "_find_and_load":
            return True
        frame = frame.f_back
    return False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("walks", nargs="*", choices=[*WALKS, []], metavar="walk")
    parser.add_argument("--files", action="store_true", help="name the files")
    own = parser.parse_args()
    for name in own.walks or WALKS:
        found = entered(WALKS[name]())
        wanted = f", wanted at most {WANTED[name]}" if name in WANTED else ""
        print(f"{name:10} enters {len(found):3} files and {sum(found.values()):4} functions{wanted}")
        for path, functions in found.items() if own.files else ():
            print(f"    {functions:3}  {path}")
    loaded = subprocess.run([sys.executable, "-c", LOADED], check=True, capture_output=True, text=True).stdout.strip()
    print(f"importing the guard loads {loaded} modules")


if __name__ == "__main__":
    main()
